/**
 * Starts Python.
 *
 * From nothing that takes three seconds of a desktop's processor, nearly all of them before any of our own code runs. So the
 * first start keeps a picture of the interpreter's memory on the device, and the next ones begin with that. It fits
 * this Pyodide, in whose cache it lies, and this browser; where it is missing or cannot be used, Python starts from nothing.
 */
import pocket from "virtual:pocket";
import { dropFile, FOLDER, keepFile, keptFile, keptFiles, type Program } from "./runtime";

const PICTURE = "memory.gz";
const PLACE = "/program";
/** Milliseconds: the first cards are dealt before anything is packed. */
const LATER = 3_000;

/** Of Pyodide, as far as it is used here. Pictures are not documented; its version is pinned, and tests would tell. */
export interface Python {
  unpackArchive(data: ArrayBuffer, format: string, options?: { extractDir: string }): void;
  runPython(code: string): unknown;
  makeMemorySnapshot(): Uint8Array;
  readonly FS: { mkdirTree(path: string): void };
}

export async function startPython(): Promise<Python> {
  const { loadPyodide } = (await import(/* @vite-ignore */ `${FOLDER}pyodide.mjs`)) as {
    loadPyodide(options: object): Promise<Python>;
  };
  const lockFileContents = JSON.stringify({ info: pocket.info, packages: {} });
  const options = { indexURL: FOLDER, lockFileContents };
  const picture = await keptPicture();
  if (picture) {
    try {
      return await loadPyodide({ ...options, _loadSnapshot: picture });
    } catch (error) {
      console.warn(error);
      await dropFile(PICTURE);
    }
  }
  const python = await loadPyodide({ ...options, _makeSnapshot: true });
  const made = python.makeMemorySnapshot(); // later there are modules in it that no picture can hold
  setTimeout(() => void keepPicture(made), LATER);
  return python;
}

/**
 * Start our own part; what it offers. The first start compiles it, and keeps that too.
 */
export async function startProgram<Offered>(python: Python, program: Program): Promise<Offered> {
  const name = `compiled-${program.sha256}`;
  const compiled = await keptFile(name).catch(() => undefined);
  python.FS.mkdirTree(PLACE);
  const data = compiled ? await compiled.arrayBuffer() : program.data;
  python.unpackArchive(data, "zip", { extractDir: PLACE });
  const offered = python.runPython(
    `import sys; sys.path.insert(0, "${PLACE}"); sys.dont_write_bytecode = False\n` +
      "from phaseten.pocket.device import Device\nDevice()",
  ) as Offered;
  if (!compiled) setTimeout(() => void keepCompiled(python, name), LATER);
  return offered;
}

async function keepCompiled(python: Python, name: string): Promise<void> {
  try {
    const packed = python.runPython(
      `from phaseten.pocket.packing import packed\npacked("${PLACE}")`,
    ) as { toJs(): Uint8Array; destroy(): void };
    const data = packed.toJs();
    packed.destroy();
    for (const other of await keptFiles()) if (other.startsWith("compiled-")) await dropFile(other); // of an older program
    await keepFile(name, new Response(data as BlobPart as BodyInit));
  } catch (error) {
    console.warn(error); // it is compiled again the next time
  }
}

async function keptPicture(): Promise<ArrayBuffer | null> {
  try {
    const kept = await keptFile(PICTURE);
    if (!kept || kept.headers.get("x-browser") !== navigator.userAgent) return null;
    const data = kept.body!.pipeThrough(new DecompressionStream("gzip"));
    return await new Response(data).arrayBuffer();
  } catch {
    return null; // a browser that cannot unpack it, or half a file
  }
}

async function keepPicture(made: Uint8Array): Promise<void> {
  try {
    const data = new Blob([made as BlobPart]).stream().pipeThrough(new CompressionStream("gzip"));
    const headers = { "x-browser": navigator.userAgent };
    await keepFile(PICTURE, new Response(await new Response(data).arrayBuffer(), { headers }));
  } catch {
    // It starts from nothing the next time too.
  }
}
