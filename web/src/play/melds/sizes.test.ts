import assert from "node:assert/strict";
import { test } from "node:test";
import { meldCard } from "./sizes.ts";

const LIMITS = { least: 28, most: 100, badge: 30, gap: 6 };

test("cards are as large as the room allows, and no larger", () => {
  const room = { width: 390, height: 380 };
  const one = meldCard(room, [[3, 3]], LIMITS);
  const four = meldCard(
    room,
    [
      [3, 3],
      [3, 3],
      [3, 3],
      [3, 3],
    ],
    LIMITS,
  );
  assert.ok(one > four);
  assert.ok(four * 1.4 * 4 <= 380);
  assert.equal(meldCard({ width: 4000, height: 4000 }, [[3]], LIMITS), 100);
});

test("what does not fit side by side lies in two lines", () => {
  const narrow = { width: 230, height: 300 };
  const card = meldCard(narrow, [[7, 7]], LIMITS);
  assert.ok(card * (1 + 0.46 * 6) <= 200);
  assert.ok(card * 1.4 * 2 <= 300);
});

test("a meld that is too long even for a line has the least size", () => {
  assert.equal(meldCard({ width: 60, height: 600 }, [[12]], LIMITS), 28);
  assert.equal(meldCard({ width: 390, height: 10 }, [[3]], LIMITS), 28);
});

test("one card more or less rarely changes the size", () => {
  const room = { width: 390, height: 200 };
  const sizes = [3, 4, 5].map((count) =>
    meldCard(
      room,
      [
        [3, 3],
        [count, 3],
      ],
      LIMITS,
    ),
  );
  assert.equal(new Set(sizes).size, 1);
});
