/** The player's own cards in the order in which they are held. */
import { compare } from "../../cards/card";
import { settings } from "../../settings.svelte";
import { followHeld, type Changed, type HeldCard } from "./order";

export type { Changed, HeldCard } from "./order";

export class Arrangement {
  cards = $state.raw<readonly HeldCard[]>([]);
  /** Whether the player has put the cards into an order of one's own, for this hand. */
  isOwn = $state(false);

  /** Hold these cards from now on. Those that stay keep their keys and their order. */
  follow(held: readonly string[]): Changed {
    const { cards, added, gone, isAnotherHand } = followHeld(this.cards, held);
    if (isAnotherHand) this.isOwn = false;
    if (added.length || gone.length) {
      this.cards = cards;
      if (!this.isOwn) this.sort();
    }
    return { added, gone };
  }

  /** Sort as it was chosen. */
  sort(): void {
    this.isOwn = false;
    const before = compare(settings.sort);
    this.cards = [...this.cards].sort((a, b) => before(a.text, b.text));
  }

  /** Put a card at another place: until the next hand the order is one's own, and new cards are on the right. */
  move(key: number, to: number): void {
    const card = this.find(key);
    if (!card || this.cards[to] === card) return;
    this.isOwn = true;
    const others = this.cards.filter((one) => one !== card);
    this.cards = [...others.slice(0, to), card, ...others.slice(to)];
  }

  find(key: number | null): HeldCard | undefined {
    return this.cards.find((card) => card.key === key);
  }
}
