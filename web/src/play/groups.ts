/** What a Phase asks for, as the protocol writes it: `set 3`, `run 7`, `pairrun 2`. */
import { sayAny } from "../words";

export interface Group {
  readonly kind: string;
  readonly size: number;
  /** How many places it has: a run of pairs has two for each number. */
  readonly cards: number;
}

export function readGroup(text: string): Group {
  const [kind = "", size = "0"] = text.split(" ");
  return { kind, size: Number(size), cards: Number(size) * (kind === "pairrun" ? 2 : 1) };
}

/** The group in words: `set of 3`. */
export function groupName(text: string): string {
  const { kind, size } = readGroup(text);
  return sayAny(`game.group.${kind}`, { size });
}

/** The meld that answers it, in a word: `set`. */
export function kindName(text: string): string {
  return sayAny(`game.kind.${readGroup(text).kind}`);
}
