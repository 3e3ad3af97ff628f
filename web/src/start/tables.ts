/** Tables as the server lists them. */
import { get } from "../api";
import { recall, remember } from "../settings.svelte";

export interface ListedTable {
  readonly code: string;
  readonly stage: "waiting" | "playing" | "finished";
  /** When something last happened there: milliseconds since 1970. */
  readonly changed: number;
  readonly about: {
    /** The edition. */
    readonly title: string;
    readonly variant: string;
    readonly host: string;
    readonly names: readonly string[];
    readonly seats: number;
    readonly free: number;
    readonly timer: number | null;
    /** Seats of bots that can be taken while the game is going on. */
    readonly joinable?: number;
  };
}

const KEY = "phaseten.mine";

/** My tables as they were when last looked: so the page does not jump when they are known. */
export function myLastTables(): readonly ListedTable[] {
  const { tables } = recall<{ tables: readonly Partial<ListedTable>[] }>(KEY, { tables: [] });
  return tables.filter(isWhole); // another version of the page may have kept something else
}

function isWhole(table: Partial<ListedTable>): table is ListedTable {
  return Boolean(table.code && table.about?.names);
}

/** My tables at which something is still to be played. */
export async function myTables(): Promise<readonly ListedTable[]> {
  const tables = (await get<readonly ListedTable[]>("/mine")).filter(
    (table) => table.stage !== "finished",
  );
  remember(KEY, { tables });
  return tables;
}
