/** Opening a table and sitting down there, before its page is shown. */
import { RequestFailed, post } from "../api";
import { loadScreen } from "../screens";
import { TableConnection } from "../play/connection.svelte";
import { IS_WITHOUT_SERVER } from "../place";
import { openLocal } from "../pocket/opening";
import { loading } from "../pocket/pocket.svelte";
import { isKept } from "../pocket/runtime";
import { Memory } from "../play/memory";
import type { MomentForm, Options, Update } from "../protocol";
import { say } from "../words";
import { ownFace, setup } from "./setup.svelte";
import { myTables } from "./tables";

const PATIENCE = 10_000;

async function openTable(name: string, options: Options, position = ""): Promise<string> {
  return (await post<{ code: string }>("/tables", { name, options, position })).code;
}

/** A new table on which the game goes on from a moment, in that seat and against bots. */
export async function playOn(
  name: string,
  options: Options,
  moment: MomentForm,
  go: (path: string) => void,
): Promise<void> {
  void loadScreen("Table");
  const code = IS_WITHOUT_SERVER
    ? await openLocal([name], options, moment)
    : await openTable(name, options, moment.position);
  if (!IS_WITHOUT_SERVER) await sitDown(code, name, "start", moment.seat);
  void myTables().catch(() => []);
  go(`/table/${code}`);
}

/** A new table at which one plays or waits; its page is there in a moment. */
export async function begin(
  name: string,
  options: Options,
  then: "start" | "wait",
  go: (path: string) => void,
): Promise<void> {
  void loadScreen("Table"); // it is needed in a moment
  const code = IS_WITHOUT_SERVER
    ? await openLocal([name], options)
    : await openAtServer(name, options, then);
  void myTables().catch(() => []);
  go(`/table/${code}`);
}

/** Without the network the local table takes over, if the game is on this device. */
async function openAtServer(
  name: string,
  options: Options,
  then: "start" | "wait",
): Promise<string> {
  try {
    const code = await openTable(name, options);
    await sitDown(code, name, then);
    return code;
  } catch (error) {
    const isOffline = error instanceof RequestFailed && error.reason === "offline";
    if (then !== "start" || !isOffline || !(await isKept())) throw error;
    const code = await openLocal([name], options);
    loading.hasTakenOver = true;
    return code;
  }
}

/** Sit down at a new table, mostly in the first seat, and start at once, or wait for the others. */
function sitDown(code: string, name: string, then: "start" | "wait", seat = 1): Promise<void> {
  const memory = new Memory(code); // this device sees the first deal
  return new Promise((resolve, reject) => {
    const isDone = ({ table, you }: Update) =>
      then === "start" ? table.stage !== "waiting" : you.seat !== null;
    const connection = new TableConnection(code, {
      heard(steps, update, before) {
        memory.follow(steps, update);
        if (isDone(update)) return end();
        if (before) return;
        connection.send({ do: "sit", seat, name, ...ownFace() });
        connection.send({ do: "seed", text: memory.newSeed() });
        if (then === "wait") return;
        if (setup.coach && connection.welcome?.coach) connection.send({ do: "coach", on: true });
        connection.send({ do: "start" });
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
