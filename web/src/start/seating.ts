/** Opening a table and sitting down there, before its page is shown. */
import { RequestFailed, post } from "../api";
import { TableConnection } from "../play/connection.svelte";
import { Memory } from "../play/memory";
import type { Options, Update } from "../protocol";
import { say } from "../words";
import { ownFace } from "./setup.svelte";

const PATIENCE = 10_000;

export async function openTable(name: string, options: Options): Promise<string> {
  return (await post<{ code: string }>("/tables", { name, options })).code;
}

/** Sit down in the first seat of a new table and start at once, or wait for the others. */
export function sitDown(code: string, name: string, then: "start" | "wait"): Promise<void> {
  const memory = new Memory(code); // this device sees the first deal
  return new Promise((resolve, reject) => {
    const isDone = ({ table, you }: Update) =>
      then === "start" ? table.stage !== "waiting" : you.seat !== null;
    const connection = new TableConnection(code, {
      heard(steps, update, before) {
        memory.follow(steps, update);
        if (isDone(update)) return end();
        if (before) return;
        connection.send({ do: "sit", seat: 1, name, ...ownFace() });
        connection.send({ do: "seed", text: memory.newSeed() });
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
