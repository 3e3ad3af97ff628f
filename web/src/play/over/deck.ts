/** What the deck of a table is made of, as the editions' own files say. */
import editions from "virtual:editions";
import type { Welcome } from "../../protocol";

export interface Deck {
  readonly colors: readonly string[];
  readonly highest: number;
  readonly copies: number;
  readonly wilds: number;
  readonly skips: number;
}

/** Null for an edition of one's own: its deck is not told. */
export function deckOf({ options, rules }: Welcome): Deck | null {
  if (options.custom) return null;
  return (editions.find(({ name }) => name === rules.edition) as unknown as Deck) ?? null;
}
