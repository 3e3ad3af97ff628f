/** The shuffle that anybody can check, as docs/notation.md writes it down; and the check. */
import type { DeckData } from "../../protocol";
import type { SeenDeal } from "../memory";
import { fromHex, hmac, sha256, toHex } from "./sha256";

export interface Seeds {
  readonly commitment: string;
  readonly server: string;
  readonly client: string;
}

export interface Checked {
  /** Whether the seed is the one that was promised before the first card. */
  readonly isPromised: boolean;
  /** Whether the promise is the one that this device saw; null if it saw none. */
  readonly isSamePromise: boolean | null;
  /** The hands that this device saw dealt, and whether they came from these seeds. */
  readonly hands: readonly { readonly hand: number; readonly isRight: boolean }[];
}

export function check(
  seeds: Seeds,
  deck: DeckData,
  seen: { readonly commitment: string; readonly deals: readonly SeenDeal[] },
  deal: number,
  seat: number | null,
): Checked {
  const key = fromHex(seeds.server);
  return {
    isPromised: toHex(sha256(key)) === seeds.commitment,
    isSamePromise: seen.commitment ? seen.commitment === seeds.commitment : null,
    hands: [...seen.deals]
      .sort((one, other) => one.hand - other.hand)
      .map((one) => ({
        hand: one.hand,
        isRight: isDealtFrom(
          shuffled(unshuffled(deck), key, seeds.client, one.hand),
          one,
          deal,
          seat,
        ),
      })),
  };
}

/** Cards go round one at a time, and the next one is turned up. */
export function isDealtFrom(
  order: readonly string[],
  { players, cards, turnedUp }: Pick<SeenDeal, "players" | "cards" | "turnedUp">,
  deal: number,
  seat: number | null,
): boolean {
  if (order[deal * players.length] !== turnedUp) return false;
  const place = seat === null ? -1 : players.indexOf(seat);
  if (place < 0 || !cards.length) return true;
  const mine = order.filter(
    (_, index) => index < deal * players.length && index % players.length === place,
  );
  return mine.join() === cards.join();
}

export function unshuffled({ colors, highest, copies, wilds, skips }: DeckData): string[] {
  const numbers = Array.from({ length: highest }, (_, index) => index + 1);
  const numbered = colors.flatMap((color) =>
    numbers.flatMap((number) => Array<string>(copies).fill(color + number)),
  );
  return [...numbered, ...Array<string>(wilds).fill("W"), ...Array<string>(skips).fill("S")];
}

/** Fisher and Yates from the end; words that would favour some cards are passed over. */
export function shuffled(
  cards: readonly string[],
  key: Uint8Array,
  clientSeed: string,
  hand: number,
  /** 0 is the deal; the draw piles that are made of the discards count from 1. */
  shuffle = 0,
): string[] {
  const pile = [...cards];
  const stream = words(key, `${clientSeed}:${hand}:${shuffle}`);
  for (let last = pile.length - 1; last > 0; last--) {
    const fair = 2 ** 32 - (2 ** 32 % (last + 1));
    let word: number;
    do word = stream.next().value as number;
    while (word >= fair);
    const other = word % (last + 1);
    [pile[last], pile[other]] = [pile[other]!, pile[last]!];
  }
  return pile;
}

function* words(key: Uint8Array, name: string): Generator<number> {
  for (let block = 0; ; block++) {
    const message = new TextEncoder().encode(`${name}:${block}`);
    const view = new DataView(hmac(key, message).buffer);
    for (let start = 0; start < 32; start += 4) yield view.getUint32(start);
  }
}
