/** What can be done with a card: found in the server's list of actions, never worked out. */
import type { Action, DiscardData, HitData, LayData } from "../protocol.ts";

/** The card as it is held: a Wild on the table says what it stands for, one in the hand does not. */
export function asHeld(text: string): string {
  return text.startsWith("W") ? "W" : text;
}

export function laysIn(actions: readonly Action[]): LayData[] {
  return actions.filter((action) => action.do === "lay");
}

export function hitsWith(actions: readonly Action[], card: string): HitData[] {
  return actions
    .filter((action) => action.do === "hit")
    .filter((hit) => hit.cards.some((one) => asHeld(one) === card));
}

export function discardsOf(actions: readonly Action[], card: string): DiscardData[] {
  return actions.filter((action) => action.do === "discard").filter((one) => one.card === card);
}

/** The ways to lay that use exactly these cards in each row. */
export function laysOf(lays: readonly LayData[], rows: readonly (readonly string[])[]): LayData[] {
  const wanted = rows.map(sorted);
  return lays.filter((lay) => lay.melds.every((meld, index) => sorted(meld) === wanted[index]));
}

function sorted(cards: readonly string[]): string {
  return cards.map(asHeld).sort().join(" ");
}
