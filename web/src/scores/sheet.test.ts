/**
 * The arithmetic of the score keeper, by the rules of the rulebook; run with `node --test`. Where
 * PHASETEN_GAMES names a file, the games in it, which the referee has scored, must come out the same.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readEditions } from "../../make/editions.ts";
import { csvOf } from "./csv.ts";
import {
  cardsFor,
  deckOf,
  isComplete,
  madePhases,
  newHand,
  openPhases,
  phaseCurves,
  phaseOf,
  phasesOf,
  pointsOf,
  standings,
  type Edition,
  type Entry,
  type Hand,
  type Sheet,
} from "./sheet.ts";
import { possibleSums, warningsOf, type Problem } from "./warnings.ts";

const editions = readEditions() as Edition[];
const edition = (name: string) => editions.find((one) => one.name === name)!;
const classic = edition("classic");
const express = edition("express");

/** Hands in short: `"0* 60- 35+"` is seat 0 out, 60 and the Phase failed, 35 and the Phase made. */
function hand(text: string): Hand {
  const words = text.split(" ");
  return {
    out: words.findIndex((word) => word.endsWith("*")),
    entries: words.map((word): Entry | null =>
      word === "." ? null : { points: parseInt(word), made: !word.endsWith("-") },
    ),
  };
}

function sheet(players: number, hands: readonly string[], changes: Partial<Sheet> = {}): Sheet {
  const names = ["Ana", "Bo", "Cy", "Di", "Ed", "Flo"].slice(0, players);
  return {
    edition: "classic",
    variant: "standard",
    any_order: false,
    players: names,
    dealer: 0,
    hands: hands.map(hand),
    ...changes,
  };
}

const end = (one: Sheet, by = edition(one.edition)) => standings(one, by).at(-1)!;
const times = (count: number, text: string) => Array.from({ length: count }, () => text);

test("G-POINTS: what cards cost", () => {
  assert.equal(pointsOf({ low: 2, high: 1, skip: 1, wild: 1 }), 60);
});

test("the decks of the editions", () => {
  assert.deepEqual(deckOf(classic), { low: 72, high: 24, skip: 4, wild: 8 });
  assert.deepEqual(deckOf(express), { low: 36, high: 12, skip: 3, wild: 3 });
});

test("the cards of a Phase; a run of pairs counts pairs", () => {
  assert.deepEqual(
    [1, 6, 8, 10].map((phase) => cardsFor(classic, phase)),
    [6, 9, 7, 8],
  );
  assert.equal(cardsFor(express, 4), 4);
});

test("V2, V3: which Phases are played", () => {
  assert.deepEqual(phasesOf(classic, "phases=5"), [1, 2, 3, 4, 5]);
  assert.deepEqual(phasesOf(classic, "even"), [2, 4, 6, 8, 10]);
  assert.deepEqual(phasesOf(classic, "phases=5,even"), [2, 4]);
});

test("G-ADVANCE: whoever made it moves on", () => {
  const one = sheet(3, ["35+ 60- 0*"]);
  const now = end(one);
  assert.deepEqual(now.totals, [35, 60, 0]);
  assert.deepEqual(
    [0, 1, 2].map((seat) => phaseOf(one, classic, now, seat)),
    [2, 1, 2],
  );
});

test("H-NEXT: the deal passes to the left, and round", () => {
  const one = sheet(3, ["0* 60- 50-", "0* 60- 50-"], { dealer: 1 });
  assert.deepEqual(
    standings(one, classic).map(({ dealer }) => dealer),
    [1, 2, 0],
  );
});

test("G-WIN: the only one who completes the last Phase wins, whatever the points", () => {
  const one = sheet(2, [...times(4, "95+ 0*"), "60+ 50-"], { variant: "phases=5" });
  assert.equal(end(one).winner, 0);
});

test("G-WIN: of several the fewest points, no matter who went out", () => {
  const one = sheet(3, ["0* 5+ 50-", "10+ 0* 50-"], { variant: "phases=2" });
  assert.equal(end(one).winner, 1);
  assert.deepEqual(end(one).totals, [10, 5, 100]);
});

test("G-TIE: the tied play on alone, the first to go out wins, points change nothing", () => {
  const tied = sheet(3, ["0* 20+ 50-", "20+ 0* 50-"], { variant: "phases=2" });
  const before = end(tied);
  assert.deepEqual([before.tied, before.playing, before.winner], [[0, 1], [0, 1], null]);
  assert.equal(before.dealer, 2); // who does not play deals all the same
  assert.equal(phaseOf(tied, classic, before, 0), 2);
  const blank = newHand(before);
  assert.deepEqual(blank.entries, [
    { points: null, made: false },
    { points: null, made: false },
    null,
  ]);
  const played = { ...tied, hands: [...tied.hands, hand("60- 0* .")] };
  const after = end(played);
  assert.deepEqual([after.winner, after.totals, after.tied], [1, [20, 20, 100], []]);
  assert.deepEqual(madePhases(played, classic, standings(played, classic)), [[1, 2], [1, 2], []]);
});

test("V1: everybody moves on, and the fewest points win after the last hand", () => {
  const one = sheet(2, ["0* 60-", "60- 0*", "0* 15+"], { variant: "ten-hands,phases=3" });
  const all = standings(one, classic);
  assert.deepEqual(
    all.slice(0, 3).map((standing) => phaseOf(one, classic, standing, 1)),
    [1, 2, 3],
  );
  assert.deepEqual([all[2]!.winner, all[3]!.winner], [null, 0]);
  assert.deepEqual(phaseCurves(one, classic, all), [
    [0, 1, 1, 2],
    [0, 0, 1, 2],
  ]);
});

test("V1: a tie is played off", () => {
  const one = sheet(3, ["0* 60- 60-", "60- 0* 60-"], { variant: "ten-hands,phases=2" });
  assert.deepEqual(end(one).tied, [0, 1]);
});

test("choose_phase: Phases in any order, each once", () => {
  const one: Sheet = {
    ...sheet(2, []),
    any_order: true,
    hands: [
      {
        out: 1,
        entries: [
          { points: 5, made: true, phase: 4 },
          { points: 0, made: true },
        ],
      },
    ],
  };
  const now = end(one);
  assert.deepEqual(openPhases(one, classic, now, 0), [1, 2, 3, 5, 6, 7, 8, 9, 10]);
  assert.deepEqual(openPhases(one, classic, now, 1), [2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test("nothing counts after the end", () => {
  const one = sheet(2, ["0* 60-", "0* 60-"], { variant: "phases=1" });
  assert.deepEqual(end(one).totals, [0, 60]);
  assert.deepEqual(problems(one, 1), ["after_end"]);
});

test("a hand is complete when all points are there, even if nobody is out (H-DEAD)", () => {
  assert.ok(isComplete(hand("0* 60- 5+")));
  assert.ok(isComplete({ ...hand("5+ 60-"), out: null }));
  assert.ok(!isComplete(newHand(standings(sheet(2, []), classic)[0]!)));
});

function problems(one: Sheet, index = one.hands.length - 1): Problem[] {
  const by = edition(one.edition);
  const found = warningsOf(one, by, standings(one, by)[index]!, one.hands[index]!);
  return found.map(({ problem }) => problem);
}
const wrong = (text: string, changes: Partial<Sheet> = {}) =>
  problems(sheet(text.split(" ").length, [text], changes));

test("warnings: what is right is not doubted", () => {
  assert.deepEqual(wrong("0* 50- 230- 5+ 100+"), []);
  assert.deepEqual(wrong("0* 25- 5+ 25+", { edition: "express" }), []);
});

test("warnings: going out", () => {
  assert.deepEqual(wrong("5* 60-"), ["out_with_points"]);
});

test("warnings: nobody out, out without a Phase", () => {
  const one = sheet(2, []);
  const entries = [
    { points: 5, made: true },
    { points: 60, made: false },
  ];
  assert.deepEqual(problems({ ...one, hands: [{ out: null, entries }] }), ["nobody_out"]);
  const failed = [
    { points: 0, made: false },
    { points: 60, made: false },
  ];
  assert.deepEqual(problems({ ...one, hands: [{ out: 0, entries: failed }] }), [
    "out_without_phase",
  ]);
});

test("warnings: G-POINTS comes in fives, and 0 is for whoever went out", () => {
  assert.deepEqual(wrong("0* 57-"), ["fives"]);
  assert.deepEqual(wrong("0* 0+"), ["nothing_left"]);
});

test("warnings: whoever failed still holds all cards", () => {
  assert.deepEqual(wrong("0* 45-"), ["failed_fewest"]);
  assert.deepEqual(wrong("0* 235-"), ["failed_most"]);
  assert.deepEqual(wrong("0* 20-", { edition: "express" }), ["failed_fewest"]);
  assert.deepEqual(wrong("0* 115-", { edition: "express" }), ["failed_most"]);
});

test("warnings: what a Phase leaves over", () => {
  assert.deepEqual(wrong("0* 105+"), ["made_most"]); // Phase 1: four cards
  assert.deepEqual(wrong("0* 20+", { edition: "express" }), ["made_sum"]); // one card
  assert.deepEqual(wrong("0* 30+", { edition: "express" }), ["made_most"]);
});

test("warnings: cards that were counted", () => {
  const cards = { low: 9, high: 0, skip: 0, wild: 0 };
  const entries = [
    { points: 0, made: true },
    { points: 45, made: false, cards },
    { points: 45, made: true, cards },
    { points: 225, made: false, cards: { ...cards, low: 1, wild: 9 } },
  ];
  const one: Sheet = { ...sheet(4, []), hands: [{ out: 0, entries }] };
  assert.deepEqual(problems(one), ["failed_cards", "made_cards", "deck"]);
});

test("every sum that is possible, and no other", () => {
  assert.deepEqual(
    [...possibleSums(express, 1)].sort((a, b) => a - b),
    [5, 10, 15, 25],
  );
  const most = Math.max(...possibleSums(classic, 10));
  assert.equal(most, 8 * 25 + 2 * 15);
});

test("CSV: quotes, and no formulas", () => {
  const one = { ...sheet(2, ["0* 60-"]), players: ['=A "1", x', "Bo"] };
  assert.equal(
    csvOf(one, classic),
    "hand,player,points,phase,out,dealer,tiebreak,total\r\n" +
      '1,"\'=A ""1"", x",0,1,1,1,0,0\r\n1,Bo,60,,0,0,0,60\r\n',
  );
});

interface Played {
  sheet: Sheet;
  /** By seat from 0, as the referee had it before each hand and at the end. */
  left: number[][][];
  totals: number[][];
  dealers: number[];
  tied: number[][];
  winner: number | null;
}

test("games that the referee has scored", { skip: !process.env["PHASETEN_GAMES"] }, () => {
  const games = JSON.parse(readFileSync(process.env["PHASETEN_GAMES"]!, "utf-8")) as Played[];
  assert.ok(games.length > 0);
  for (const game of games) {
    const all = standings(game.sheet, edition(game.sheet.edition));
    assert.deepEqual(
      all.map(({ totals }) => totals),
      game.totals,
    );
    assert.deepEqual(
      all.map(({ left }) => left),
      game.left,
    );
    assert.deepEqual(
      all.map(({ dealer }) => dealer),
      game.dealers,
    );
    assert.deepEqual(
      all.map(({ tied }) => tied),
      game.tied,
    );
    assert.equal(all.at(-1)!.winner, game.winner);
    // That nobody is out is rare enough to be asked about, and right (H-DEAD).
    game.sheet.hands.forEach(({ out }, index) =>
      assert.deepEqual(problems(game.sheet, index), out === null ? ["nobody_out"] : []),
    );
  }
});
