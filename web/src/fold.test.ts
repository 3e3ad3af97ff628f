/** What the browser folds equals what the server would have told whole: run by tests/server/socket/test_changes.py. */
import { deepStrictEqual } from "node:assert";
import { readFileSync } from "node:fs";
import { fold, type Change, type Update } from "./protocol.ts";

/** Each line is what one receiver was told: the whole, and then changes, each with the whole as it was then. */
type Told = [Update, ...[Change, Update][]];

let folded = 0;
for (const line of readFileSync(process.argv[2]!, "utf8").split("\n")) {
  if (!line) continue;
  const [first, ...changes] = JSON.parse(line) as Told;
  let known = first;
  for (const [change, whole] of changes) {
    known = JSON.parse(JSON.stringify(fold(known, change))) as Update;
    deepStrictEqual(known, whole);
    folded++;
  }
}
console.log(folded);
