/** The slots of the player's own Phase, and the cards that were put there by hand. */
import type { Arrangement, HeldCard } from "../hand/arrangement.svelte";

export class Rows {
  /** The cards' keys, row by row; none as long as nothing was put there. */
  #keys = $state.raw<readonly (readonly number[])[]>([]);
  readonly #arrangement: Arrangement;

  constructor(arrangement: Arrangement) {
    this.#arrangement = arrangement;
  }

  readonly cards: readonly (readonly HeldCard[])[] = $derived.by(() =>
    this.#keys.map((row) => row.flatMap((key) => this.#arrangement.find(key) ?? [])),
  );
  readonly placed: ReadonlySet<number> = $derived.by(() => new Set(this.#keys.flat()));
  readonly isEmpty = $derived.by(() => this.#keys.length === 0);

  /** Whether each row has at least so many cards. */
  reach(sizes: readonly number[]): boolean {
    return !this.isEmpty && sizes.every((size, row) => this.cards[row]!.length >= size);
  }

  /** Put a card into one of so many rows: at the end, or at a place in it. */
  put(key: number, row: number, rows: number, at?: number): void {
    const keys = Array.from({ length: rows }, (_, index) =>
      (this.#keys[index] ?? []).filter((one) => one !== key),
    );
    keys[row]?.splice(at ?? keys[row].length, 0, key);
    this.#keys = keys;
  }

  take(key: number): void {
    this.#keep((one) => one !== key);
  }

  /** Leave only the cards that are still held. */
  follow(): void {
    const held = new Set(this.#arrangement.cards.map((card) => card.key));
    this.#keep((key) => held.has(key));
  }

  clear(): void {
    this.#keys = [];
  }

  #keep(stays: (key: number) => boolean): void {
    const keys = this.#keys.map((row) => row.filter(stays));
    this.#keys = keys.some((row) => row.length) ? keys : [];
  }
}
