/** What a Phase asks for, as the protocol writes it: `set 3`, `run 7`, `pairrun 2`. */

export interface Group {
  readonly kind: string;
  readonly size: number;
  /** How many places it has: a run of pairs has two for each number. */
  readonly cards: number;
}

export function readGroup(text: string): Group {
  const [kind = "", size = "0"] = text.split(" ");
  return { kind, size: Number(size), cards: Number(size) * cardsForEach(kind) };
}

/** Cards in a group for each of its size. */
export function cardsForEach(kind: string): number {
  return kind === "pairrun" ? 2 : 1;
}
