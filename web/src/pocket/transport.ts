/** Carries messages to a table on this device, and back. Nothing is lost on this way: it is never broken off. */
import type { Receiver, Transport } from "../play/connection/transport";
import type { Message } from "../protocol";
import { languageCode, say } from "../words";
import type { Calls } from "./calls";
import { holderOf } from "./holder.svelte";
import { failed } from "./opening";
import { ask, listen, stopListening } from "./pocket.svelte";

const WHY: { readonly [problem in Exclude<Calls["join"][1]["problem"], "">]: () => string } = {
  gone: () => say("web_table.gone"),
  newer: () => say("web_pocket.kept.newer"),
  broken: () => say("web_pocket.kept.broken"),
};

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

  /** It cannot go on, and stays kept as it is. */
  #end(reason: string, sentence: string): void {
    this.#receiver.hear({ type: "refused", rule: "", reason, sentence, version: 0 });
    this.#receiver.lose("for good");
  }

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
      if (problem && !this.#isClosed) this.#end(problem, WHY[problem]());
    } catch (error) {
      if (!this.#isClosed) this.#end("failed", failed(error as Error).message);
    }
  }
}
