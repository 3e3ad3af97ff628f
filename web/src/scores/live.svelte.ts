/**
 * A sheet that everybody can see on their own phone. This device goes on without the network and sends what it
 * has written when the network is back. Asking every few seconds is enough for a game of cards, and survives
 * everything that a phone does to connections.
 */
import { RequestFailed, get, post, put } from "../api";
import { book, type Live } from "./book.svelte";
import type { Sheet } from "./sheet.ts";

export interface LiveForm {
  readonly version: number;
  readonly sheet: Sheet;
}

export const EVERY = 3_000;

export type Link = "fresh" | "offline" | "conflict" | "gone";

/** How each live sheet of this device stands with the server, by its name there. */
export const links: { [id: string]: Link } = $state({});

export async function share(id: string): Promise<void> {
  const kept = book.find(id);
  if (!kept || kept.live) return;
  const made = await post<{ id: string; key: string; version: number }>("/sheets", {
    sheet: kept.sheet,
  });
  book.keepLive(id, { ...made, pending: false });
}

export function stopSharing(id: string): void {
  book.keepLive(id, null);
}

export function look(liveId: string, after?: number): Promise<LiveForm | undefined> {
  return get(`/sheets/${liveId}${after === undefined ? "" : `?after=${after}`}`);
}

/** Keep a sheet and the server in step as long as it is shown. */
export function keepInStep(id: string): () => void {
  return every(EVERY, () => inStep(id));
}

/** Do something now, and again and again while the page can be seen; the way to end it. */
export function every(milliseconds: number, work: () => Promise<void>): () => void {
  let isBusy = false;
  async function once(): Promise<void> {
    if (isBusy || document.hidden) return;
    isBusy = true;
    await work().finally(() => (isBusy = false));
  }
  const timer = window.setInterval(() => void once(), milliseconds);
  const now = () => void once();
  window.addEventListener("online", now);
  document.addEventListener("visibilitychange", now);
  now();
  return () => {
    window.clearInterval(timer);
    window.removeEventListener("online", now);
    document.removeEventListener("visibilitychange", now);
  };
}

async function inStep(id: string): Promise<void> {
  const live = book.find(id)?.live;
  if (!live || links[live.id] === "conflict") return;
  try {
    if (live.pending) await send(id, live);
    else await receive(id, live);
    links[live.id] = "fresh";
  } catch (problem) {
    links[live.id] = linkAfter(problem);
  }
}

function linkAfter(problem: unknown): Link {
  const status = problem instanceof RequestFailed ? problem.status : 0;
  return status === 409 ? "conflict" : status === 404 || status === 403 ? "gone" : "offline";
}

async function send(id: string, live: Live): Promise<void> {
  const { sheet } = book.find(id)!;
  const { version } = await put<{ version: number }>(`/sheets/${live.id}`, {
    key: live.key,
    version: live.version,
    sheet,
  });
  const now = book.find(id);
  // Something may have been written while this was on its way.
  if (now?.live) book.keepLive(id, { ...now.live, version, pending: now.sheet !== sheet });
}

async function receive(id: string, live: Live): Promise<void> {
  const found = await look(live.id, live.version);
  const now = book.find(id);
  if (!found || !now?.live || now.live.pending) return;
  book.keepLive(id, { ...now.live, version: found.version }, found.sheet);
}

/** Two devices have written: this one's sheet, or the other's. */
export async function settle(id: string, which: "ours" | "theirs"): Promise<void> {
  const live = book.find(id)?.live;
  if (!live) return;
  const found = await look(live.id);
  if (!found) return;
  const { version } = found;
  if (which === "ours") book.keepLive(id, { ...live, version, pending: true });
  else book.keepLive(id, { ...live, version, pending: false }, found.sheet);
  delete links[live.id];
  await inStep(id);
}
