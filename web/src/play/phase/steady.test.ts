import assert from "node:assert/strict";
import { test } from "node:test";
import { steady } from "./steady.ts";

const have = (...cards: string[]) => cards.map((card) => ({ card, filled: true }));
const lack = (card: string) => ({ card, filled: false });

test("two equal sets stay where they were", () => {
  const before = [have("R7", "B7", "G7"), [...have("R2", "B2"), lack("W=2")]];
  const counted = [[...have("B2", "R2"), lack("W=2")], have("G7", "R7", "B7")];
  assert.deepEqual(steady(counted, ["set 3", "set 3"], before), before);
});

test("a card that came takes a free place, and the others stay", () => {
  const before = [[...have("R2", "B2"), lack("W=2")]];
  const counted = [have("G2", "B2", "R2")];
  assert.deepEqual(steady(counted, ["set 3"], before), [have("R2", "B2", "G2")]);
});

test("a run keeps its order, and different groups never change places", () => {
  const run = [...have("R3"), lack("W=4"), ...have("B5"), lack("W=6")];
  const set = have("R3", "G3", "B3");
  const before = [have("R5", "G5", "B5"), run];
  assert.deepEqual(steady([set, run], ["set 3", "run 4"], before), [set, run]);
});

test("the first time they are shown as they come", () => {
  const counted = [[lack("W=2"), ...have("R2")]];
  assert.deepEqual(steady(counted, ["set 2"], []), [[...have("R2"), lack("W=2")]]);
});
