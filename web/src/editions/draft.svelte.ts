/** An edition of one's own while it is being made. Whether it can be played, the server says. */
import { post } from "../api";
import type { ReadEdition } from "../protocol";
import { recall, remember } from "../storage/storage.svelte";
import { HOUSE_RULES } from "../start/setup.svelte";
import { say } from "../words";

export const KINDS = [
  "set",
  "run",
  "color",
  "odd",
  "even",
  "pairrun",
  "colorrun",
  "oddrun",
  "evenrun",
] as const;
export const COLORS = ["R", "B", "Y", "G", "O"] as const;

export interface Group {
  kind: (typeof KINDS)[number];
  size: number;
}

export interface Draft {
  title: string;
  phases: Group[][];
  colors: string[];
  highest: number;
  copies: number;
  wilds: number;
  skips: number;
  deal: number;
  /** Whether a Skip lies in front of its target. */
  front: boolean;
  house: string[];
  /** What the editor does not show, and a file that was opened keeps: see docs/editions.md. */
  name: string;
  year: number;
  players: [number, number] | null;
  shortestRun: number | null;
  variations: string[] | null;
  /** By Phase: the number that must be shown; 0 or nothing: none. */
  mustShow: number[];
}

const KEY = "phaseten.edition";
const FEWEST_IN_RUN = 2;
const set = (size: number): Group => ({ kind: "set", size });
const run = (size: number): Group => ({ kind: "run", size });
/** The deck most people know, and a short evening's list. */
const USUAL: Draft = {
  title: "",
  phases: [
    [set(3), set(3)],
    [set(3), run(4)],
    [run(7)],
    [{ kind: "color", size: 7 }],
    [set(5), set(2)],
  ],
  colors: ["R", "B", "Y", "G"],
  highest: 12,
  copies: 2,
  wilds: 8,
  skips: 4,
  deal: 10,
  front: false,
  house: [],
  name: "own",
  year: 0,
  players: null,
  shortestRun: null,
  variations: null,
  mustShow: [],
};

export const draft: Draft = $state(recall<Draft>(KEY, USUAL));

export function keepDraft(): void {
  remember(KEY, draft);
}

export function titleOf({ title }: Draft): string {
  return title.trim() || say("web_start.own.unnamed");
}

/** The edition as the server and the command line read it. */
export function tomlOf(draft: Draft): string {
  const sizes = draft.phases
    .flat()
    .flatMap(({ kind, size }) => (kind.endsWith("run") ? [size] : []));
  const phases = draft.phases.map((groups) =>
    groups.map(({ kind, size }) => `${kind} ${size}`).join(" + "),
  );
  const shortest = Math.min(draft.shortestRun ?? 4, draft.highest, ...sizes);
  const shows = draft.mustShow.flatMap((number, index) =>
    number && index < draft.phases.length ? [`${index + 1} = ${number}`] : [],
  );
  const lines = [
    `name = ${JSON.stringify(draft.name)}`,
    `title = ${JSON.stringify(titleOf(draft))}`,
    ...(draft.year ? [`year = ${draft.year}`] : []),
    ...(draft.players ? [`players = ${JSON.stringify(draft.players)}`] : []),
    `deal = ${draft.deal}`,
    `colors = ${JSON.stringify(COLORS.filter((color) => draft.colors.includes(color)))}`,
    `highest = ${draft.highest}`,
    `copies = ${draft.copies}`,
    `wilds = ${draft.wilds}`,
    `skips = ${draft.skips}`,
    `shortest_run = ${Math.max(FEWEST_IN_RUN, shortest)}`,
    `skip_goes_to = "${draft.front ? "front" : "pile"}"`,
    `house = ${JSON.stringify(HOUSE_RULES.filter((name) => draft.house.includes(name)))}`,
    ...(draft.variations ? [`variations = ${JSON.stringify(draft.variations)}`] : []),
    `phases = [`,
    ...phases.map((phase) => `    ${JSON.stringify(phase)},`),
    `]`,
    ...(shows.length ? ["", "[must_show]", ...shows] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Go on with an edition that was kept in a file: the server reads it, as the command line does. */
export async function openFile(toml: string): Promise<void> {
  const { title, players, draft: found } = await readByServer(toml);
  const [fewest, most] = players;
  Object.assign(draft, {
    title,
    phases: found.phases.map(({ groups }) => groups.map((group) => ({ ...group }) as Group)),
    colors: [...found.colors],
    highest: found.highest,
    copies: found.copies,
    wilds: found.wilds,
    skips: found.skips,
    deal: found.deal,
    front: found.skip_goes_to === "front",
    house: [...found.house],
    name: found.name,
    year: found.year,
    players: [fewest, most],
    shortestRun: found.shortest_run,
    variations: [...found.variations],
    mustShow: found.phases.map(({ must_show }) => must_show),
  } satisfies Draft);
}

/** Leave a Phase out, and what it must show. */
export function removePhase(index: number): void {
  const others = (_: unknown, other: number) => other !== index;
  draft.phases = draft.phases.filter(others);
  draft.mustShow = draft.mustShow.filter(others);
}

export function readByServer(toml: string): Promise<ReadEdition> {
  return post<ReadEdition>("/editions", toml);
}
