/** `virtual:words/en` is the catalogue of that language. */
import { join } from "node:path";
import type { Plugin } from "vite";
import { FOLDER, codes, filesOf, readCatalogue } from "./words.ts";

const PREFIX = "virtual:words/";

export function words(): Plugin {
  return {
    name: "phaseten-words",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const code = id.slice(PREFIX.length + 1);
      if (!codes().includes(code)) return undefined;
      for (const file of filesOf(code)) this.addWatchFile(join(FOLDER, code, file));
      return `export default ${JSON.stringify(readCatalogue(code))};`;
    },
  };
}
