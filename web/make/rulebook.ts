/** `virtual:rulebook/en` is the rulebook in that language, cut into pieces that a page can show. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { FOLDER, codes, firmly, read } from "./words.ts";

const PREFIX = "virtual:rulebook/";

/**
 * A stretch of text: plain, or with a mark. `code` is cards, moves or names in the notation of
 * records, `rule` the id of a rule.
 */
export interface Span {
  text: string;
  mark?: Mark;
}

const MARKED = {
  code: /`([^`]*)`/,
  strong: /\*\*(.+?)\*\*/,
  struck: /~~(.+?)~~/,
  rule: /\b([A-Z]-[A-Z-]+|V[0-9]|[a-z]+_[a-z_]+)\b/,
};
type Mark = keyof typeof MARKED;
const NAMES = Object.keys(MARKED) as Mark[];
const ANY = new RegExp(NAMES.map((name) => MARKED[name].source).join("|"), "g");

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
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const code = id.slice(PREFIX.length + 1);
      if (!codes().includes(code)) return undefined;
      this.addWatchFile(fileOf(code));
      return `export default ${JSON.stringify(readRulebook(code))};`;
    },
  };
}

/** The English rulebook stands with the rules themselves. */
function fileOf(code: string): string {
  return join(FOLDER, code === "en" ? "../rules" : code, "rulebook.md");
}

/** How a language begins an example, and the line that names the editions of a rule. */
interface Marks {
  example: string;
  editions: string;
}

function readRulebook(code: string): Section[] {
  const firm = firmly(code);
  const { example, editions } = read(code, "rules.toml") as unknown as Marks;
  const marks = { example: firm(`${example} `), editions: firm(`${editions} `) };
  const sections: Section[] = [];
  let [id, title, chapter] = ["", "", ""];
  let lines: string[] = [];
  const close = () => {
    const blocks = readBlocks(lines, marks);
    if (id || blocks.length) sections.push({ id, title, chapter, ...takeEditions(blocks, marks) });
    lines = [];
  };
  for (const line of firm(readFileSync(fileOf(code), "utf-8")).split("\n")) {
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

function takeEditions(blocks: Block[], marks: Marks): { editions: string[]; blocks: Block[] } {
  const first = blocks[0];
  const text = first?.kind === "text" ? first.spans.map((span) => span.text).join("") : "";
  if (!text.startsWith(marks.editions)) return { editions: [], blocks };
  return { editions: text.slice(marks.editions.length).split(", "), blocks: blocks.slice(1) };
}

function readBlocks(lines: readonly string[], marks: Marks): Block[] {
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
  return paragraphs.map((paragraph) => readBlock(paragraph, marks));
}

function readBlock(lines: string[], { example }: Marks): Block {
  const first = lines[0]!;
  if (first.startsWith("```")) return { kind: "listing", text: lines.slice(1, -1).join("\n") };
  if (first.startsWith("- "))
    return { kind: "list", items: lines.map((line) => readSpans(line.slice(2))) };
  if (first.startsWith("|")) {
    const [head, , ...rows] = lines.map(readCells);
    return { kind: "table", head: head!, rows };
  }
  const text = lines.join(" ");
  const isExample = text.startsWith(example);
  return {
    kind: isExample ? "example" : "text",
    spans: readSpans(isExample ? capitalized(text.slice(example.length)) : text),
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
  for (const found of plain.matchAll(ANY)) {
    if (found.index > end) spans.push({ text: plain.slice(end, found.index) });
    const mark = NAMES.find((_, place) => found[place + 1] !== undefined)!;
    spans.push({ text: found[NAMES.indexOf(mark) + 1]!, mark });
    end = found.index + found[0].length;
  }
  if (end < plain.length) spans.push({ text: plain.slice(end) });
  return spans;
}
