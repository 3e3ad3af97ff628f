import assert from "node:assert/strict";
import { test } from "node:test";
import { Keeper, type Area, type Problem } from "./keeper.ts";

/** A browser's storage with room for so many characters. */
class Room implements Area {
  readonly kept = new Map<string, string>();
  readonly most: number;

  constructor(kept: { readonly [key: string]: string } = {}, most = Infinity) {
    for (const [key, text] of Object.entries(kept)) this.kept.set(key, text);
    this.most = most;
  }
  get length(): number {
    return this.kept.size;
  }
  key(index: number): string | null {
    return [...this.kept.keys()][index] ?? null;
  }
  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }
  setItem(key: string, text: string): void {
    const others = [...this.kept].filter(([one]) => one !== key).flat();
    if ((others.join("") + key + text).length > this.most)
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    this.kept.set(key, text);
  }
  removeItem(key: string): void {
    this.kept.delete(key);
  }
}

function problemsOf(keeper: Keeper): [Problem, string][] {
  const found: [Problem, string][] = [];
  keeper.onproblem = (...problem) => found.push(problem);
  return found;
}

test("what is kept comes back over what is usual", () => {
  const room = new Room();
  new Keeper(room).remember("phaseten.settings", { name: "Ana" });
  const found = new Keeper(room).recall("phaseten.settings", { name: "", sound: true });
  assert.deepEqual(found, { name: "Ana", sound: true });
});

test("what cannot be read hides nothing else", () => {
  const room = new Room({
    "phaseten.scores.a": "{broken",
    "phaseten.scores.b": '{"id":"b"}',
    "phaseten.scores.c": '"a word"',
  });
  const keeper = new Keeper(room);
  assert.deepEqual(keeper.recall("phaseten.scores.a", { id: "" }), { id: "" });
  assert.equal(keeper.find("phaseten.scores.c"), null);
  const found = keeper.keys("phaseten.scores.").flatMap((key) => keeper.find(key) ?? []);
  assert.deepEqual(found, [{ id: "b" }]);
});

test("where there is no room it lasts as long as the page, and why is told", () => {
  const keeper = new Keeper(new Room({ "phaseten.version": "1" }, 60));
  const problems = problemsOf(keeper);
  keeper.remember("phaseten.scores.a", { text: "x".repeat(100) });
  assert.deepEqual(problems, [["full", "phaseten.scores.a"]]);
  assert.deepEqual(keeper.find("phaseten.scores.a"), { text: "x".repeat(100) });
  assert.deepEqual(keeper.keys("phaseten.scores."), ["phaseten.scores.a"]);
  keeper.forget("phaseten.scores.a");
  assert.deepEqual(keeper.keys("phaseten.scores."), []);
});

test("a browser that keeps nothing is no reason to stop", () => {
  const keeper = new Keeper(null);
  const problems = problemsOf(keeper);
  keeper.remember("phaseten.settings", { name: "Ana" });
  assert.deepEqual(keeper.recall("phaseten.settings", { name: "" }), { name: "Ana" });
  assert.deepEqual(problems, [["off", "phaseten.settings"]]);
});

test("tables that were not looked at for long are forgotten, and nothing else is", () => {
  const room = new Room();
  const keeper = new Keeper(room);
  keeper.remember("phaseten.scores.a", { id: "a" });
  for (let number = 0; number < 65; number++) {
    keeper.remember(`phaseten.seen.${number}`, { number });
    keeper.remember("phaseten.seen.0", { number: 0 }); // it is looked at all the time
  }
  const left = keeper.keys("phaseten.seen.");
  assert.equal(left.length, 60);
  assert.ok(left.includes("phaseten.seen.0"));
  assert.ok(left.includes("phaseten.seen.64"));
  assert.ok(!left.includes("phaseten.seen.1"));
  assert.deepEqual(keeper.find("phaseten.scores.a"), { id: "a" });
});

test("a score sheet is worth more than what was seen at tables long ago", () => {
  const room = new Room({}, 940);
  const keeper = new Keeper(room);
  const problems = problemsOf(keeper);
  for (let number = 0; number < 9; number++) keeper.remember(`phaseten.seen.${number}`, {});
  keeper.remember("phaseten.scores.a", { text: "x".repeat(600) });
  assert.deepEqual(problems, []);
  assert.ok(room.kept.has("phaseten.scores.a"));
  assert.ok(room.kept.has("phaseten.seen.8"));
  assert.ok(!room.kept.has("phaseten.seen.0"));
});

test("what another tab has written is told to whom it concerns", () => {
  const room = new Room();
  const keeper = new Keeper(room);
  const heard: string[] = [];
  const stop = keeper.follow("phaseten.scores.", (key) => heard.push(key));
  keeper.heard("phaseten.scores.a");
  keeper.heard("phaseten.settings");
  stop();
  keeper.heard("phaseten.scores.b");
  assert.deepEqual(heard, ["phaseten.scores.a"]);
});

test("the form in which things are kept has a version; a later one is left alone", () => {
  const room = new Room();
  new Keeper(room);
  assert.equal(room.kept.get("phaseten.version"), "1");
  const later = new Room({ "phaseten.version": "7" });
  new Keeper(later);
  assert.equal(later.kept.get("phaseten.version"), "7");
});
