/** Every deal and every new draw pile of a game, compared with what its seeds give. */
import { isDealtFrom, shuffled, unshuffled } from "../play/over/fair";
import type { DeckData, FrameForm } from "../protocol";

export interface CheckedShuffle {
  readonly hand: number;
  /** 0 is the deal; new draw piles count from 1. */
  readonly shuffle: number;
  isRight: boolean;
}

/** The steps must show all hands. */
export function checkShuffles(
  frames: readonly FrameForm[],
  deck: DeckData,
  key: Uint8Array,
  clientSeed: string,
): CheckedShuffle[] {
  const found: CheckedShuffle[] = [];
  let pile: string[] = [];
  frames.forEach((frame, index) => {
    for (const event of frame.events) {
      const last = found.at(-1);
      if (event.event === "DealSeen") {
        const { hand, players, deal, turned_up: turnedUp } = event;
        const order = shuffled(unshuffled(deck), key, clientSeed, hand);
        const isRight = players.every((seat) =>
          isDealtFrom(order, { players, cards: frame.held[seat - 1] ?? [], turnedUp }, deal, seat),
        );
        pile = order.slice(players.length * deal + 1);
        found.push({ hand, shuffle: 0, isRight });
      } else if (event.event === "ReshuffleSeen" && last) {
        // All discards but the top one, as they lay before this step.
        const discards = frames[index - 1]?.game.board?.discards.slice(0, -1) ?? [];
        const shuffle = last.shuffle + 1;
        pile = shuffled(discards, key, clientSeed, last.hand, shuffle);
        found.push({ hand: last.hand, shuffle, isRight: pile.length === event.count });
      } else if (event.event === "DrawSeen" && last && pile.shift() !== event.card) {
        last.isRight = false;
      }
    }
  });
  return found;
}
