/** How the next game is played: chosen once, remembered on this device. */
import editions from "virtual:editions";
import { HOUSE_RULES, LEVELS, MOST_NAME, type Options } from "../protocol";
import { settings, TEMPI, type Settings } from "../settings.svelte";
import { recall, remember } from "../storage/storage.svelte";
import { say } from "../words";

export { HOUSE_RULES, LEVELS };
export type Level = (typeof LEVELS)[number];
/** Who plays without a server: the master thinks for longer than a browser has patience. */
export const LEVELS_HERE = LEVELS.slice(0, LEVELS.indexOf("deep") + 1);
/** The edition's name where a table has one of its own. */
export const OWN = "custom";
export type HouseRule = (typeof HOUSE_RULES)[number];

/** The game that is played, at a table of any kind. */
export interface GameChoice {
  edition: string;
  variant: string;
  house: readonly string[];
}

export interface Setup extends GameChoice {
  opponents: number;
  level: Level;
  /** Whether the coach speaks up in games against bots. */
  coach: boolean;
}

const KEY = "phaseten.setup";

export const setup: Setup = $state(
  recall<Setup>(KEY, {
    edition: "classic",
    variant: "standard",
    house: [],
    opponents: 3,
    level: "casual",
    coach: false,
  }),
);

export function keepSetup(): void {
  remember(KEY, setup);
}

export function editionOf(name: string): (typeof editions)[number] {
  return editions.find((edition) => edition.name === name) ?? editions[0]!;
}

/** The options of a table against bots. */
export function optionsAlone(): Options {
  const { edition, variant, house, opponents, level } = setup;
  return {
    edition,
    variant,
    house,
    seats: opponents + 1,
    stand_in: level,
    pace: paceOf(settings.tempo),
  };
}

/** The options of a table for friends; the host can change them in the lobby. */
export function optionsForFriends(): Options {
  return { ...optionsAlone(), seats: 4, join: true };
}

/** A variation, as the options write it: `ten-hands,phases=5`. */
export interface Variant {
  tenHands: boolean;
  length: "standard" | "phases" | "even";
  first: number;
}

const USUAL_FIRST = 5;

export function readVariant(text: string): Variant {
  const words = text.split(",");
  const first = Number(words.find((word) => word.startsWith("phases="))?.slice(7) ?? 0);
  return {
    tenHands: words.includes("ten-hands"),
    length: first ? "phases" : words.includes("even") ? "even" : "standard",
    first: first || USUAL_FIRST,
  };
}

export function writeVariant({ tenHands, length, first }: Variant): string {
  const words = [
    ...(tenHands ? ["ten-hands"] : []),
    ...(length === "phases" ? [`phases=${first}`] : length === "even" ? ["even"] : []),
  ];
  return words.join(",") || "standard";
}

/** The variation in words: `one hand for each Phase, Phases 1 to 5`. */
export function variantInWords(text: string): string {
  const { tenHands, length, first } = readVariant(text);
  const words = [
    ...(tenHands ? [say("game.variant.ten-hands")] : []),
    ...(length === "phases" ? [say("game.variant.phases", { count: first })] : []),
    ...(length === "even" ? [say("game.variant.even")] : []),
  ];
  return words.join(", ") || say("game.variant.standard");
}

export function levelName(level: string): string {
  return say(`web_start.level.${level as Level}`);
}

/** The player's name; who has not chosen one gets a friendly one, and keeps it. */
export function ownName(): string {
  if (!settings.name) {
    const names = say("web_start.names").split(", ");
    settings.name = names[Math.floor(Math.random() * names.length)]!;
  }
  return settings.name;
}

/** The face one has chosen, if one has. */
export function ownFace(): { face?: string } {
  return settings.face ? { face: settings.face } : {};
}

/** Milliseconds that a bot thinks, more or less. */
const PACES: { readonly [tempo in Settings["tempo"]]: number } = {
  relaxed: 1_600,
  normal: 900,
  fast: 400,
};

export function paceOf(tempo: Settings["tempo"]): number {
  return PACES[tempo] ?? PACES.normal;
}

export function tempoOf(pace: number): Settings["tempo"] {
  return TEMPI.find((tempo) => pace >= PACES[tempo]) ?? "fast";
}

export const LONGEST_NAME = MOST_NAME;
