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
  sentences: { [name: string]: Sentence };
}

interface Grammar {
  title: string;
  firm: string;
}

export function readCatalogue(code: string): Catalogue {
  const { title } = grammarOf(code);
  const sentences: Catalogue["sentences"] = {};
  for (const file of filesOf(code)) flatten(basename(file, ".toml"), read(code, file), sentences);
  keepTogether(sentences, firmly(code));
  return { title, sentences };
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

/** Puts a space at which no line is broken before the marks that want one in that language. */
export function firmly(code: string): (text: string) => string {
  const { firm } = grammarOf(code);
  if (!firm) return (text) => text;
  const before = new RegExp(` ([${firm}»])`, "g");
  return (text) => text.replace(before, "\u00a0$1");
}

function grammarOf(code: string): Grammar {
  return read(code, "grammar.toml") as unknown as Grammar;
}

export function read(code: string, file: string): Table {
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

function keepTogether(sentences: Catalogue["sentences"], firm: ReturnType<typeof firmly>): void {
  for (const [name, value] of Object.entries(sentences)) {
    sentences[name] =
      typeof value === "string" ? firm(value) : { one: firm(value.one), other: firm(value.other) };
  }
}
