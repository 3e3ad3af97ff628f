/** Opening a table and sitting down there, before its page is shown. */
import { RequestFailed, post } from "../api";
import { go } from "../routes.svelte";
import { loadScreen } from "../screens";
import { TableConnection } from "../play/connection.svelte";
import type { Options, Update } from "../protocol";
import { say } from "../words";
import { ownFace } from "./setup.svelte";
import { myTables } from "./tables";

const SEED_BYTES = 16;
const PATIENCE = 10_000;

/** A player's own part of the shuffle, which no server can foresee. */
export function newSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function openTable(name: string, options: Options): Promise<string> {
  return (await post<{ code: string }>("/tables", { name, options })).code;
}

/** A new table at which one plays or waits; its page is there in a moment. */
export async function begin(name: string, options: Options, then: "start" | "wait"): Promise<void> {
  void loadScreen("Table"); // it is needed in a moment
  const code = await openTable(name, options);
  await sitDown(code, name, then);
  void myTables().catch(() => []);
  go(`/table/${code}`);
}

/** Sit down in the first seat of a new table and start at once, or wait for the others. */
function sitDown(code: string, name: string, then: "start" | "wait"): Promise<void> {
  return new Promise((resolve, reject) => {
    const isDone = ({ table, you }: Update) =>
      then === "start" ? table.stage !== "waiting" : you.seat !== null;
    const connection = new TableConnection(code, {
      heard(_steps, update, before) {
        if (isDone(update)) return end();
        if (before) return;
        connection.send({ do: "sit", seat: 1, name, ...ownFace() });
        connection.send({ do: "seed", text: newSeed() });
        if (then === "start") connection.send({ do: "start" });
      },
      refused: ({ reason, sentence }) => end(new RequestFailed(409, reason, sentence)),
    });
    const timer = window.setTimeout(
      () => end(new RequestFailed(0, "offline", say("web.problem.offline"))),
      PATIENCE,
    );
    function end(problem?: RequestFailed): void {
      window.clearTimeout(timer);
      connection.close();
      if (problem) reject(problem);
      else resolve();
    }
  });
}
