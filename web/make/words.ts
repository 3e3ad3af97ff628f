/** Reads the sentences of the browser from the catalogues that server and terminal use too. */
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "smol-toml";

export const FOLDER = join(import.meta.dirname, "../../src/phaseten/language");
/** The files for the browser, and the words of the game. */
const isWanted = (file: string) => file.startsWith("web") || file === "game.toml";

type Sentence = string | { one: string; other: string };
type Table = { [name: string]: string | Table };

export interface Catalogue {
  title: string;
  /** The numbers after which a word stands in the singular. */
  one: number[];
  sentences: { [name: string]: Sentence };
}

export function readCatalogue(code: string): Catalogue {
  const grammar = read(code, "grammar.toml") as unknown as {
    title: string;
    one: number[];
    firm?: string;
  };
  const sentences: Catalogue["sentences"] = {};
  for (const file of filesOf(code)) flatten(basename(file, ".toml"), read(code, file), sentences);
  if (grammar.firm) keepTogether(sentences, grammar.firm);
  return { title: grammar.title, one: grammar.one, sentences };
}

export function codes(): string[] {
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.length === 2)
    .map((entry) => basename(entry.name))
    .sort();
}

/** The files of a language that the browser needs. */
export function filesOf(code: string): string[] {
  return readdirSync(join(FOLDER, code)).filter(isWanted).sort();
}

function read(code: string, file: string): Table {
  return parse(readFileSync(join(FOLDER, code, file), "utf-8")) as Table;
}

function flatten(prefix: string, table: Table, found: Catalogue["sentences"]): void {
  for (const [name, value] of Object.entries(table)) {
    const path = `${prefix}.${name}`;
    if (typeof value === "string") found[path] = value;
    else if (isPlural(value)) found[path] = value;
    else flatten(path, value, found);
  }
}

function isPlural(value: Table): value is { one: string; other: string } {
  return Object.keys(value).sort().join() === "one,other";
}

/** Before these marks stands a space at which no line is broken. */
function keepTogether(sentences: Catalogue["sentences"], marks: string): void {
  const firm = (text: string) => text.replace(new RegExp(` ([${marks}»])`, "g"), "\u00a0$1");
  for (const [name, value] of Object.entries(sentences)) {
    sentences[name] =
      typeof value === "string" ? firm(value) : { one: firm(value.one), other: firm(value.other) };
  }
}
