/**
 * What a table asks of its connection: how things stand, and a way to ask for something.
 *
 * A server is behind it (`TableConnection`), or a game that is shown again (`Film`), or whatever else can tell updates.
 * What goes over a wire is made of three parts: a `Transport` carries messages and comes back by itself, the `Outbox`
 * knows which requests have no answer yet, and `Dialogue` puts both together and folds what is heard.
 */
import type {
  Fit,
  Hint,
  Need,
  Refused,
  Remark,
  Request,
  StepForm,
  Update,
  Welcome,
} from "../../protocol.ts";

/** `outdated`: the server speaks another version of the protocol, and the page has to be loaded again. */
export type Status = "connecting" | "connected" | "lost" | "ended" | "outdated";

/** A request as a table makes it; where it was chosen, and its number, are the connection's business. */
export type Unsent<Kind = Request> = Kind extends Request ? Omit<Kind, "at" | "id"> : never;

export interface Connection {
  readonly code: string;
  readonly status: Status;
  readonly welcome: Welcome | null;
  readonly update: Update | null;
  /** The last request that was not carried out, until another one is made. */
  readonly refusal: Refused | null;
  /** Whether a move is under way: what was chosen on an older game would be refused. */
  readonly waiting: boolean;
  /** How far the player's own cards go toward the Phase, as the server has counted. */
  readonly need: Need | null;
  /** How far the server's clock is ahead of this one, in milliseconds. */
  readonly ahead: number;
  /** Ask for something. What cannot be sent now is sent as soon as it can be. */
  send(request: Unsent): void;
  close(): void;
}

/** What is told beside how things stand: each when the connection knows it already. */
export interface Listener {
  /** What happened since the last update; empty where the page starts anew. */
  heard?(steps: readonly StepForm[], update: Update, before: Update | null): void;
  refused?(refusal: Refused, request: Unsent | null): void;
  /** A request was carried out. */
  done?(request: Unsent): void;
  hinted?(hint: Hint): void;
  /** Whether cards can lie together in a slot of the Phase. */
  judged?(fit: Fit): void;
  /** What the coach says about a move of one's own. */
  remarked?(remark: Remark): void;
  /** What happened in this game before one came. */
  recalled?(steps: readonly StepForm[]): void;
  /** The connection is there, for the first time or again. */
  welcomed?(welcome: Welcome): void;
  /** Nothing will come any more. */
  ended?(): void;
}

/** Opens a connection to the table of that code. */
export type Connect = (code: string, listener: Listener) => Connection;
