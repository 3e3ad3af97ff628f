/** The shuffle that anybody can check, as docs/notation.md writes it down; and the check. */
import type { DeckData, RulesData } from "../../protocol.ts";
import { fromHex, hmac, sha256, toHex } from "./sha256.ts";
import type { Evidence, Seen, SeenDeal } from "./witness.ts";

export interface Seeds {
  readonly commitment: string;
  readonly server: string;
  readonly client: string;
}

/** `deal`: other cards than these were dealt. `draw`: a card came that was not the next one. `pile`: the same in a draw pile
 * that was made of the discards, or it was made of other cards. `card`: somebody played a card that was never in that hand. */
export type Wrong = "deal" | "draw" | "pile" | "card";

export interface Checked {
  /** Whether the seed is the one that was promised before the first card. */
  readonly isPromised: boolean;
  /** Whether the promise is the one that this device saw; null if it saw none. */
  readonly isSamePromise: boolean | null;
  /** Whether this device's own seed is in what the players made together; null if it added none. */
  readonly isOwnSeedIn: boolean | null;
  /** Whether what the players made together stayed as it was; null if this device did not see it. */
  readonly isSameClientSeed: boolean | null;
  /** The hands that this device saw dealt, and what of them did not come from these seeds. */
  readonly hands: readonly { readonly hand: number; readonly wrong: Wrong | null }[];
}

export function check(
  seeds: Seeds,
  { deck, skips }: Pick<RulesData, "deck" | "skips">,
  seen: Seen,
  seat: number | null,
): Checked {
  const key = fromHex(seeds.server);
  const accused = (kind: Evidence["kind"]) => seen.evidence.some((one) => one.kind === kind);
  return {
    isPromised: toHex(sha256(key)) === seeds.commitment,
    isSamePromise: seen.commitment
      ? seen.commitment === seeds.commitment && !accused("promise")
      : null,
    isOwnSeedIn: seen.isSeedTaken ? !accused("own_seed") : null,
    isSameClientSeed:
      seen.clientSeed === null ? null : seen.clientSeed === seeds.client && !accused("client_seed"),
    hands: [...seen.deals]
      .sort((one, other) => one.hand - other.hand)
      .map((deal) => {
        const order = shuffled(unshuffled(deck), key, seeds.client, deal.hand);
        const again = (cards: readonly string[], shuffle: number) =>
          shuffled(cards, key, seeds.client, deal.hand, shuffle);
        return { hand: deal.hand, wrong: checkHand(order, deal, seat, skips, again) };
      }),
  };
}

/** Play the hand again with the cards that the seeds give: every card that was seen must be where it was seen. */
function checkHand(
  order: readonly string[],
  seen: SeenDeal,
  seat: number | null,
  skips: string,
  again: (cards: readonly string[], shuffle: number) => string[],
): Wrong | null {
  const { players, deal, turnedUp, moves } = seen;
  if (!isDealtFrom(order, seen, deal, seat)) return "deal";
  const round = players.length;
  const dealt = order.slice(0, deal * round);
  const hands = new Map(
    players.map((one, place) => [one, dealt.filter((_, index) => index % round === place)]),
  );
  let pile = order.slice(deal * round + 1);
  let discards = [turnedUp];
  let shuffles = 0;
  const skipped = new Set<number>();
  for (const move of moves) {
    const hand = hands.get(Number(move[1])) ?? [];
    const cards = move.slice(2);
    if (move[0] === "D") {
      const card = pile.shift();
      if (!card || (cards && cards !== card)) return shuffles ? "pile" : "draw";
      hand.push(card);
    } else if (move[0] === "T") {
      if (discards.pop() !== cards) return "card";
      hand.push(cards);
    } else if (move[0] === "P") {
      if (!cards.split(" ").every((card) => take(hand, card))) return "card";
    } else if (move[0] === "X") {
      const [card = "", target] = cards.split(">");
      if (!take(hand, card)) return "card";
      if (target && skips === "front") skipped.add(Number(target));
      else discards.push(card);
    } else if (move[0] === "L") {
      if (skipped.delete(Number(move[1]))) discards.push("S");
    } else if (move[0] === "R") {
      const kept = discards.slice(0, -1);
      if (pile.length || kept.length !== Number(move.slice(1))) return "pile";
      pile = again(kept, ++shuffles);
      discards = discards.slice(-1);
    }
  }
  return null;
}

/** Take a card out of a hand; a Wild on the table says what it stands for, one in a hand does not. */
function take(hand: string[], card: string): boolean {
  const index = hand.indexOf(card.startsWith("W") ? "W" : card);
  if (index >= 0) hand.splice(index, 1);
  return index >= 0;
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
