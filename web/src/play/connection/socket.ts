/** A WebSocket to the server. It comes back by itself, and notices when a network is gone without a word. */
import { RequestFailed, get } from "../../api";
import type { Message } from "../../protocol";
import { languageCode } from "../../words";
import type { Receiver, Transport } from "./transport";

/** Close codes after which coming back is of no use: no such table, or not allowed to look. */
const FINAL = [4404, 1008];
const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 8_000;
/** A network that is gone closes no connection: nothing comes any more, and nobody says so. */
const LONGEST_ANSWER = 4_000;
/** After so long a silence it is asked whether anybody is still there. */
const LONGEST_SILENCE = 20_000;

export class SocketTransport implements Transport {
  readonly #code: string;
  readonly #receiver: Receiver;
  #socket: WebSocket | null = null;
  #pause = FIRST_PAUSE;
  /** Runs until it is tried again. */
  #timer = 0;
  /** Runs while something has to come. */
  #watch = 0;
  #isLost = false;
  #isWelcome = false;

  constructor(code: string, receiver: Receiver) {
    this.#code = code;
    this.#receiver = receiver;
    this.#open();
    window.addEventListener("online", this.#retryNow);
    window.addEventListener("offline", this.#giveUp);
    document.addEventListener("visibilitychange", this.#retryNow);
  }

  send(text: string, patience: "soon" | "whenever" = "soon"): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(text);
    if (patience === "soon") this.#expect(LONGEST_ANSWER, this.#giveUp);
  }

  close(): void {
    window.clearTimeout(this.#timer);
    window.removeEventListener("online", this.#retryNow);
    window.removeEventListener("offline", this.#giveUp);
    document.removeEventListener("visibilitychange", this.#retryNow);
    this.#abandon();
  }

  #open(): void {
    this.#abandon(); // what two connections tell would be heard twice
    this.#isLost = false;
    const version = this.#receiver.version();
    const after = version === null ? "" : `&after=${version}`;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/api/tables/${this.#code}/play`;
    const socket = new WebSocket(`${address}?language=${languageCode()}${after}`);
    this.#socket = socket;
    socket.onmessage = (message) => {
      this.#expect(LONGEST_SILENCE, () => this.#receiver.probe());
      const heard = JSON.parse(message.data as string) as Message;
      if (heard.type === "welcome") {
        this.#isWelcome = true;
        this.#pause = FIRST_PAUSE;
      }
      this.#receiver.hear(heard);
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

  #giveUp = (): void => {
    if (!this.#socket) return;
    this.#abandon();
    this.#lose(0);
  };

  #lose(code: number): void {
    window.clearTimeout(this.#watch);
    if (FINAL.includes(code)) return this.#end();
    this.#isLost = true;
    this.#timer = window.setTimeout(() => this.#open(), this.#pause * (0.5 + Math.random()));
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
    this.#receiver.lose("for now");
    if (!this.#isWelcome) void this.#lookForTable();
  }

  #end(): void {
    this.close();
    this.#receiver.lose("for good");
  }

  /** A browser does not say why nothing came about; whether there is such a table can be asked. */
  async #lookForTable(): Promise<void> {
    try {
      await get(`/tables/${this.#code}`);
    } catch (error) {
      if (error instanceof RequestFailed && error.status === 404) this.#end();
    }
  }

  #retryNow = (): void => {
    if (!this.#isLost || document.hidden) return;
    window.clearTimeout(this.#timer);
    this.#open();
  };
}
