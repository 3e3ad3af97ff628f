/** Carries messages to a table and back: over a WebSocket, or to a worker in the same browser. */
import type { Message } from "../../protocol.ts";

export interface Transport {
  /** Carry this; who is patient does not take a missing answer for a broken connection. Dropped while there is none. */
  send(text: string, patience?: "soon" | "whenever"): void;
  close(): void;
}

/** What a transport tells. After every new connection a `welcome` is heard first. */
export interface Receiver {
  hear(message: Message): void;
  /** Nothing comes through any more: for good, or until it is there again by itself. */
  lose(how: "for good" | "for now"): void;
  /** Nothing was heard for long: send something that is answered. */
  probe(): void;
  /** The last version that was heard: a new connection tells what happened since. */
  version(): number | null;
}

export type OpenTransport = (code: string, receiver: Receiver) => Transport;
