/**
 * The arithmetic of a score sheet: totals, Phases, the deal, ties and the winner. Nothing here knows of pages or
 * of the browser, so that Node can test it by itself. Seats are counted from 0.
 */

import { cardsForEach } from "../cards/group.ts";

/** An edition as its file describes it. */
export interface Edition {
  readonly name: string;
  readonly title: string;
  readonly year: number;
  /** The fewest and the most players. */
  readonly players: readonly [number, number];
  readonly deal: number;
  readonly colors: readonly string[];
  readonly highest: number;
  readonly copies: number;
  readonly wilds: number;
  readonly skips: number;
  readonly shortest_run: number;
  readonly skip_goes_to: "pile" | "front";
  readonly variations: readonly string[];
  readonly phases: readonly string[];
  /** P-CHAVO: by the number of a Phase, the number that must be among its cards. */
  readonly must_show?: { readonly [phase: string]: number };
}

export interface Group {
  readonly kind: string;
  readonly size: number;
}

/** What a player kept at the end of a hand, counted by what a card costs. */
export interface Counted {
  readonly low: number;
  readonly high: number;
  readonly skip: number;
  readonly wild: number;
}

/** What is written down for one player after a hand. */
export interface Entry {
  /** null: not written down yet. */
  readonly points: number | null;
  readonly made: boolean;
  /** Which Phase was made, where Phases are made in any order. */
  readonly phase?: number;
  /** How the points were counted, if they were. */
  readonly cards?: Counted;
}

export interface Hand {
  /** By seat; null for those who do not play a tie-break. */
  readonly entries: readonly (Entry | null)[];
  /** null: not written down yet, or nobody, because the hand stood still (H-DEAD). */
  readonly out: number | null;
}

/** All that is kept of a sheet; everything else follows from it. */
export interface Sheet {
  readonly edition: string;
  /** As records write it: `standard`, or any of `ten-hands,phases=5,even`. */
  readonly variant: string;
  /** Phases are made in any order (the house rule choose_phase). */
  readonly any_order: boolean;
  readonly players: readonly string[];
  /** Who deals the first hand. */
  readonly dealer: number;
  readonly hands: readonly Hand[];
}

/** How things stand before a hand, or after the last one. */
export interface Standing {
  /** The Phases that each player has still to make. */
  readonly left: readonly (readonly number[])[];
  readonly totals: readonly number[];
  readonly dealer: number;
  /** Who plays the next hand: everybody, but for a tie-break. */
  readonly playing: readonly number[];
  readonly tied: readonly number[];
  readonly winner: number | null;
}

/** G-POINTS. */
export const POINTS: Counted = { low: 5, high: 10, skip: 15, wild: 25 };
export const HIGHEST_LOW = 9;
export const KINDS = ["low", "high", "skip", "wild"] as const;
export type CardKind = (typeof KINDS)[number];
export const NO_CARDS: Counted = { low: 0, high: 0, skip: 0, wild: 0 };

export function pointsOf(cards: Counted): number {
  return KINDS.reduce((sum, kind) => sum + cards[kind] * POINTS[kind], 0);
}

export function cardsIn(cards: Counted): number {
  return KINDS.reduce((sum, kind) => sum + cards[kind], 0);
}

/** How many cards of each kind the edition's deck has. */
export function deckOf(edition: Edition): Counted {
  const each = edition.colors.length * edition.copies;
  const low = Math.min(HIGHEST_LOW, edition.highest);
  return {
    low: each * low,
    high: each * (edition.highest - low),
    skip: edition.skips,
    wild: edition.wilds,
  };
}

export function groupsOf(edition: Edition, phase: number): Group[] {
  return edition.phases[phase - 1]!.split("+").map((part) => {
    const [kind, size] = part.trim().split(/\s+/);
    return { kind: kind!, size: Number(size) };
  });
}

/** The fewest cards with which a Phase can be laid. */
export function cardsFor(edition: Edition, phase: number): number {
  const cards = ({ kind, size }: Group) => size * cardsForEach(kind);
  return groupsOf(edition, phase).reduce((sum, group) => sum + cards(group), 0);
}

/** The numbers of the Phases that are played, in order (V2, V3). */
export function phasesOf(edition: Edition, variant: string): number[] {
  const { first, even } = readVariant(variant);
  const numbers = edition.phases.map((_, index) => index + 1).slice(0, first ?? undefined);
  return numbers.filter((number) => !even || number % 2 === 0);
}

export function readVariant(text: string): {
  tenHands: boolean;
  first: number | null;
  even: boolean;
} {
  const words = text.split(",");
  const first = words.find((word) => word.startsWith("phases="))?.slice("phases=".length);
  return {
    tenHands: words.includes("ten-hands"),
    first: first === undefined ? null : Number(first),
    even: words.includes("even"),
  };
}

export function newHand(standing: Standing): Hand {
  return {
    out: null,
    entries: standing.left.map((_, seat) =>
      standing.playing.includes(seat) ? { points: null, made: false } : null,
    ),
  };
}

/** Whether everything of a hand is written down. Somebody has gone out, or nobody has (H-DEAD). */
export function isComplete(hand: Hand): boolean {
  return hand.entries.every((entry) => !entry || entry.points !== null);
}

export function firstStanding(sheet: Sheet, edition: Edition): Standing {
  const phases = phasesOf(edition, sheet.variant);
  return {
    left: sheet.players.map(() => phases),
    totals: sheet.players.map(() => 0),
    dealer: sheet.dealer,
    playing: sheet.players.map((_, seat) => seat),
    tied: [],
    winner: null,
  };
}

/** How things stood before each hand, and after the last. */
export function standings(sheet: Sheet, edition: Edition): Standing[] {
  const found = [firstStanding(sheet, edition)];
  for (const hand of sheet.hands)
    found.push(after(sheet, edition, found.at(-1)!, hand, found.length));
  return found;
}

/** The Phase that somebody works on; of several left, the first. */
export function phaseOf(sheet: Sheet, edition: Edition, standing: Standing, seat: number): number {
  const last = phasesOf(edition, sheet.variant).at(-1)!;
  return (isTieBreak(standing) ? undefined : standing.left[seat]![0]) ?? last;
}

/** The Phases that somebody may make in the next hand. */
export function openPhases(
  sheet: Sheet,
  edition: Edition,
  standing: Standing,
  seat: number,
): readonly number[] {
  const left = standing.left[seat]!;
  return sheet.any_order && !isTieBreak(standing) && left.length > 0
    ? left
    : [phaseOf(sheet, edition, standing, seat)];
}

/** The Phase that an entry says was made. */
export function madeIn(
  sheet: Sheet,
  edition: Edition,
  standing: Standing,
  seat: number,
  entry: Entry,
): number | null {
  if (!entry.made) return null;
  const open = openPhases(sheet, edition, standing, seat);
  return open.find((phase) => phase === entry.phase) ?? open[0]!;
}

/** The Phases that each player has made in the hands so far, tie-breaks apart. */
export function madePhases(sheet: Sheet, edition: Edition, all: readonly Standing[]): number[][] {
  const made: number[][] = sheet.players.map(() => []);
  sheet.hands.forEach((hand, index) => {
    const before = all[index]!;
    if (isTieBreak(before) || before.winner !== null) return;
    hand.entries.forEach((entry, seat) => {
      const phase = entry ? madeIn(sheet, edition, before, seat, entry) : null;
      if (phase !== null) made[seat]!.push(phase);
    });
  });
  return made;
}

/** The Phases that each player had made before the first hand and after each one. */
export function phaseCurves(sheet: Sheet, edition: Edition, all: readonly Standing[]): number[][] {
  const upTo = (count: number) => ({ ...sheet, hands: sheet.hands.slice(0, count) });
  const columns = all.map((_, count) => madePhases(upTo(count), edition, all));
  return sheet.players.map((_, seat) => columns.map((made) => made[seat]!.length));
}

export function isTieBreak(standing: Standing): boolean {
  return standing.tied.length > 0;
}

function after(
  sheet: Sheet,
  edition: Edition,
  before: Standing,
  hand: Hand,
  number: number,
): Standing {
  const dealer = (before.dealer + 1) % sheet.players.length; // H-NEXT
  if (before.winner !== null) return before;
  if (isTieBreak(before)) {
    // G-TIE: whoever goes out wins, and its points change nothing. If nobody does, they play another.
    return hand.out === null
      ? { ...before, dealer }
      : { ...before, dealer, winner: hand.out, tied: [] };
  }
  const totals = before.totals.map((total, seat) => total + (hand.entries[seat]?.points ?? 0));
  const left = before.left.map((phases, seat) =>
    leftAfter(sheet, edition, before, hand, phases, seat),
  );
  const standing = { ...before, dealer, totals, left };
  const { tenHands } = readVariant(sheet.variant);
  const isOver = tenHands
    ? number >= phasesOf(edition, sheet.variant).length
    : left.some((phases) => phases.length === 0);
  return isOver ? ended(standing, tenHands) : standing;
}

/** G-ADVANCE; in V1 everybody moves on. */
function leftAfter(
  sheet: Sheet,
  edition: Edition,
  before: Standing,
  hand: Hand,
  phases: readonly number[],
  seat: number,
): readonly number[] {
  if (readVariant(sheet.variant).tenHands && !sheet.any_order) return phases.slice(1);
  const entry = hand.entries[seat];
  const made = entry ? madeIn(sheet, edition, before, seat, entry) : null;
  return phases.filter((phase) => phase !== made);
}

/** G-WIN, G-TIE, V1: the fewest points of those who finished. */
function ended(standing: Standing, tenHands: boolean): Standing {
  const seats = standing.left.map((_, seat) => seat);
  const finished = seats.filter((seat) => tenHands || standing.left[seat]!.length === 0);
  const fewest = Math.min(...finished.map((seat) => standing.totals[seat]!));
  const best = finished.filter((seat) => standing.totals[seat] === fewest);
  return best.length === 1
    ? { ...standing, winner: best[0]! }
    : { ...standing, tied: best, playing: best };
}
