/** What happened at the table in words, and what people said. */
import type { Remark, StepForm } from "../protocol";

export interface Line {
  readonly key: number;
  /** The version of the table in which it happened. */
  readonly version: number;
  readonly at: number;
  readonly kind: "told" | "said" | "reacted" | "coach";
  /** Who said it; 0 where the table or the coach tells. */
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

  /** What the coach said, after the move of which it speaks. */
  note(remark: Remark): void {
    const { version } = remark;
    const text = remarkWords(remark);
    const line: Line = { key: ++lastKey, version, at: Date.now(), kind: "coach", seat: 0, text };
    this.lines = [...this.lines, line].slice(-MOST);
  }

  /** Put what happened before in front of what was heard since. */
  recall(steps: readonly StepForm[]): void {
    const last = steps.at(-1)?.version ?? 0;
    // Nobody tells again what the coach has said.
    const said = this.lines.filter(({ kind, version }) => kind === "coach" && version <= last);
    const since = this.lines.filter(({ version }) => version > last);
    const past = [...this.#linesOf(steps), ...said].sort((one, two) => one.version - two.version);
    this.lines = [...past, ...since].slice(-MOST);
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

/** What the coach says, with its reasons. */
export function remarkWords({ sentence, reasons }: Remark): string {
  return [sentence, ...reasons].join(" ");
}

/** Whether somebody said it: neither the table nor the coach. */
export function isSaid({ kind }: Line): boolean {
  return kind === "said" || kind === "reacted";
}

/** Whether nothing happened but that somebody spoke. */
export function isTalk({ events }: StepForm): boolean {
  return events.every(({ event }) => event === "Said" || event === "Reacted");
}
