/**
 * The requests that have no answer yet. Each has a number that comes back with its answer; the server does what has the
 * same number and the same version only once, so whatever may have been lost on the way is simply sent again.
 */
import { ACTIONS } from "../../protocol.ts";
import type { Unsent } from "./connection.ts";

export interface Letter {
  readonly id: number;
  /** The version of the table on which it was chosen. */
  readonly at: number;
  readonly request: Unsent;
}

/** What is only worth asking at once: a new connection asks it anew, or nobody misses it. */
const PASSING: ReadonlySet<string> = new Set(["need", "past", "fit", "mute", "hurry"]);
/** What a page asks by itself: a refusal of that is nobody's business. */
const QUIET: ReadonlySet<string> = new Set(["need", "past", "fit", "mute", "hurry", "seed"]);
/** A bot that is asked for advice may think as long as it likes, and much may have happened. */
const SLOW: ReadonlySet<string> = new Set(["hint", "explain", "past"]);
const MOVES: ReadonlySet<string> = new Set([...ACTIONS, "undo"]);
const NUMBERS = 2 ** 31;

export class Outbox {
  readonly #letters = new Map<number, Letter>();

  /** Keep a request until it is answered. */
  add(request: Unsent, at: number): Letter {
    let id: number;
    do id = Math.floor(Math.random() * NUMBERS);
    while (this.#letters.has(id));
    const letter = { id, at, request };
    this.#letters.set(id, letter);
    return letter;
  }

  /** Take out the request that was answered; null where it had been before. */
  answered(id: number | undefined): Letter | null {
    if (id === undefined) return null;
    const letter = this.#letters.get(id) ?? null;
    this.#letters.delete(id);
    return letter;
  }

  /** Keep one that has to be sent once more. */
  keep(letter: Letter): void {
    this.#letters.set(letter.id, letter);
  }

  /** Everything without an answer, in the order in which it was asked. */
  get letters(): readonly Letter[] {
    return [...this.#letters.values()];
  }

  /** Whether a move is under way. */
  get hasMove(): boolean {
    return this.letters.some(({ request }) => MOVES.has(request.do));
  }

  /** The connection is gone: forget what is not worth sending again. */
  lose(): void {
    for (const { id, request } of this.letters)
      if (PASSING.has(request.do)) this.#letters.delete(id);
  }

  clear(): void {
    this.#letters.clear();
  }
}

export function isQuiet({ request }: Letter): boolean {
  return QUIET.has(request.do);
}

export function isSlow({ request }: Letter): boolean {
  return SLOW.has(request.do);
}

/** The request as it goes over the wire. */
export function written({ id, at, request }: Letter): string {
  return JSON.stringify({ ...request, at, id });
}
