/** `virtual:editions` is what the rulebook's editions are, as the server reads them too. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import type { Plugin } from "vite";

const FOLDER = join(import.meta.dirname, "../../src/phaseten/rules/editions");
const NAME = "virtual:editions";
/** The one most people know stands first. */
const FIRST = "classic.toml";

export function editions(): Plugin {
  return {
    name: "phaseten-editions",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      for (const file of editionFiles()) this.addWatchFile(join(FOLDER, file));
      return `export default ${JSON.stringify(readEditions())};`;
    },
  };
}

/** The editions with all that their files say. */
export function readEditions(): object[] {
  return editionFiles().map((file) => parse(readFileSync(join(FOLDER, file), "utf-8")));
}

function editionFiles(): string[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".toml"));
  return files.sort((a, b) => Number(b === FIRST) - Number(a === FIRST) || (a < b ? -1 : 1));
}
