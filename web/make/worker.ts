/** Tells the service worker which files there are, and packs them for servers that send them packed. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const WORKER = "worker.js";
const PACKED = /\.(css|html|js|json|svg|txt|webmanifest)$/;
/** Python for browsers: who plays without a server fetches it then. */
const LARGE = /\/assets\/pocket-[^/]+\//;
/** Not worth the answer's header. */
const LEAST = 200;

export function worker(): Plugin {
  let target = "";
  return {
    name: "phaseten-worker",
    apply: "build",
    configResolved: ({ root, build }) => void (target = resolve(root, build.outDir)),
    closeBundle() {
      if (!existsSync(join(target, WORKER))) return; // the build has failed
      const files = readdirSync(target, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort();
      tell(target, files);
      for (const file of files) if (PACKED.test(file)) pack(file);
    },
  };
}

function tell(target: string, files: readonly string[]): void {
  const version = createHash("sha256");
  const names: string[] = [];
  for (const file of files) {
    const name = file.slice(target.length).replaceAll("\\", "/");
    if (name !== `/${WORKER}`) version.update(name).update(readFileSync(file));
    if (![`/${WORKER}`, "/index.html", "/robots.txt"].includes(name) && !LARGE.test(name))
      names.push(name.slice(1));
  }
  const path = join(target, WORKER);
  const code = readFileSync(path, "utf-8")
    .replaceAll("__FILES__", JSON.stringify(names))
    .replaceAll("__VERSION__", JSON.stringify(version.digest("hex").slice(0, 12)));
  writeFileSync(path, code);
}

function pack(file: string): void {
  const plain = readFileSync(file);
  if (plain.length < LEAST) return;
  writeFileSync(`${file}.gz`, gzipSync(plain, { level: 9 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  writeFileSync(`${file}.br`, brotliCompressSync(plain, { params }));
}
