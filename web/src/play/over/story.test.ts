import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../protocol.ts";
import { storyOf } from "./story.ts";

const discard = (seat: number, card: string): Event => ({
  event: "CardDiscarded",
  seat,
  card,
  target: null,
});
const take = (seat: number, card: string): Event => ({ event: "DiscardTaken", seat, card });
const draw = (seat: number): Event => ({ event: "DrawSeen", seat, card: null });
const lay = (seat: number): Event => ({ event: "PhaseLaid", seat, phase: 4, melds: [] });
const scored = (out: number | null, made: number[]) => ({
  out,
  made: made.map((seat) => [seat, 4] as const),
  points: [1, 2, 3].map((seat) => [seat, seat === out ? 0 : 20] as const),
});

test("whose card it was that somebody went out with", () => {
  const events = [draw(1), discard(1, "G8"), take(2, "G8"), discard(2, "R1")];
  const end = scored(2, [2]);
  assert.deepEqual(storyOf(events, end, 1), { kind: "took_yours", card: "G8" });
  assert.deepEqual(storyOf(events, end, 3), { kind: "took", by: 1, card: "G8" });
  assert.deepEqual(storyOf(events, end, 2), { kind: "you_took", by: 1, card: "G8" });
});

test("a card that was turned up was nobody's", () => {
  const deal = { event: "DealSeen" } as Event;
  const story = storyOf([deal, take(2, "G8"), lay(2)], scored(2, [2]), 1);
  assert.deepEqual(story, { kind: "at_once", phase: 4 });
});

test("laid and out in one go", () => {
  const events = [lay(3), draw(2), lay(2), discard(2, "R1")];
  assert.equal(storyOf(events, scored(2, [2, 3]), 1).kind, "at_once");
  assert.equal(storyOf(events, scored(2, [2, 3]), 2).kind, "you_at_once");
});

test("who was still waiting", () => {
  const events = [lay(2), draw(2), discard(2, "R1")];
  assert.equal(storyOf(events, scored(2, [2]), 1).kind, "caught");
  assert.deepEqual(storyOf(events, scored(2, [2, 3]), 2), { kind: "you_quick", behind: [1] });
  assert.equal(storyOf(events, scored(2, [1, 2, 3]), 1).kind, "out");
  assert.equal(storyOf(events, scored(2, [1, 2, 3]), 2).kind, "you_out");
  assert.equal(storyOf(events, scored(null, []), 1).kind, "nobody");
});
