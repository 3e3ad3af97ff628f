/** Which cards are held, and in which order. Two red fives are two cards: each has a key. */

export interface HeldCard {
  readonly key: number;
  readonly text: string;
}

export interface Changed {
  readonly added: readonly HeldCard[];
  readonly gone: readonly HeldCard[];
}

export interface Followed extends Changed {
  /** Those that stay, in their order, and then those that came. */
  readonly cards: readonly HeldCard[];
  /** Whether none of them stays: another hand was dealt, and an order of one's own ends with the hand it was made in. */
  readonly isAnotherHand: boolean;
}

let lastKey = 0;

/** Hold these cards from now on. Those that stay keep their keys and their order. */
export function followHeld(cards: readonly HeldCard[], held: readonly string[]): Followed {
  const wanted = [...held];
  const kept: HeldCard[] = [];
  const gone: HeldCard[] = [];
  for (const card of cards) {
    const index = wanted.indexOf(card.text);
    if (index >= 0) {
      wanted.splice(index, 1);
      kept.push(card);
    } else gone.push(card);
  }
  const added = wanted.map((text) => ({ key: ++lastKey, text }));
  // A card or two may be the same by chance; nobody draws more than a few in a turn.
  const isAnotherHand = added.length > 2;
  return { cards: [...kept, ...added], added, gone, isAnotherHand };
}
