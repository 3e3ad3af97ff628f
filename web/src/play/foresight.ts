/**
 * How the table will look when a move of one's own is done: shown at once, until the table says how it is.
 *
 * No rule is known here. A card that is played is in the hand no more, and lies where it was put; what follows from that
 * is the table's to tell.
 */
import type { Action, BoardData, Event, StepForm, Update } from "../protocol.ts";
import { asHeld } from "./choices.ts";

export interface Foreseen {
  readonly update: Update;
  /** What has happened then, to be shown as if it had been told. */
  readonly step: StepForm;
}

/** Null where it cannot be foreseen: what a draw brings, or a move that may be wrong. */
export function foresee(
  update: Update,
  action: Action,
  groups: readonly string[],
): Foreseen | null {
  const { game, you } = update;
  const board = game?.board;
  const seat = you.seat;
  if (!board || !seat || !update.actions.some((one) => isSame(one, action))) return null;
  const found = carriedOut(board, seat, action, groups);
  if (!found) return null;
  const held = without(game.held, found.cards);
  const counts = board.counts.map((count, index) =>
    index === seat - 1 ? count - found.cards.length : count,
  );
  return {
    update: {
      ...update,
      game: { ...game, held, board: { ...found.board, counts } },
      actions: action.do === "discard" ? [] : update.actions.filter((one) => isLeft(one, held)),
      you: { ...you, hint: false },
    },
    step: { version: update.version, at: 0, events: [found.event], words: [] },
  };
}

interface CarriedOut {
  readonly board: BoardData;
  readonly cards: readonly string[];
  readonly event: Event;
}

function carriedOut(
  board: BoardData,
  seat: number,
  action: Action,
  groups: readonly string[],
): CarriedOut | null {
  switch (action.do) {
    case "discard": {
      const { card, target = null } = action;
      // Where a Skip goes is for the edition to say.
      if (card === "S") return null;
      const discards = [...board.discards, card];
      const event: Event = { event: "CardDiscarded", seat, card, target };
      return { board: { ...board, discards }, cards: [card], event };
    }
    case "hit": {
      const { cards, seat: owner, meld } = action;
      const before = board.melds[owner - 1]?.[meld - 1];
      if (!before) return null;
      const result = { ...before, cards: joined(before.cards, cards) };
      const melds = board.melds.map((row, index) =>
        index === owner - 1 ? row.map((one) => (one === before ? result : one)) : row,
      );
      const event: Event = { event: "MeldHit", seat, cards, owner, meld, result };
      return { board: { ...board, melds }, cards, event };
    }
    case "lay": {
      const laid = action.melds.map((cards, index) => ({ group: groups[index] ?? "", cards }));
      const melds = board.melds.map((row, index) => (index === seat - 1 ? laid : row));
      const event: Event = { event: "PhaseLaid", seat, phase: action.phase ?? 0, melds: laid };
      return { board: { ...board, melds }, cards: action.melds.flat(), event };
    }
    default:
      return null;
  }
}

/** Cards beside those of a meld: before them where their number is lower than the first one's, else behind. */
function joined(meld: readonly string[], cards: readonly string[]): readonly string[] {
  const [first, card] = [numberOf(meld[0]), numberOf(cards[0])];
  return card < first ? [...cards, ...meld] : [...meld, ...cards];
}

/** The number on a card, or that a Wild stands for; 0 where it has none. */
function numberOf(card: string | undefined): number {
  return Number(card?.match(/\d+$/)?.[0] ?? 0);
}

/** Whether a move can still be meant when only these cards are held. */
function isLeft(action: Action, held: readonly string[]): boolean {
  if (action.do === "discard") return held.includes(action.card);
  return action.do === "hit" && action.cards.every((card) => held.includes(asHeld(card)));
}

export function without(held: readonly string[], cards: readonly string[]): readonly string[] {
  const left = [...held];
  for (const card of cards) {
    const index = left.indexOf(asHeld(card));
    if (index >= 0) left.splice(index, 1);
  }
  return left;
}

/** The steps without what has been shown already: the first such event is the player's own move. */
export function unseen(steps: readonly StepForm[], shown: StepForm): readonly StepForm[] {
  const [{ event }] = shown.events as [Event];
  let isFound = false;
  return steps.map((step) => ({
    ...step,
    events: step.events.filter((one) => {
      if (isFound || one.event !== event || !("seat" in one)) return true;
      isFound = true;
      return false;
    }),
  }));
}

export function isSame(one: Action, other: Action): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
