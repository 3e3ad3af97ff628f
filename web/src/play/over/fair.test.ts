/** A server that cheats, in every way that could bring somebody other cards: each is found out, and named. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event, StepForm, Update } from "../../protocol.ts";
import { check, shuffled, unshuffled, type Seeds } from "./fair.ts";
import { fromHex, sha256, toHex } from "./sha256.ts";
import { NOTHING, seedSent, witness, type Seen } from "./witness.ts";

type Cheat =
  | "other seed"
  | "promise in the game"
  | "promise before the game"
  | "without my seed"
  | "other players' part"
  | "dealt otherwise"
  | "drawn otherwise"
  | "pile otherwise"
  | "pile too small"
  | "a card from nowhere";

const DECK = { colors: ["R", "B"], highest: 4, copies: 2, wilds: 1, skips: 1 };
const RULES = { deck: DECK, skips: "pile" };
const DEAL = 3;
const SERVER = "00".repeat(31) + "07";
const OTHER = "11".repeat(32);
const MINE = "ab".repeat(16);
const promiseOf = (seed: string) => toHex(sha256(fromHex(seed)));

/** A game of two: everybody draws and discards the card held longest. Seat 1 is told what it may see. */
class Table {
  seen: Seen = NOTHING;
  #version = 0;
  #events: Event[] = [];
  #commitment = promiseOf(SERVER);
  #client = "";
  #stage: Update["table"]["stage"] = "waiting";
  #seeds = ["", "cd".repeat(16)];
  readonly #cheat: Cheat | null;

  constructor(cheat: Cheat | null = null) {
    this.#cheat = cheat;
  }

  tell(events: readonly Event[], more: Partial<Update> = {}): void {
    const steps = events.length ? [{ events } as unknown as StepForm] : [];
    this.#events.push(...events);
    this.seen = witness(this.seen, steps, {
      version: ++this.#version,
      steps,
      table: {
        stage: this.#stage,
        commitment: this.#commitment,
        client_seed: this.#client,
        seats: this.#seeds.map((seed) => ({ seed })),
      },
      you: { seat: 1 },
      game: { hands: [] },
      ...more,
    } as unknown as Update);
  }

  /** As somebody is told who was away: the hand as everybody saw it. */
  tellAnew(): void {
    const open = this.#events.map((event): Event => {
      if (event.event === "DealSeen") return { ...event, cards: [] };
      return event.event === "DrawSeen" ? { ...event, card: null } : event;
    });
    this.tell([], { seen: open.filter(({ event }) => event !== "GameStarted") });
  }

  meet(): void {
    this.tell([]);
    this.seen = seedSent(this.seen, MINE);
    this.#seeds[0] = MINE;
    this.tell([{ event: "SeedAdded", seat: 1, text: MINE } as unknown as Event]);
    if (this.#cheat === "promise before the game") this.#commitment = promiseOf(OTHER);
    this.tell([{ event: "Said", seat: 2, text: "Ready" }]);
  }

  play(turns = 14): void {
    this.#stage = "playing";
    const seeds = this.#seeds.map((seed, index) => `${index + 1}:${seed}`);
    this.#client = (this.#cheat === "without my seed" ? seeds.slice(1) : seeds).join();
    const key = fromHex(SERVER);
    const order = shuffled(unshuffled(DECK), key, this.#client, 1);
    if (this.#cheat === "dealt otherwise") order.unshift(order.splice(9, 1)[0]!);
    const hands = [0, 1].map((seat) =>
      order.slice(0, 2 * DEAL).filter((_, index) => index % 2 === seat),
    );
    let pile = order.slice(2 * DEAL + 1);
    let discards = [order[2 * DEAL]!];
    this.tell([
      { event: "GameStarted", dealer: 2, client_seed: this.#client },
      {
        event: "DealSeen",
        hand: 1,
        dealer: 2,
        players: [1, 2],
        tiebreak: false,
        cards: [...hands[0]!],
        turned_up: discards[0]!,
        deal: DEAL,
        draw_count: pile.length,
      },
    ]);
    let shuffles = 0;
    for (let turn = 0; turn < turns; turn++) {
      const seat = (turn % 2) + 1;
      const happened: Event[] = [];
      if (!pile.length) {
        const kept = discards.slice(0, -1);
        if (this.#cheat === "pile too small") kept.pop();
        pile = shuffled(kept, key, this.#client, 1, ++shuffles);
        if (this.#cheat === "pile otherwise") pile.reverse();
        discards = discards.slice(-1);
        happened.push({ event: "ReshuffleSeen", count: pile.length });
      }
      if (turn === 2 && this.#cheat === "drawn otherwise") pile.unshift(pile.splice(3, 1)[0]!);
      const hand = hands[seat - 1]!;
      const card = pile.shift()!;
      hand.push(card);
      happened.push({ event: "DrawSeen", seat, card: seat === 1 ? card : null });
      let gone = hand.shift()!;
      discards.push(gone);
      if (turn === 3 && this.#cheat === "a card from nowhere") gone = hands[0]![0]!;
      happened.push({ event: "CardDiscarded", seat, card: gone, target: null });
      this.tell(happened);
      if (turn === 4 && this.#cheat === "promise in the game") this.#commitment = promiseOf(OTHER);
      if (turn === 4 && this.#cheat === "other players' part") this.#client += "0";
    }
  }

  end(): ReturnType<typeof check> {
    this.#stage = "finished";
    this.tell([{ event: "GameCalledOff" }]);
    const server =
      this.#commitment === promiseOf(OTHER) || this.#cheat === "other seed" ? OTHER : SERVER;
    const seeds: Seeds = { commitment: this.#commitment, server, client: this.#client };
    return check(seeds, RULES, this.seen, 1);
  }
}

function played(cheat: Cheat | null): [ReturnType<typeof check>, readonly string[]] {
  const table = new Table(cheat);
  table.meet();
  table.play();
  const atOnce = table.seen.evidence.map(({ kind }) => kind);
  return [table.end(), atOnce];
}

const FAIR = {
  isPromised: true,
  isSamePromise: true,
  isOwnSeedIn: true,
  isSameClientSeed: true,
  hands: [{ hand: 1, wrong: null }],
};

test("an honest game is found fair", () => {
  assert.deepEqual(played(null), [FAIR, []]);
});

test("another seed than was promised", () => {
  const [found] = played("other seed");
  assert.equal(found.isPromised, false);
});

test("another promise in the middle of the game is known at once, and the first one counts", () => {
  const [found, atOnce] = played("promise in the game");
  assert.deepEqual(atOnce, ["promise"]);
  assert.equal(found.isPromised, true, "the new promise is kept, of course");
  assert.equal(found.isSamePromise, false);
});

test("another promise when the players' seeds are known", () => {
  const [found, atOnce] = played("promise before the game");
  assert.deepEqual(atOnce, ["promise"]);
  assert.equal(found.isSamePromise, false);
});

test("a shuffle without one's own part is known at once", () => {
  const [found, atOnce] = played("without my seed");
  assert.deepEqual(atOnce, ["own_seed"]);
  assert.equal(found.isOwnSeedIn, false);
});

test("a players' part that changes is known at once", () => {
  const [found, atOnce] = played("other players' part");
  assert.deepEqual(atOnce, ["client_seed"]);
  assert.equal(found.isSameClientSeed, false);
});

for (const [cheat, wrong] of [
  ["dealt otherwise", "deal"],
  ["drawn otherwise", "draw"],
  ["pile otherwise", "pile"],
  ["pile too small", "pile"],
  ["a card from nowhere", "card"],
] as const) {
  test(`cards that the seeds do not give: ${cheat}`, () => {
    const [found, atOnce] = played(cheat);
    assert.deepEqual(found, { ...FAIR, hands: [{ hand: 1, wrong }] });
    assert.deepEqual(atOnce, []);
  });
}

test("who was away, or where a step was taken back, finds the same", () => {
  const table = new Table();
  table.meet();
  table.play(9);
  table.tellAnew();
  assert.deepEqual(table.end(), FAIR);
  const cheated = new Table("drawn otherwise");
  cheated.meet();
  cheated.play(9);
  cheated.tellAnew();
  assert.equal(cheated.end().hands[0]!.wrong, "draw", "one's own cards are remembered");
});

test("a rematch has another promise, and nobody is accused of that", () => {
  const table = new Table();
  table.meet();
  table.play(3);
  const before = table.seen;
  const started = { stage: "waiting", commitment: promiseOf(OTHER), client_seed: "", seats: [{}] };
  const again = { table: started, you: { seat: 1 }, game: null } as unknown as Update;
  const called = [{ events: [{ event: "RematchCalled" }] }] as unknown as StepForm[];
  for (const steps of [called, []]) {
    const now = witness(before, steps, again);
    assert.deepEqual(now.evidence, []);
    assert.equal(now.commitment, promiseOf(OTHER));
    assert.deepEqual(now.deals, []);
  }
});

test("a seed that came too late accuses nobody", () => {
  const table = new Table("without my seed");
  table.tell([]);
  table.seen = seedSent(table.seen, MINE); // the table has never shown it
  table.play(2);
  assert.deepEqual(table.seen.evidence, []);
  assert.equal(table.end().isOwnSeedIn, null);
});
