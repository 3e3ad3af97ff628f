/** Writes src/words/names.ts: the names of all sentences, so that a misspelt one does not compile. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCatalogue } from "./words.ts";

const names = Object.keys(readCatalogue("en").sentences).sort();
const lines = names.map((name) => `  | ${JSON.stringify(name)}`);
const text = `// Made by make/names.ts from src/phaseten/language/en.\nexport type Name =\n${lines.join("\n")};\n`;
writeFileSync(join(import.meta.dirname, "../src/words/names.ts"), text);
