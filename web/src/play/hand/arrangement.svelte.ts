/** The player's own cards in the order in which they are held. Two red fives are two cards: each has a key. */
import { compare } from "../../cards/card";
import { settings } from "../../settings.svelte";

export interface HeldCard {
  readonly key: number;
  readonly text: string;
}

export interface Changed {
  readonly added: readonly HeldCard[];
  readonly gone: readonly HeldCard[];
}

let lastKey = 0;

export class Arrangement {
  cards = $state.raw<readonly HeldCard[]>([]);

  /** Hold these cards from now on. Those that stay keep their keys and their order. */
  follow(held: readonly string[]): Changed {
    const wanted = [...held];
    const kept: HeldCard[] = [];
    const gone: HeldCard[] = [];
    for (const card of this.cards) {
      const index = wanted.indexOf(card.text);
      if (index >= 0) {
        wanted.splice(index, 1);
        kept.push(card);
      } else gone.push(card);
    }
    const added = wanted.map((text) => ({ key: ++lastKey, text }));
    if (added.length || gone.length) {
      this.cards = [...kept, ...added];
      this.sort();
    }
    return { added, gone };
  }

  /** Sort as it was chosen; in one's own order new cards are on the right. */
  sort(): void {
    const order = settings.sort;
    if (order === "own") return;
    const before = compare(order);
    this.cards = [...this.cards].sort((a, b) => before(a.text, b.text));
  }

  /** Put a card at another place: from then on the order is one's own. */
  move(key: number, to: number): void {
    const card = this.find(key);
    if (!card || this.cards[to] === card) return;
    settings.sort = "own";
    const others = this.cards.filter((one) => one !== card);
    this.cards = [...others.slice(0, to), card, ...others.slice(to)];
  }

  find(key: number | null): HeldCard | undefined {
    return this.cards.find((card) => card.key === key);
  }
}
