import assert from "node:assert/strict";
import { test } from "node:test";
import { followHeld } from "./order.ts";

const texts = (cards: readonly { readonly text: string }[]) => cards.map(({ text }) => text);

test("cards that stay keep their keys and their order, and what comes is on the right", () => {
  const { cards } = followHeld([], ["R5", "B2", "R5"]);
  const moved = [cards[2]!, cards[0]!, cards[1]!];
  const drawn = followHeld(moved, ["B2", "G9", "R5", "R5"]);
  assert.deepEqual(texts(drawn.cards), ["R5", "R5", "B2", "G9"]);
  assert.deepEqual(drawn.cards.slice(0, 3), moved);
  assert.deepEqual(texts(drawn.added), ["G9"]);
  assert.equal(drawn.isAnotherHand, false);
  const discarded = followHeld(drawn.cards, ["B2", "G9", "R5"]);
  assert.deepEqual(texts(discarded.gone), ["R5"]);
  assert.equal(discarded.isAnotherHand, false);
});

test("an order of one's own ends with its hand, also where a card is the same by chance", () => {
  const { cards } = followHeld([], ["R5", "B2", "R7", "Y1"]);
  assert.equal(followHeld(cards, ["R5", "G2", "G7", "G1"]).isAnotherHand, true);
  assert.equal(followHeld([], ["R5", "G2", "G7"]).isAnotherHand, true);
});
