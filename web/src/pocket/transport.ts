/** Carries messages to a table on this device, and back. Nothing is lost on this way: it is never broken off. */
import type { Receiver, Transport } from "../play/connection/transport";
import type { Message } from "../protocol";
import { languageCode } from "../words";
import { holderOf } from "./holder.svelte";
import { ask, listen, stopListening } from "./pocket.svelte";

export class WorkerTransport implements Transport {
  readonly #receiver: Receiver;
  #isClosed = false;

  constructor(code: string, receiver: Receiver) {
    this.#receiver = receiver;
    void this.#join(code);
  }

  send(text: string): void {
    if (!this.#isClosed) void ask("hear", { text });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // When the phone is passed on, the next one has come before this one goes.
    if (stopListening(this.#hear)) void ask("leave", {});
  }

  #hear = (text: string): void => this.#receiver.hear(JSON.parse(text) as Message);

  async #join(code: string): Promise<void> {
    listen(this.#hear);
    const joined = {
      code,
      person: holderOf(code),
      language: languageCode(),
      after: this.#receiver.version(),
    };
    try {
      const { problem } = await ask("join", joined);
      if (problem && !this.#isClosed) this.#receiver.lose("for good");
    } catch {
      if (!this.#isClosed) this.#receiver.lose("for good");
    }
  }
}
