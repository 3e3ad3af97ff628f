/** A look here likes what the kernel likes; `tests/pocket/test_network.py` brings looks of games that were played. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inflateSync } from "node:zlib";
import { Network, unpackWeights, type NetworkNote } from "./network.ts";

interface Played {
  readonly weights: string;
  readonly about: NetworkNote;
  /** What was seen and could be done, in hexadecimal, and how much the kernel liked it. */
  readonly looks: readonly (readonly [seen: string, mask: string, liked: readonly number[]])[];
}

const played = JSON.parse(readFileSync(process.env["PHASETEN_LOOKS"]!, "utf-8")) as Played;

test("a look likes what the kernel likes", () => {
  const data = new Uint8Array(inflateSync(readFileSync(played.weights))).buffer;
  const network = new Network(unpackWeights(data), played.about);
  assert.ok(played.looks.length);
  for (const [seen, mask, liked] of played.looks) {
    const found = network.weigh(Buffer.from(seen, "hex"), Buffer.from(mask, "hex"));
    assert.equal(found.length, liked.length);
    found.forEach((value, index) => assert.ok(Math.abs(value - liked[index]!) < 1e-4));
  }
});
