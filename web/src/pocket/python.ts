/**
 * Starts Python, and our own part in it.
 *
 * From nothing that takes four seconds of a desktop's processor, three of them before any of our own code runs. So the
 * first start keeps a picture of the interpreter's memory on the device, with as much of our part as needs nothing
 * that is not Python (`ground.py`), and the next ones begin with that. It fits this program, this Pyodide, in whose
 * cache it lies, and this browser; where it is missing or cannot be used, Python starts from nothing.
 */
import pocket from "virtual:pocket";
import {
  dropFile,
  FOLDER,
  keepFile,
  keptFile,
  keptFiles,
  runtimeFile,
  type Program,
} from "./runtime";

const PICTURE = "memory";
const COMPILED = "compiled";
const PLACE = "/program";
/** Milliseconds: by then the first cards are dealt. */
const LATER = 3_000;

/** Of Pyodide, as far as it is used here. Pictures are not documented; its version is pinned, and tests would tell. */
interface Python {
  unpackArchive(data: ArrayBuffer, format: string, options?: { extractDir: string }): void;
  runPython(code: string): unknown;
  makeMemorySnapshot(): Uint8Array;
  readonly FS: { mkdirTree(path: string): void };
}

/** What is done when the first cards are dealt. */
type Later = (() => Promise<void>)[];

/** Start our own part; what it offers. */
export async function startProgram<Offered>(program: Program): Promise<Offered> {
  const later: Later = [];
  const python = await startPython(program, later);
  for (const { name } of pocket.files)
    if (name.endsWith(".whl")) python.unpackArchive(await runtimeFile(name), "whl");
  const offered = python.runPython("from phaseten.pocket.device import Device\nDevice()");
  setTimeout(() => later.forEach((work) => void work()), LATER);
  return offered as Offered;
}

/** Python with the ground of our part, from the picture or from nothing. */
async function startPython(program: Program, later: Later): Promise<Python> {
  const { loadPyodide } = (await import(/* @vite-ignore */ `${FOLDER}pyodide.mjs`)) as {
    loadPyodide(options: object): Promise<Python>;
  };
  const lockFileContents = JSON.stringify({ info: pocket.info, packages: {} });
  const options = { indexURL: FOLDER, lockFileContents };
  const name = `${PICTURE}-${program.sha256}.gz`;
  const picture = await keptPicture(name);
  if (picture) {
    try {
      const python = await loadPyodide({ ...options, _loadSnapshot: picture });
      release(picture); // Pyodide would hold it as long as it runs
      await unpackProgram(python, program, later);
      return python;
    } catch (error) {
      console.warn(error);
      await dropFile(name);
    }
  }
  const python = await loadPyodide({ ...options, _makeSnapshot: true });
  await unpackProgram(python, program, later);
  python.runPython(
    `import sys; sys.path.insert(0, "${PLACE}"); sys.dont_write_bytecode = False\n` +
      "from phaseten.pocket.ground import lay\nlay()",
  );
  const made = python.makeMemorySnapshot(); // later there are modules in it that no picture can hold
  later.push(() => keepPicture(name, made));
  return python;
}

/** The first start compiles it, and keeps that too. */
async function unpackProgram(python: Python, program: Program, later: Later): Promise<void> {
  const name = `${COMPILED}-${program.sha256}`;
  const compiled = await keptFile(name).catch(() => undefined);
  python.FS.mkdirTree(PLACE);
  const data = compiled ? await compiled.arrayBuffer() : program.data;
  python.unpackArchive(data, "zip", { extractDir: PLACE });
  if (!compiled) later.push(() => keepCompiled(python, name));
}

async function keepCompiled(python: Python, name: string): Promise<void> {
  try {
    const packed = python.runPython(
      `from phaseten.pocket.packing import packed\npacked("${PLACE}")`,
    ) as { toJs(): Uint8Array; destroy(): void };
    const data = packed.toJs();
    packed.destroy();
    await dropOlder(COMPILED);
    await keepFile(name, new Response(data as BlobPart as BodyInit));
  } catch (error) {
    console.warn(error); // it is compiled again the next time
  }
}

/** What an older program has left. */
async function dropOlder(kind: string): Promise<void> {
  for (const name of await keptFiles()) if (name.startsWith(kind)) await dropFile(name);
}

async function keptPicture(name: string): Promise<ArrayBuffer | null> {
  try {
    const kept = await keptFile(name);
    if (!kept || kept.headers.get("x-browser") !== navigator.userAgent) return null;
    const picture = new Uint8Array(Number(kept.headers.get("x-bytes")));
    const reader = kept.body!.pipeThrough(new DecompressionStream("gzip")).getReader();
    let place = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return place === picture.length ? picture.buffer : null;
      picture.set(value, place);
      place += value.length;
      release(value.buffer);
    }
  } catch {
    return null; // a browser that cannot unpack it, or half a file
  }
}

/** Memory that would otherwise stay taken until the browser feels like tidying up, which it hardly does in a worker that waits. */
export function release(data: ArrayBuffer): void {
  (data as { transfer?(length: number): ArrayBuffer }).transfer?.(0);
}

async function keepPicture(name: string, made: Uint8Array): Promise<void> {
  try {
    const data = new Blob([made as BlobPart]).stream().pipeThrough(new CompressionStream("gzip"));
    const headers = { "x-browser": navigator.userAgent, "x-bytes": `${made.length}` };
    await dropOlder(PICTURE);
    await keepFile(name, new Response(await new Response(data).arrayBuffer(), { headers }));
    release(made.buffer as ArrayBuffer);
  } catch {
    // It starts from nothing the next time too.
  }
}
