/** What the coach says about one game: asked once, and then known. */
import { RequestFailed } from "../../api";
import type { JudgedForm, MistakeForm, ReportForm } from "../../protocol";
import { languageCode } from "../../words";
import type { Source } from "../source";

/** A mistake that its player tries to better. */
export interface Attempt {
  readonly player: JudgedForm;
  readonly mistake: MistakeForm;
}

export class Coaching {
  /** How much of the game has been read, from 0 to 1. */
  progress = $state(0);
  /** What has been found so far; it is exact when nothing is read any more. */
  report = $state.raw<ReportForm | null>(null);
  reading = $state(false);
  problem = $state("");
  #source: Source;
  #stopping = new AbortController();

  constructor(source: Source) {
    this.#source = source;
  }

  async ask(): Promise<void> {
    if (this.reading) return;
    this.#stopping = new AbortController();
    this.reading = true;
    this.problem = "";
    try {
      for await (const { progress, report, problem } of this.#source.analyse(
        this.#stopping.signal,
      )) {
        this.progress = progress;
        this.problem = problem;
        if (report) this.report = report;
      }
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.problem = (error as RequestFailed).message;
    } finally {
      this.reading = false;
    }
  }

  stop(): void {
    this.#stopping.abort();
  }
}

/** A part of a game in percent, as it is written where the reader lives. */
export function percent(part: number): string {
  return (100 * part).toLocaleString(languageCode(), { maximumFractionDigits: 1 });
}
