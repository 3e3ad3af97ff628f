/** What this device saw of the game, to compare it with the seeds when they are shown. It survives a reload. */
import type { StepForm, Update } from "../protocol";
import { recall, remember } from "../storage/storage.svelte";
import { NOTHING, seedSent, witness, type Evidence, type Seen } from "./over/witness";

const SEED_BYTES = 16;

export class Memory {
  readonly #key: string;
  #seen: Seen;

  constructor(code: string) {
    this.#key = `phaseten.seen.${code}`;
    this.#seen = recall(this.#key, NOTHING);
  }

  get seen(): Seen {
    return this.#seen;
  }

  /** A player's own part of the shuffle, which no server can foresee. */
  newSeed(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
    const seed = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    this.#keep(seedSent(this.#seen, seed));
    return seed;
  }

  /** Take in what happened. What proves that somebody cheats is returned, the first time it is seen. */
  follow(steps: readonly StepForm[], update: Update): Evidence | null {
    const before = this.#seen;
    const now = witness(before, steps, update);
    if (now !== before) this.#keep(now);
    return now.evidence.length > before.evidence.length ? (now.evidence.at(-1) ?? null) : null;
  }

  #keep(seen: Seen): void {
    this.#seen = seen;
    remember(this.#key, seen);
  }
}
