/** Talks with a table: what is heard is folded into how things stand, what is asked for is kept until it is answered. */
import {
  PROTOCOL,
  fold,
  type Message,
  type Need,
  type Refused,
  type Update,
  type Welcome,
} from "../../protocol.ts";
import type { Connection, Listener, Status, Unsent } from "./connection.ts";
import { Outbox, isQuiet, isSlow, written, type Letter } from "./outbox.ts";
import type { OpenTransport, Receiver, Transport } from "./transport.ts";

/** Until a request is sent again whose fate the server does not know. */
const SECOND_TRY = 1_000;

/** Who shows it keeps the fields, so that a page can follow them. */
export abstract class Dialogue implements Connection {
  abstract status: Status;
  abstract welcome: Welcome | null;
  abstract update: Update | null;
  abstract refusal: Refused | null;
  abstract waiting: boolean;
  abstract need: Need | null;
  abstract ahead: number;

  readonly code: string;
  readonly #listener: Listener;
  readonly #outbox = new Outbox();
  #transport: Transport | null = null;
  /** Whether what was said before has to be said again, as soon as it is known how things stand. */
  #isBack = false;
  /** The cards for which it was last asked what they lack. */
  #counted = "";
  #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(code: string, listener: Listener) {
    this.code = code;
    this.#listener = listener;
  }

  /** Called once, when the fields are there. */
  protected open(transport: OpenTransport): void {
    const receiver: Receiver = {
      hear: (message) => this.#hear(message),
      lose: (how) => this.#lose(how),
      probe: () => this.#ask({ do: "need" }),
      version: () => this.update?.version ?? null,
    };
    this.#transport = transport(this.code, receiver);
  }

  send(request: Unsent): void {
    if (this.status === "ended" || this.status === "outdated") return;
    this.refusal = null;
    this.#ask(request);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#transport?.close();
    this.#outbox.clear();
  }

  #ask(request: Unsent): void {
    const letter = this.#outbox.add(request, this.update?.version ?? 0);
    this.waiting = this.#outbox.hasMove;
    if (this.status === "connected" && !this.#isBack) this.#post(letter);
  }

  #post(letter: Letter): void {
    this.#transport?.send(written(letter), isSlow(letter) ? "whenever" : "soon");
  }

  #hear(message: Message): void {
    switch (message.type) {
      case "welcome":
        return this.#greet(message);
      case "update":
        return this.#follow(message);
      case "change":
        if (this.update) this.#follow(fold(this.update, message));
        return;
      case "need":
        this.#answered(message.id);
        this.need = message;
        return;
      case "hint":
        this.#answered(message.id);
        return this.#listener.hinted?.(message);
      case "fit":
        this.#answered(message.id);
        return this.#listener.judged?.(message);
      case "past":
        this.#answered(message.id);
        return this.#listener.recalled?.(message.steps);
      case "remark":
        return this.#listener.remarked?.(message);
      case "done": {
        const letter = this.#answered(message.id);
        if (letter) this.#listener.done?.(letter.request);
        return;
      }
      case "refused":
        return this.#refuse(message);
    }
  }

  #greet(message: Welcome): void {
    if (message.protocol !== PROTOCOL) {
      this.close();
      this.waiting = false;
      this.status = "outdated";
      return;
    }
    this.#isBack ||= this.status !== "connected";
    this.welcome = message;
    this.status = "connected";
    this.ahead = message.now - Date.now();
    this.#listener.welcomed?.(message);
  }

  #follow(update: Update): void {
    const before = this.update;
    this.update = update;
    this.#listener.heard?.(update.steps, update, before);
    if (this.#isBack) {
      this.#isBack = false;
      for (const letter of this.#outbox.letters) this.#post(letter);
    }
    this.#askNeed(update);
  }

  #refuse(message: Refused): void {
    const letter = this.#answered(message.id);
    if (letter && message.reason === "unknown") {
      this.#outbox.keep(letter);
      this.waiting = this.#outbox.hasMove;
      this.#after(SECOND_TRY, () => this.#post(letter));
      return;
    }
    if (letter?.request.do === "need") this.#counted = ""; // the next update asks again
    if (letter && isQuiet(letter)) return;
    this.refusal = message;
    this.#listener.refused?.(message, letter?.request ?? null);
  }

  #answered(id: number | undefined): Letter | null {
    const letter = this.#outbox.answered(id);
    this.waiting = this.#outbox.hasMove;
    return letter;
  }

  /** Ask what the player's own cards lack, whenever they have changed. */
  #askNeed({ game, you }: Update): void {
    const board = game?.board;
    const mayLay = you.seat && board?.made[you.seat - 1] === 0 && board.players.includes(you.seat);
    const cards = mayLay ? [board.hand, ...[...game!.held].sort()].join() : "";
    if (cards === this.#counted) return;
    this.#counted = cards;
    if (cards) this.#ask({ do: "need" });
    else this.need = null;
  }

  #lose(how: "for good" | "for now"): void {
    this.#counted = "";
    this.#outbox.lose();
    if (how === "for good") this.#outbox.clear();
    this.waiting = this.#outbox.hasMove;
    this.status = how === "for good" ? "ended" : "lost";
    if (how === "for good") this.#listener.ended?.();
  }

  #after(time: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, time);
    this.#timers.add(timer);
  }
}
