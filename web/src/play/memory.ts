/** What this device saw of the game, to compare it with the seeds when they are shown. It survives a reload. */
import type { StepForm, Update } from "../protocol";
import { recall, remember } from "../settings.svelte";

export interface SeenDeal {
  readonly hand: number;
  readonly dealer: number;
  readonly players: readonly number[];
  /** The player's own cards; empty for a watcher. */
  readonly cards: readonly string[];
  readonly turnedUp: string;
}

interface Remembered {
  commitment: string;
  deals: readonly SeenDeal[];
}

const EMPTY: Remembered = { commitment: "", deals: [] };

export class Memory {
  #key: string;
  #seen: Remembered;

  constructor(code: string) {
    this.#key = `phaseten.seen.${code}`;
    this.#seen = recall(this.#key, EMPTY);
  }

  get deals(): readonly SeenDeal[] {
    return this.#seen.deals;
  }

  get commitment(): string {
    return this.#seen.commitment;
  }

  follow(steps: readonly StepForm[], update: Update): void {
    const { commitment, stage } = update.table;
    const isAnother = stage !== "finished" && commitment !== this.#seen.commitment;
    if (isAnother) this.#seen = { commitment, deals: [] };
    const deals = steps.flatMap((step) => step.events).filter((one) => one.event === "DealSeen");
    for (const deal of deals) {
      const { hand, dealer, players, cards, turned_up: turnedUp } = deal;
      const others = this.#seen.deals.filter((one) => one.hand !== hand);
      this.#seen = {
        ...this.#seen,
        deals: [...others, { hand, dealer, players, cards, turnedUp }],
      };
    }
    if (isAnother || deals.length) remember(this.#key, this.#seen);
  }
}
