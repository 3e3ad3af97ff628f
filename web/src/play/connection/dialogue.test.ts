/** A scripted server: what is asked over a connection that breaks is done once, and every answer finds its request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PROTOCOL, type Message, type Refused, type Update } from "../../protocol.ts";
import type { Connection, Listener, Status, Unsent } from "./connection.ts";
import { Dialogue } from "./dialogue.ts";
import type { Receiver, Transport } from "./transport.ts";

class Talk extends Dialogue {
  status: Status = "connecting";
  welcome: Connection["welcome"] = null;
  update: Connection["update"] = null;
  refusal: Connection["refusal"] = null;
  waiting = false;
  need: Connection["need"] = null;
  ahead = 0;

  constructor(listener: Listener, server: Server) {
    super("ABCD", listener);
    this.open((_code, receiver) => {
      server.receiver = receiver;
      return server;
    });
  }
}

interface Asked {
  readonly do: string;
  readonly id: number;
  readonly at: number;
}

class Server implements Transport {
  receiver!: Receiver;
  isOpen = false;
  isClosed = false;
  heard: Asked[] = [];

  send(text: string): void {
    if (this.isOpen) this.heard.push(JSON.parse(text) as Asked);
  }
  close(): void {
    this.isClosed = true;
  }
  open(version: number, protocol: number = PROTOCOL): void {
    this.isOpen = true;
    this.heard = [];
    this.say({ type: "welcome", protocol, now: Date.now() } as Message);
    this.tell(version);
  }
  breaks(how: "for good" | "for now" = "for now"): void {
    this.isOpen = false;
    this.receiver.lose(how);
  }
  tell(version: number): void {
    this.say({ ...STANDING, version });
  }
  done(id: number): void {
    this.say({ type: "done", version: 1, id });
  }
  refuse(id: number, reason: string): void {
    this.say({ type: "refused", rule: "TABLE", reason, sentence: "No.", version: 1, id });
  }
  say(message: Message): void {
    this.receiver.hear(message);
  }
  get asked(): string[] {
    return this.heard.map((one) => one.do);
  }
}

const STANDING = {
  type: "update",
  steps: [],
  table: {},
  you: { seat: 1 },
  game: null,
  actions: [],
} as unknown as Update;

function connected(listener: Listener = {}): [Talk, Server] {
  const server = new Server();
  const talk = new Talk(listener, server);
  server.open(7);
  return [talk, server];
}

test("a request has a number of its own and the version on which it was chosen", () => {
  const [talk, server] = connected();
  talk.send({ do: "draw" });
  talk.send({ do: "say", text: "Hello" });
  assert.deepEqual(
    server.heard.map(({ at }) => at),
    [7, 7],
  );
  assert.notEqual(server.heard[0]!.id, server.heard[1]!.id);
});

test("a move is under way until its own answer has come", () => {
  const done: Unsent[] = [];
  const [talk, server] = connected({ done: (request) => done.push(request) });
  talk.send({ do: "say", text: "Hello" });
  assert.equal(talk.waiting, false);
  talk.send({ do: "draw" });
  assert.equal(talk.waiting, true);
  server.done(server.heard[0]!.id); // of what was said
  server.tell(8); // something of somebody else
  assert.equal(talk.waiting, true);
  server.done(server.heard[1]!.id);
  assert.equal(talk.waiting, false);
  assert.deepEqual(done, [{ do: "say", text: "Hello" }, { do: "draw" }]);
});

test("what got no answer is sent again in the same words when the connection is back", () => {
  const [talk, server] = connected();
  talk.send({ do: "draw" });
  const [first] = server.heard;
  server.breaks();
  assert.equal(talk.waiting, true);
  server.open(8);
  assert.deepEqual(server.heard, [first]);
  server.done(first!.id);
  server.breaks();
  server.open(8);
  assert.deepEqual(server.asked, []);
});

test("what is asked while the network is away is asked as soon as it is known how things stand", () => {
  const [talk, server] = connected();
  server.breaks();
  talk.send({ do: "discard", card: "R5" });
  talk.send({ do: "say", text: "Sorry" });
  talk.send({ do: "hurry" }); // nobody misses it later
  assert.deepEqual(server.asked, []);
  assert.equal(talk.waiting, true);
  server.breaks(); // it was tried in vain
  server.open(9);
  assert.deepEqual(
    server.heard.map((one) => [one.do, one.at]),
    [
      ["discard", 7],
      ["say", 7],
    ],
  );
});

test("what is asked before the first welcome is not lost either", () => {
  const server = new Server();
  const talk = new Talk({}, server);
  talk.send({ do: "leave" });
  server.open(3);
  assert.deepEqual(server.asked, ["leave"]);
});

test("new options come with another welcome, and nothing is said twice for that", () => {
  const [talk, server] = connected();
  talk.send({ do: "draw" });
  server.say({ type: "welcome", protocol: PROTOCOL, now: 0 } as Message);
  server.tell(8);
  assert.deepEqual(server.asked, ["draw"]);
});

test("a refusal says which request it was; of what a page asks by itself nobody hears", () => {
  const refused: [string, string | undefined][] = [];
  const [talk, server] = connected({
    refused: ({ reason }: Refused, request) => refused.push([reason, request?.do]),
  });
  talk.send({ do: "seed", text: "abc" });
  talk.send({ do: "draw" });
  server.refuse(server.heard[0]!.id, "late");
  assert.equal(talk.waiting, true);
  server.refuse(server.heard[1]!.id, "stale");
  assert.deepEqual(refused, [["stale", "draw"]]);
  assert.equal(talk.waiting, false);
  assert.equal(talk.refusal?.reason, "stale");
});

test("a request of which nobody knows whether it was done is sent again", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const [talk, server] = connected({ refused: () => assert.fail("it is not refused") });
  talk.send({ do: "draw" });
  const [first] = server.heard;
  server.refuse(first!.id, "unknown");
  assert.equal(talk.waiting, true);
  t.mock.timers.tick(2_000);
  assert.deepEqual(server.heard, [first, first]);
  server.done(first!.id);
  assert.equal(talk.waiting, false);
});

test("where nothing can come back any more nothing is kept", () => {
  const [talk, server] = connected();
  talk.send({ do: "draw" });
  server.breaks("for good");
  assert.equal(talk.status, "ended");
  assert.equal(talk.waiting, false);
});

test("a server that speaks another version is not talked to", () => {
  const server = new Server();
  const talk = new Talk({}, server);
  talk.send({ do: "draw" });
  server.open(1, PROTOCOL + 1);
  assert.equal(talk.status, "outdated");
  assert.equal(talk.waiting, false);
  assert.ok(server.isClosed);
  assert.deepEqual(server.asked, []);
});

test("what the cards lack is asked once for the same cards, and again after a loss", () => {
  const [talk, server] = connected();
  const board = { hand: 1, players: [1, 2], made: [0, 0] };
  const dealt = (version: number, held: string[]) =>
    ({ ...STANDING, version, game: { held, board } }) as unknown as Update;
  server.say(dealt(8, ["R5", "R6"]));
  server.say(dealt(9, ["R6", "R5"]));
  assert.deepEqual(server.asked, ["need"]);
  server.breaks();
  server.open(9);
  server.say(dealt(10, ["R6", "R5"]));
  assert.deepEqual(server.asked, ["need"]);
  assert.equal(talk.waiting, false);
});
