/** What a Phase asks for, in words. */
import { readGroup } from "../cards/group";
import { sayAny } from "../words";

export { readGroup, type Group } from "../cards/group";

/** The group in words: `set of 3`. */
export function groupName(text: string): string {
  const { kind, size } = readGroup(text);
  return sayAny(`game.group.${kind}`, { size });
}

/** The meld that answers it, in a word: `set`. */
export function kindName(text: string): string {
  return sayAny(`game.kind.${readGroup(text).kind}`);
}
