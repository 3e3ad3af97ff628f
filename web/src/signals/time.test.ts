import assert from "node:assert/strict";
import { test } from "node:test";
import { leftOf, untilNext } from "./time.ts";

test("days, hours and minutes are whole, and the last minute counts seconds", () => {
  const hour = 3_600_000;
  assert.deepEqual(leftOf(49 * hour), { unit: "days", count: 2 });
  assert.deepEqual(leftOf(23.9 * hour), { unit: "hours", count: 23 });
  assert.deepEqual(leftOf(90_000), { unit: "minutes", count: 1 });
  assert.deepEqual(leftOf(60_000), { unit: "seconds", count: 60 });
  assert.deepEqual(leftOf(9_001), { unit: "seconds", count: 10 });
  assert.deepEqual(leftOf(-5), { unit: "seconds", count: 0 });
});

test("it is looked at again when it shows something else", () => {
  assert.equal(untilNext(9_400), 400);
  assert.equal(untilNext(9_000), 1_000);
  assert.equal(untilNext(150_000), 30_000);
});
