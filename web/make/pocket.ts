/**
 * `virtual:pocket` is where Python for browsers lies in the site, and what is in it.
 *
 * The files come from npm (pinned by `package-lock.json`) and from `runtime/` (pinned there by hash). They lie in a
 * folder named after their content, and packed: what is not packed already is there as `.gz` alone, because the largest
 * of them would be in the package twice.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const NAME = "virtual:pocket";
const NPM = join(import.meta.dirname, "../node_modules/pyodide");
const OWN = join(import.meta.dirname, "../runtime");
const FROM_NPM = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"];
const IS_PACKED = /\.(zip|whl)$/;

interface File {
  readonly name: string;
  readonly data: Buffer;
}

export function pocket(): Plugin {
  const files = readFiles();
  const folder = `assets/pocket-${hashOf(files)}`;
  return {
    name: "phaseten-pocket",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? moduleText(folder, files) : undefined),
    generateBundle() {
      for (const { name, data } of files) {
        const isPacked = IS_PACKED.test(name);
        const fileName = `${folder}/${name}${isPacked ? "" : ".gz"}`;
        const source = isPacked ? data : gzipSync(data, { level: 9 });
        this.emitFile({ type: "asset", fileName, source });
      }
    },
  };
}

function readFiles(): readonly File[] {
  const own = readdirSync(OWN).filter((name) => name.endsWith(".whl"));
  const pins = readFileSync(join(OWN, "SHA256SUMS"), "utf-8");
  for (const name of own) {
    const hash = createHash("sha256")
      .update(readFileSync(join(OWN, name)))
      .digest("hex");
    if (!pins.includes(`${hash}  ${name}`))
      throw new Error(`runtime/${name} is not what was pinned`);
  }
  return [
    ...FROM_NPM.map((name) => ({ name, data: unmapped(readFileSync(join(NPM, name)), name) })),
    ...own.map((name) => ({ name, data: readFileSync(join(OWN, name)) })),
  ];
}

/** Without a pointer to a map that is not served. */
function unmapped(data: Buffer, name: string): Buffer {
  if (!name.endsWith(".mjs")) return data;
  return Buffer.from(data.toString("utf-8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"));
}

function hashOf(files: readonly File[]): string {
  const hash = createHash("sha256");
  for (const { name, data } of files) hash.update(name).update(data);
  return hash.digest("hex").slice(0, 12);
}

function moduleText(folder: string, files: readonly File[]): string {
  const { info } = JSON.parse(readFileSync(join(NPM, "pyodide-lock.json"), "utf-8")) as {
    info: object;
  };
  const sizes = files.map(({ name, data }) => ({ name, bytes: data.length }));
  return `export default ${JSON.stringify({ folder, files: sizes, info })};`;
}
