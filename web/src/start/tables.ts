/** My tables, as the server lists them. */
import { get } from "../api";
import { IS_WITHOUT_SERVER } from "../place";
import { localTables } from "../pocket/shelf";
import type { MyTable } from "../protocol";
import { recall, remember } from "../storage/storage.svelte";

const KEY = "phaseten.mine";
const LEAVING = "phaseten.leaving";

/** The codes of tables that do not know yet that one has left: see play/leaving.ts. */
export function leaving(): readonly string[] {
  const { codes } = recall<{ codes: readonly string[] }>(LEAVING, { codes: [] });
  return codes;
}

export function keepLeaving(codes: readonly string[]): void {
  remember(LEAVING, { codes });
}

/** My tables as they were when last looked: so the page does not jump when they are known. */
export function myLastTables(): readonly MyTable[] {
  const { tables } = recall<{ tables: readonly Partial<MyTable>[] }>(KEY, { tables: [] });
  return tables.filter(isWhole); // another version of the page may have kept something else
}

function isWhole(table: Partial<MyTable>): table is MyTable {
  return Boolean(table.code && table.about?.names);
}

/** My tables at which something is still to be played. */
export async function myTables(): Promise<readonly MyTable[]> {
  const here = IS_WITHOUT_SERVER ? [] : await localTables().catch(() => []);
  const there = await get<readonly MyTable[]>("/mine").catch((error: Error) => {
    if (here.length) return []; // what is on this device can be played on
    throw error;
  });
  const tables = [...here, ...there].filter(
    ({ stage, code }) => stage !== "finished" && !leaving().includes(code),
  );
  remember(KEY, { tables });
  return tables;
}
