import assert from "node:assert/strict";
import { test } from "node:test";
import { shortened } from "./shortened.ts";

test("names are cut where a letter ends, however many signs it is made of", () => {
  assert.equal(shortened("Ana", 120), "Ana");
  assert.equal(shortened("Maximiliane", 96), "Maximil…");
  assert.equal(shortened("🤷‍♂️🤷‍♂️🤷‍♂️🤷‍♂️", 36), "🤷‍♂️🤷‍♂️…");
  assert.equal(shortened("🤷‍♂️🤷‍♂️🤷‍♂️", 36), "🤷‍♂️🤷‍♂️🤷‍♂️");
});
