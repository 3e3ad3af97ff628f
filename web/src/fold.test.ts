/**
 * What the browser folds equals what the server would have told whole, and every card that anybody saw is where the seeds
 * put it: run by tests/server/socket/test_changes.py.
 */
import { deepStrictEqual, ok } from "node:assert";
import { readFileSync } from "node:fs";
import { check } from "./play/over/fair.ts";
import { NOTHING, witness } from "./play/over/witness.ts";
import { fold, type Change, type RulesData, type Update } from "./protocol.ts";

/** Each line is what one receiver was told: the whole, and then changes, each with the whole as it was then. */
type Told = [Update, ...[Change, Update][]];

const [, , path, server, rules] = process.argv as [string, string, string, string, string];
let folded = 0;
for (const line of readFileSync(path, "utf8").split("\n")) {
  if (!line) continue;
  const [first, ...changes] = JSON.parse(line) as Told;
  let known = first;
  let seen = witness(NOTHING, [], first);
  for (const [change, whole] of changes) {
    known = JSON.parse(JSON.stringify(fold(known, change))) as Update;
    deepStrictEqual(known, whole);
    seen = witness(seen, known.steps, known);
    folded++;
  }
  const { commitment, client_seed: client } = known.table;
  const seeds = { commitment, server, client };
  const found = check(seeds, JSON.parse(rules) as RulesData, seen, known.you.seat);
  const hands = found.hands.map(({ hand }) => ({ hand, wrong: null }));
  ok(hands.length > 0);
  deepStrictEqual(found, {
    isPromised: true,
    isSamePromise: true,
    isOwnSeedIn: null, // none has added a part
    isSameClientSeed: true,
    hands,
  });
}
console.log(folded);
