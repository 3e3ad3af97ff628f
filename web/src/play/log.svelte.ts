/** What happened at the table in words, and what people said. */
import type { StepForm } from "../protocol";

export interface Line {
  readonly key: number;
  /** The version of the table in which it happened. */
  readonly version: number;
  readonly at: number;
  readonly kind: "told" | "said" | "reacted";
  /** Who said it; 0 where the table tells. */
  readonly seat: number;
  readonly text: string;
}

/** Nobody reads further back than this. */
const MOST = 300;
let lastKey = 0;

export class Log {
  lines = $state.raw<readonly Line[]>([]);
  /** What was said or told since the panel was last open. */
  unread = $state(0);
  readonly #isMuted: (seat: number) => boolean;

  constructor(isMuted: (seat: number) => boolean) {
    this.#isMuted = isMuted;
  }

  follow(steps: readonly StepForm[], mine: number | null): Line[] {
    const found = this.#linesOf(steps);
    if (found.length) this.lines = [...this.lines, ...found].slice(-MOST);
    this.unread += found.filter((line) => line.kind === "said" && line.seat !== mine).length;
    return found;
  }

  /** Put what happened before in front of what was heard since. */
  recall(steps: readonly StepForm[]): void {
    const last = steps.at(-1)?.version ?? 0;
    const since = this.lines.filter(({ version }) => version > last);
    this.lines = [...this.#linesOf(steps), ...since].slice(-MOST);
  }

  #linesOf(steps: readonly StepForm[]): Line[] {
    return steps
      .flatMap(linesOf)
      .filter(({ kind, seat }) => kind === "told" || !this.#isMuted(seat));
  }
}

function linesOf({ version, at, events, words }: StepForm): Line[] {
  const talk = events.flatMap((event): Line[] => {
    if (event.event === "Said")
      return [{ key: ++lastKey, version, at, kind: "said", seat: event.seat, text: event.text }];
    if (event.event === "Reacted")
      return [
        { key: ++lastKey, version, at, kind: "reacted", seat: event.seat, text: event.reaction },
      ];
    return [];
  });
  if (talk.length) return talk;
  return words.map((text) => ({ key: ++lastKey, version, at, kind: "told", seat: 0, text }));
}

/** Whether nothing happened but that somebody spoke. */
export function isTalk({ events }: StepForm): boolean {
  return events.every(({ event }) => event === "Said" || event === "Reacted");
}
