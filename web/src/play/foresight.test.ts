import assert from "node:assert/strict";
import { test } from "node:test";
import type { Action, StepForm, Update } from "../protocol.ts";
import { foresee, unseen } from "./foresight.ts";

const HIT: Action = { do: "hit", cards: ["R4"], seat: 2, meld: 1 };
const LAY: Action = {
  do: "lay",
  melds: [
    ["R5", "B5", "W=5"],
    ["G7", "G7", "Y7"],
  ],
};
const DISCARD: Action = { do: "discard", card: "R4" };

function standing(actions: Action[]): Update {
  return {
    type: "update",
    version: 4,
    steps: [],
    table: {},
    you: { seat: 1, hint: true },
    game: {
      held: ["R4", "R4", "R5", "B5", "W", "G7", "G7", "Y7"],
      board: {
        counts: [8, 6],
        discards: ["B1"],
        melds: [[], [{ group: "run 4", cards: ["R5", "R6", "W=7", "R8"] }]],
        made: [0, 1],
      },
    },
    actions,
  } as unknown as Update;
}

test("a discard leaves the hand and lies on the pile", () => {
  const seen = foresee(standing([DISCARD]), DISCARD, [])!.update;
  assert.deepEqual(seen.game!.held, ["R4", "R5", "B5", "W", "G7", "G7", "Y7"]);
  assert.deepEqual(seen.game!.board!.discards, ["B1", "R4"]);
  assert.deepEqual(seen.game!.board!.counts, [7, 6]);
  assert.deepEqual(seen.actions, []);
});

test("a hit lies at its end of the meld, and only what is still held can be played", () => {
  const other: Action = { ...HIT, cards: ["R9"] };
  const seen = foresee(standing([HIT, other, DISCARD]), HIT, [])!.update;
  assert.deepEqual(seen.game!.board!.melds[1]![0]!.cards, ["R4", "R5", "R6", "W=7", "R8"]);
  assert.deepEqual(seen.actions, [HIT, DISCARD]);
  const behind = foresee(standing([other]), other, [])!.update;
  assert.equal(behind.game!.board!.melds[1]![0]!.cards.at(-1), "R9");
});

test("a Phase lies before its player, with Wilds as they were laid", () => {
  const { update, step } = foresee(standing([LAY]), LAY, ["set 3", "set 3"])!;
  assert.deepEqual(update.game!.held, ["R4", "R4"]);
  assert.deepEqual(update.game!.board!.melds[0], [
    { group: "set 3", cards: ["R5", "B5", "W=5"] },
    { group: "set 3", cards: ["G7", "G7", "Y7"] },
  ]);
  assert.equal(step.events[0]!.event, "PhaseLaid");
});

test("what the table has not offered, and what a draw brings, is not foreseen", () => {
  assert.equal(foresee(standing([]), DISCARD, []), null);
  assert.equal(foresee(standing([{ do: "draw" }]), { do: "draw" }, []), null);
  const skip: Action = { do: "discard", card: "S", target: 2 };
  assert.equal(foresee(standing([skip]), skip, []), null);
});

test("what was shown is not shown again, but all else is", () => {
  const { step } = foresee(standing([DISCARD]), DISCARD, [])!;
  const steps = [
    { events: [step.events[0], { event: "TurnLost", seat: 2 }] },
    { events: [{ event: "CardDiscarded", seat: 2, card: "R4", target: null }] },
  ] as unknown as StepForm[];
  assert.deepEqual(
    unseen(steps, step).map(({ events }) => events.length),
    [1, 1],
  );
});
