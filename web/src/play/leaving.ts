/** Leaving a table. Without a network it is remembered, also when the page is closed, until the table knows it. */
import { isLocal } from "../pocket/local";
import { keepLeaving, leaving } from "../start/tables";
import { TableConnection } from "./connection.svelte";

const underway = new Map<string, TableConnection>();

export function leaveTable(code: string): void {
  const others = leaving().filter((one) => one !== code);
  keepLeaving([...others, code]);
  tell(code);
}

/** Whoever is at the table again has not left. */
export function stay(code: string): void {
  underway.get(code)?.close();
  underway.delete(code);
  const codes = leaving().filter((one) => one !== code);
  if (codes.length < leaving().length) keepLeaving(codes);
}

/** Tell the tables that do not know it: the page was closed before they did. */
export function goOnLeaving(): void {
  for (const code of leaving()) tell(code);
}

function tell(code: string): void {
  if (underway.has(code)) return;
  const end = () => stay(code); // done, or there is no seat to leave any more
  const connection = new TableConnection(code, { done: end, refused: end, ended: end });
  underway.set(code, connection);
  // Nobody else is there who would go on playing.
  connection.send({ do: isLocal(code) ? "call_off" : "leave" });
}
