/** `virtual:rulebook` is the rulebook that ships with the game, cut into pieces that a page can show. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const FILE = join(import.meta.dirname, "../../src/phaseten/rules/rulebook.md");
const NAME = "virtual:rulebook";

/** A stretch of text: plain, or with a mark. `code` is cards, moves or names in the notation of records. */
export interface Span {
  text: string;
  mark?: "strong" | "struck" | "code";
}

export type Block =
  | { kind: "text" | "example"; spans: Span[] }
  | { kind: "list"; items: Span[][] }
  | { kind: "table"; head: Span[][]; rows: Span[][][] }
  | { kind: "listing"; text: string };

/** A rule, or what a chapter says before its first rule (then the id is empty). */
export interface Section {
  id: string;
  title: string;
  chapter: string;
  /** The editions that have this rule; none: all of them. */
  editions: string[];
  blocks: Block[];
}

export function rulebook(): Plugin {
  return {
    name: "phaseten-rulebook",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      this.addWatchFile(FILE);
      return `export default ${JSON.stringify(readRulebook())};`;
    },
  };
}

export function readRulebook(): Section[] {
  const sections: Section[] = [];
  let [id, title, chapter] = ["", "", ""];
  let lines: string[] = [];
  const close = () => {
    const blocks = readBlocks(lines);
    if (id || blocks.length) sections.push({ id, title, chapter, ...takeEditions(blocks) });
    lines = [];
  };
  for (const line of readFileSync(FILE, "utf-8").split("\n")) {
    const heading = /^(#{1,3}) (.*)$/.exec(line);
    if (!heading) {
      lines.push(line);
      continue;
    }
    close();
    if (heading[1] === "###") [id, title] = heading[2]!.split(" · ") as [string, string];
    else [id, title, chapter] = ["", heading[2]!, heading[2]!];
  }
  close();
  return sections;
}

const EDITIONS = "Editions: ";

function takeEditions(blocks: Block[]): { editions: string[]; blocks: Block[] } {
  const first = blocks[0];
  const text = first?.kind === "text" ? first.spans.map((span) => span.text).join("") : "";
  if (!text.startsWith(EDITIONS)) return { editions: [], blocks };
  return { editions: text.slice(EDITIONS.length).split(", "), blocks: blocks.slice(1) };
}

function readBlocks(lines: readonly string[]): Block[] {
  const paragraphs: string[][] = [];
  let block: string[] = [];
  let isListing = false;
  for (const line of [...lines, ""]) {
    if (line.startsWith("```")) isListing = !isListing;
    if (line.trim() || isListing) block.push(line);
    else if (block.length) {
      paragraphs.push(block);
      block = [];
    }
  }
  return paragraphs.map(readBlock);
}

function readBlock(lines: string[]): Block {
  const first = lines[0]!;
  if (first.startsWith("```")) return { kind: "listing", text: lines.slice(1, -1).join("\n") };
  if (first.startsWith("- "))
    return { kind: "list", items: lines.map((line) => readSpans(line.slice(2))) };
  if (first.startsWith("|")) {
    const [head, , ...rows] = lines.map(readCells);
    return { kind: "table", head: head!, rows };
  }
  const text = lines.join(" ");
  const isExample = text.startsWith("Example: ");
  return {
    kind: isExample ? "example" : "text",
    spans: readSpans(isExample ? capitalized(text.slice("Example: ".length)) : text),
  };
}

/** A picture beside it says that it is an example; it begins like any sentence. */
function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function readCells(line: string): Span[][] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => readSpans(cell.trim()));
}

/** Links are shown as their text: what they point to is a file of the documentation. */
function readSpans(text: string): Span[] {
  const plain = text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const spans: Span[] = [];
  let end = 0;
  for (const found of plain.matchAll(/`([^`]*)`|\*\*(.+?)\*\*|~~(.+?)~~/g)) {
    if (found.index > end) spans.push({ text: plain.slice(end, found.index) });
    if (found[1] !== undefined) spans.push({ text: found[1], mark: "code" });
    else if (found[2] !== undefined) spans.push({ text: found[2], mark: "strong" });
    else spans.push({ text: found[3]!, mark: "struck" });
    end = found.index + found[0].length;
  }
  if (end < plain.length) spans.push({ text: plain.slice(end) });
  return spans;
}
