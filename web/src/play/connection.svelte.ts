/** The connection to a table. It comes back by itself, and then gets exactly what it missed. */
import { RequestFailed, get } from "../api";
import { fold } from "../protocol";
import type {
  Fit,
  Hint,
  Message,
  Need,
  Refused,
  Request,
  StepForm,
  Update,
  Welcome,
} from "../protocol";
import { languageCode } from "../words";

export type Status = "connecting" | "connected" | "lost" | "ended";

/** Close codes after which coming back is of no use: no such table, or not allowed to look. */
const FINAL = [4404, 1008];
const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 8_000;
/** A network that is gone closes no connection: nothing comes any more, and nobody says so. */
const LONGEST_ANSWER = 4_000;
/** After so long a silence it is asked whether anybody is still there. */
const LONGEST_SILENCE = 20_000;
/** The number of what the page asks by itself: a refusal of that is nobody's business. */
const UNASKED = 1;

export interface Listener {
  /** What happened since the last update; empty where the page starts anew. */
  heard?(steps: readonly StepForm[], update: Update, before: Update | null): void;
  refused?(refusal: Refused): void;
  hinted?(hint: Hint): void;
  /** Whether cards can lie together in a slot of the Phase. */
  judged?(fit: Fit): void;
  /** The connection is there, for the first time or again. */
  welcomed?(welcome: Welcome): void;
}

type Unsent<Kind> = Kind extends Request ? Omit<Kind, "at" | "id"> : never;

export class TableConnection {
  status = $state<Status>("connecting");
  welcome = $state.raw<Welcome | null>(null);
  update = $state.raw<Update | null>(null);
  refusal = $state.raw<Refused | null>(null);
  /** Whether a move is under way: what was chosen on an older game would be refused. */
  waiting = $state(false);
  /** How far the player's own cards go toward the Phase, as the server has counted. */
  need = $state.raw<Need | null>(null);
  /** How far the server's clock is ahead of this one, in milliseconds. */
  ahead = $state(0);

  #socket: WebSocket | null = null;
  #pause = FIRST_PAUSE;
  #timer = 0;
  /** Runs while something has to come. */
  #watch = 0;
  #closed = false;
  /** The cards for which it was last asked what they lack. */
  #counted = "";

  constructor(
    readonly code: string,
    private readonly listener: Listener = {},
  ) {
    this.#open();
    window.addEventListener("online", this.#retryNow);
    window.addEventListener("offline", this.#giveUp);
    document.addEventListener("visibilitychange", this.#retryNow);
  }

  /** Ask for something; actions carry the version that the player saw. */
  send(request: Unsent<Request>): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const at = isAction(request) ? { at: this.update?.version ?? 0 } : {};
    const id = request.do === "seed" ? { id: UNASKED } : {};
    this.refusal = null;
    // Who has said something, or waits for advice, may move all the same.
    this.waiting ||= isAction(request) && !takesTime(request);
    this.#socket.send(JSON.stringify({ ...request, ...at, ...id }));
    if (!takesTime(request)) this.#expect(LONGEST_ANSWER, this.#giveUp);
  }

  close(): void {
    this.#closed = true;
    window.clearTimeout(this.#timer);
    window.removeEventListener("online", this.#retryNow);
    window.removeEventListener("offline", this.#giveUp);
    document.removeEventListener("visibilitychange", this.#retryNow);
    this.#abandon();
  }

  #open(): void {
    this.#abandon(); // what two connections tell would be heard twice
    const after = this.update ? `&after=${this.update.version}` : "";
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/api/tables/${this.code}/play`;
    const socket = new WebSocket(`${address}?language=${languageCode()}${after}`);
    this.#socket = socket;
    this.#counted = "";
    socket.onmessage = (message) => {
      this.#expect(LONGEST_SILENCE, this.#probe);
      this.#hear(JSON.parse(message.data as string) as Message);
    };
    socket.onclose = (event) => this.#lose(event.code);
    this.#expect(LONGEST_ANSWER, this.#giveUp);
  }

  #abandon(): void {
    window.clearTimeout(this.#watch);
    if (!this.#socket) return;
    this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close();
    this.#socket = null;
  }

  #expect(time: number, otherwise: () => void): void {
    window.clearTimeout(this.#watch);
    this.#watch = window.setTimeout(otherwise, time);
  }

  /** Whatever the answer is, there is one: also to somebody who only watches. */
  #probe = (): void => {
    this.#socket?.send(JSON.stringify({ do: "need", at: this.update?.version ?? 0, id: UNASKED }));
    this.#expect(LONGEST_ANSWER, this.#giveUp);
  };

  #giveUp = (): void => {
    if (!this.#socket) return;
    this.#abandon();
    this.#lose(0);
  };

  #hear(message: Message): void {
    switch (message.type) {
      case "welcome":
        this.welcome = message;
        this.status = "connected";
        this.#pause = FIRST_PAUSE;
        this.ahead = message.now - Date.now();
        this.listener.welcomed?.(message);
        break;
      case "hint":
        this.listener.hinted?.(message);
        break;
      case "fit":
        this.listener.judged?.(message);
        break;
      case "update":
        this.#follow(message);
        break;
      case "change":
        if (this.update) this.#follow(fold(this.update, message));
        break;
      case "need":
        this.need = message;
        break;
      case "refused":
        if (message.id === UNASKED) {
          this.#counted = ""; // the next update asks again
          break;
        }
        this.refusal = message;
        this.waiting = false;
        this.listener.refused?.(message);
        break;
    }
  }

  #follow(update: Update): void {
    const before = this.update;
    this.update = update;
    this.waiting = false;
    this.listener.heard?.(update.steps, update, before);
    this.#askNeed(update);
  }

  /** Ask what the player's own cards lack, whenever they have changed. */
  #askNeed({ version, game, you }: Update): void {
    const board = game?.board;
    const mayLay = you.seat && board?.made[you.seat - 1] === 0 && board.players.includes(you.seat);
    const cards = mayLay ? [board.hand, ...[...game!.held].sort()].join() : "";
    if (cards === this.#counted || this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#counted = cards;
    if (cards) this.#socket.send(JSON.stringify({ do: "need", at: version, id: UNASKED }));
    else this.need = null;
  }

  #lose(code: number): void {
    this.waiting = false;
    window.clearTimeout(this.#watch);
    if (this.#closed) return;
    if (FINAL.includes(code)) {
      this.status = "ended";
      return;
    }
    this.status = "lost";
    if (!this.welcome) void this.#lookForTable();
    this.#timer = window.setTimeout(() => this.#open(), this.#pause * (0.5 + Math.random()));
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  /** A browser does not say why nothing came about; whether there is such a table can be asked. */
  async #lookForTable(): Promise<void> {
    try {
      await get(`/tables/${this.code}`);
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.status !== 404) return;
      window.clearTimeout(this.#timer);
      this.#abandon();
      this.status = "ended";
    }
  }

  #retryNow = (): void => {
    if (this.status !== "lost" || document.hidden) return;
    window.clearTimeout(this.#timer);
    this.#open();
  };
}

/** What a table asks of its connection; a finished game that is shown again is one too. */
export type Connection = Pick<TableConnection, keyof TableConnection>;

const ACTIONS = ["draw", "take", "nothing", "lay", "hit", "discard", "undo", "hint", "explain"];

/** A bot that is asked for advice may think as long as it likes. */
function takesTime(request: { do: string }): boolean {
  return request.do === "hint" || request.do === "explain";
}

function isAction(request: { do: string }): boolean {
  return ACTIONS.includes(request.do);
}
