/** What cannot be: said, with the rule that it breaks, and never forbidden. */
import {
  KINDS,
  POINTS,
  cardsFor,
  cardsIn,
  deckOf,
  madeIn,
  pointsOf,
  type CardKind,
  type Counted,
  type Edition,
  type Entry,
  type Hand,
  type Sheet,
  type Standing,
} from "./sheet.ts";

export type Problem =
  | "nobody_out"
  | "out_with_points"
  | "out_without_phase"
  | "fives"
  | "nothing_left"
  | "failed_cards"
  | "failed_fewest"
  | "failed_most"
  | "failed_sum"
  | "made_none"
  | "made_cards"
  | "made_most"
  | "made_sum"
  | "deck"
  | "after_end";

export interface Warning {
  readonly problem: Problem;
  /** The id of the rule. */
  readonly rule: string;
  /** Whose entry it is about; null: the hand's. */
  readonly seat: number | null;
  /** What its sentence says: numbers, and a card's kind. */
  readonly values: { readonly [name: string]: number | string };
}

/** What is strange about a hand, as far as it is written down. */
export function warningsOf(
  sheet: Sheet,
  edition: Edition,
  before: Standing,
  hand: Hand,
): Warning[] {
  const warn = (problem: Problem, rule: string, values = {}): Warning => ({
    problem,
    rule,
    seat: null,
    values,
  });
  if (before.winner !== null) return [warn("after_end", "G-WIN")];
  const written = hand.entries.every((entry) => !entry || entry.points !== null);
  const entries = hand.entries.flatMap((entry, seat) =>
    entry ? ofEntry(sheet, edition, before, hand, seat, entry) : [],
  );
  return [
    ...(hand.out === null && written ? [warn("nobody_out", "H-DEAD")] : []),
    ...entries,
    ...ofDeck(edition, hand),
  ];
}

function ofEntry(
  sheet: Sheet,
  edition: Edition,
  before: Standing,
  hand: Hand,
  seat: number,
  entry: Entry,
): Warning[] {
  const found: Warning[] = [];
  const warn = (problem: Problem, rule: string, values: Warning["values"] = {}) =>
    found.push({ problem, rule, seat, values });
  const { points } = entry;
  const made = madeIn(sheet, edition, before, seat, entry);
  if (hand.out === seat) {
    if (made === null) warn("out_without_phase", "G-OUT");
    if (points) warn("out_with_points", "G-POINTS");
    return found;
  }
  if (points === null) return found;
  if (points % POINTS.low !== 0) {
    warn("fives", "G-POINTS");
    return found;
  }
  if (made === null) checkFailed(edition, entry, points, warn);
  else checkMade(edition, entry, points, edition.deal - cardsFor(edition, made), warn);
  return found;
}

type Warn = (problem: Problem, rule: string, values?: Warning["values"]) => void;

/**
 * Whoever has not laid draws a card and discards one in every turn, and so holds as many cards at the end as
 * were dealt (T-DRAW, T-DISCARD).
 */
function checkFailed(edition: Edition, entry: Entry, points: number, warn: Warn): void {
  const count = edition.deal;
  if (entry.cards && cardsIn(entry.cards) !== count)
    return warn("failed_cards", "T-DISCARD", { count });
  const sums = possibleSums(edition, count);
  const fewest = Math.min(...sums);
  const most = Math.max(...sums);
  if (points < fewest) warn("failed_fewest", "T-DISCARD", { count, fewest });
  else if (points > most) warn("failed_most", "T-DISCARD", { count, most });
  else if (!sums.has(points)) warn("failed_sum", "G-POINTS", { count });
}

/**
 * Whoever has laid holds at most what the Phase left over, because every further turn ends with a discard
 * (T-LAY, T-DISCARD), and at least one card, or else would have gone out (G-OUT).
 */
function checkMade(edition: Edition, entry: Entry, points: number, room: number, warn: Warn): void {
  if (room < 1) return warn("made_none", "G-OUT");
  if (points === 0) return warn("nothing_left", "G-OUT");
  if (entry.cards && cardsIn(entry.cards) > room)
    return warn("made_cards", "T-LAY", { count: room });
  const sums = new Set<number>();
  for (let cards = 1; cards <= room; cards += 1)
    for (const sum of possibleSums(edition, cards)) sums.add(sum);
  const most = Math.max(...sums);
  if (points > most) warn("made_most", "T-LAY", { count: room, most });
  else if (!sums.has(points)) warn("made_sum", "G-POINTS", { count: room });
}

/** What everybody counted together is in the deck. */
function ofDeck(edition: Edition, hand: Hand): Warning[] {
  const deck = deckOf(edition);
  const held = (kind: CardKind) =>
    hand.entries.reduce((sum, entry) => sum + (entry?.cards?.[kind] ?? 0), 0);
  return KINDS.filter((kind) => held(kind) > deck[kind]).map((kind) => ({
    problem: "deck",
    rule: "H-DEAL",
    seat: null,
    values: { kind, count: deck[kind] },
  }));
}

const known = new Map<string, ReadonlySet<number>>();

/** All that so many cards of the edition's deck can cost together. */
export function possibleSums(edition: Edition, cards: number): ReadonlySet<number> {
  const key = `${edition.name} ${cards}`;
  let sums = known.get(key);
  if (!sums) known.set(key, (sums = findSums(deckOf(edition), cards)));
  return sums;
}

function findSums(deck: Counted, cards: number): ReadonlySet<number> {
  const sums = new Set<number>();
  for (let wild = 0; wild <= Math.min(cards, deck.wild); wild += 1)
    for (let skip = 0; skip <= Math.min(cards - wild, deck.skip); skip += 1)
      for (let high = 0; high <= Math.min(cards - wild - skip, deck.high); high += 1) {
        const low = cards - wild - skip - high;
        if (low <= deck.low) sums.add(pointsOf({ low, high, skip, wild }));
      }
  return sums;
}
