/** The worker in which tables of this device are played, for the page. It is there as soon as somebody needs it. */
import type { Calls, ToPage, ToWorker } from "./calls";

/** How far it is on its way to the device, and whether there is room for what is played. */
export const loading = $state({
  bytes: 0,
  total: 0,
  isFull: false,
  /** Whether this device plays because there is no network, until somebody has read it. */
  hasTakenOver: false,
});

let worker: Worker | null = null;
let number = 0;
const waiting = new Map<number, { resolve: (value: any) => void; reject: (why: Error) => void }>();
let listener: ((text: string) => void) | null = null;

/** Ask the worker for something. */
export function ask<Name extends keyof Calls>(
  call: Name,
  asked: Calls[Name][0],
): Promise<Calls[Name][1]> {
  worker ??= begin();
  const id = ++number;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    // As plain data: what a page follows cannot be sent as it is.
    const plain: unknown = JSON.parse(JSON.stringify(asked));
    worker!.postMessage({ id, call, asked: plain } satisfies ToWorker);
  });
}

/** Who hears what happens at the table; there is one table at a time, and one who listens. */
export function listen(hear: (text: string) => void): void {
  listener = hear;
}

/** Hear nothing more; whether nobody else has come meanwhile, for whom the table goes on. */
export function stopListening(hear: (text: string) => void): boolean {
  if (listener !== hear) return false;
  listener = null;
  return true;
}

function begin(): Worker {
  const made = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  made.onmessage = ({ data }: MessageEvent<ToPage>) => hear(data);
  made.onerror = ({ message }) => fail(message || "worker");
  return made;
}

/** A worker that cannot even begin is given up; the next question begins another one. */
function fail(why: string): void {
  worker?.terminate();
  worker = null;
  for (const { reject } of waiting.values()) reject(new Error(why));
  waiting.clear();
}

function hear(data: ToPage): void {
  switch (data.kind) {
    case "answer":
      waiting.get(data.id)?.resolve(data.answer);
      waiting.delete(data.id);
      break;
    case "failed":
      waiting.get(data.id)?.reject(new Error(data.why));
      waiting.delete(data.id);
      break;
    case "message":
      listener?.(data.text);
      break;
    case "progress":
      loading.bytes = data.bytes;
      loading.total = data.total;
      break;
    case "full":
      loading.isFull = data.isFull;
      break;
  }
}
