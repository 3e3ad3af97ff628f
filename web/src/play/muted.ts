/** Whom this player does not want to hear at a table. It survives a reload. */
import { recall, remember } from "../storage/storage.svelte";

const NOBODY: { readonly seats: readonly number[] } = { seats: [] };

export class Muted {
  readonly #key: string;
  readonly #seats: Set<number>;

  constructor(code: string) {
    this.#key = `phaseten.muted.${code}`;
    this.#seats = new Set(recall(this.#key, NOBODY).seats);
  }

  get seats(): readonly number[] {
    return [...this.#seats];
  }

  set(seat: number, on: boolean): void {
    if (on) this.#seats.add(seat);
    else this.#seats.delete(seat);
    remember(this.#key, { seats: this.seats });
  }
}
