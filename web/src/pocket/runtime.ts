/** Python for this browser: where it lies, whether it is kept on the device, and how it gets there. */
import pocket from "virtual:pocket";
import type { NetworkNote } from "./network";

/** Where the site lies, from a module in its `assets/`. */
const HERE = import.meta.url;
const SITE = new URL("../", HERE);
export const FOLDER = new URL(`${pocket.folder}/`, SITE).href;
const CACHE = `phaseten-${pocket.folder.split("/").at(-1)}`;
const NOTE = new URL("pocket/program.json", SITE).href;
const WEIGHTS = new URL("pocket/deep.weights", SITE).href;

/** What the page and the program say to each other is of this version: `VERSION` in `device.py`. */
export const DEVICE = 2;
export const OUTDATED = "outdated";
const PATIENCE = 2_000;

/** What the build wrote about the part of our package that runs here. */
interface Note {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Notes of the first version do not say it. */
  readonly device?: number;
  /** Of the trained network; older programs cannot use it. */
  readonly network?: NetworkNote;
}

export interface Program {
  readonly sha256: string;
  readonly data: ArrayBuffer;
  readonly network: NetworkNote | undefined;
}

export type Progress = (bytes: number, total: number) => void;

/** All that has to be there before the first card, in bytes. */
export const RUNTIME_BYTES = pocket.files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Browsers keep files for pages that came over a safe way; over any other they are fetched each time. */
async function cache(): Promise<Cache | null> {
  try {
    return await caches.open(CACHE);
  } catch {
    return null;
  }
}

/** Whether everything is on the device. */
export async function isKept(): Promise<boolean> {
  const kept = await cache();
  if (!kept) return false;
  const urls = [...pocket.files.map(({ name }) => FOLDER + name), NOTE];
  const found = await Promise.all(urls.map((url) => kept.match(url)));
  return found.every((answer) => answer !== undefined);
}

/** What the device has of it, in bytes: with what was made here to start faster. */
export async function keptBytes(): Promise<number> {
  let bytes = 0;
  for (const answer of (await (await cache())?.matchAll()) ?? [])
    bytes += (await answer.blob()).size;
  return bytes;
}

/** A file that was made on this device, for this version of Python. */
export async function keptFile(name: string): Promise<Response | undefined> {
  return (await cache())?.match(FOLDER + name);
}

/** The names of what lies in this version's folder. */
export async function keptFiles(): Promise<readonly string[]> {
  const requests = (await (await cache())?.keys()) ?? [];
  return requests.flatMap(({ url }) => (url.startsWith(FOLDER) ? [url.slice(FOLDER.length)] : []));
}

export async function keepFile(name: string, answer: Response): Promise<void> {
  await (await cache())?.put(FOLDER + name, answer);
}

export async function dropFile(name: string): Promise<void> {
  await (await cache())?.delete(FOLDER + name);
}

export async function forgetRuntime(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith("phaseten-pocket-")) await caches.delete(name);
}

/** Have everything on the device that is not there yet. */
export async function fetchRuntime(progress: Progress = () => {}): Promise<Program> {
  const kept = await cache();
  let bytes = 0;
  for (const file of pocket.files) {
    const url = FOLDER + file.name;
    if (kept && !(await kept.match(url))) {
      const data = await fetched(url, (more) => progress((bytes += more), RUNTIME_BYTES));
      const type = file.name.endsWith(".mjs") ? "text/javascript" : "application/wasm";
      await keep(kept, url, data, type);
    } else progress((bytes += file.bytes), RUNTIME_BYTES);
  }
  return fetchProgram();
}

/** The newest of our own part that can be reached; without the network, the one that is kept. */
async function fetchProgram(): Promise<Program> {
  const kept = await cache();
  const note = await fittingNote(kept);
  const url = new URL(note.file, NOTE).href;
  const { sha256, network } = note;
  const known = await kept?.match(url);
  if (known) return { sha256, network, data: await known.arrayBuffer() };
  const data = await fetched(url);
  await check(data, note.sha256);
  if (kept) {
    for (const request of await kept.keys())
      if (request.url.endsWith(".zip") && !request.url.startsWith(FOLDER))
        await kept.delete(request);
    await keep(kept, url, data, "application/zip");
    await keep(
      kept,
      NOTE,
      new TextEncoder().encode(JSON.stringify(note)).buffer,
      "application/json",
    );
  }
  return { sha256, network, data };
}

/** The weights of the trained network, as they are packed; they are fetched once, when somebody wants to play against it. */
export async function fetchWeights(note: NetworkNote, progress: Progress): Promise<ArrayBuffer> {
  const kept = await cache();
  const url = `${WEIGHTS}?${note.sha256}`;
  const known = await kept?.match(url);
  if (known) return known.arrayBuffer();
  let bytes = 0;
  const data = await fetched(url, (more) => progress((bytes += more), note.bytes));
  await check(data, note.sha256);
  if (kept) {
    for (const request of await kept.keys())
      if (request.url.startsWith(WEIGHTS)) await kept.delete(request);
    await keep(kept, url, data, "application/octet-stream");
  }
  return data;
}

export async function runtimeFile(name: string): Promise<ArrayBuffer> {
  const known = await (await cache())?.match(FOLDER + name);
  return known ? known.arrayBuffer() : fetched(FOLDER + name);
}

/** The newest program that can be reached and fits this page. */
async function fittingNote(kept: Cache | null): Promise<Note> {
  const known = await kept?.match(NOTE);
  const notes: Note[] = [];
  try {
    // A network that hardly answers keeps nobody from what is here.
    const signal = known ? AbortSignal.timeout(PATIENCE) : null;
    const answer = await fetch(NOTE, { cache: "no-cache", signal });
    if (answer.ok) notes.push((await answer.json()) as Note);
  } catch {
    // no network
  }
  if (known) notes.push((await known.json()) as Note);
  const note = notes.find(({ device = 1 }) => device === DEVICE);
  if (note) return note;
  if (notes.length) throw new Error(OUTDATED); // one of them is to be loaded again
  throw new Error("The game cannot be reached, and it is not on this device yet.");
}

async function fetched(url: string, progress?: (more: number) => void): Promise<ArrayBuffer> {
  const answer = await fetch(url);
  if (!answer.ok || !answer.body) throw new Error(`${answer.status} ${url}`);
  if (!progress) return answer.arrayBuffer();
  const parts: Uint8Array[] = [];
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    progress(value.length);
  }
  return new Blob(parts as BlobPart[]).arrayBuffer();
}

async function keep(kept: Cache, url: string, data: ArrayBuffer, type: string): Promise<void> {
  try {
    await kept.put(url, new Response(data, { headers: { "content-type": type } }));
  } catch {
    // There is no room: it plays all the same, as long as there is a network.
  }
}

/** Only over a safe way do browsers compute hashes; over any other nothing could be trusted anyway. */
async function check(data: ArrayBuffer, sha256: string): Promise<void> {
  if (!globalThis.crypto.subtle) return;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  const hash = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hash !== sha256) throw new Error("The game did not arrive as it was sent.");
}
