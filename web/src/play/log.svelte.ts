/** What happened at the table in words, and what people said. */
import type { StepForm } from "../protocol";

export interface Line {
  readonly key: number;
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

  follow(steps: readonly StepForm[], mine: number | null): Line[] {
    const found = steps.flatMap(linesOf);
    if (found.length) this.lines = [...this.lines, ...found].slice(-MOST);
    this.unread += found.filter((line) => line.kind === "said" && line.seat !== mine).length;
    return found;
  }
}

function linesOf({ at, events, words }: StepForm): Line[] {
  const talk = events.flatMap((event): Line[] => {
    if (event.event === "Said")
      return [{ key: ++lastKey, at, kind: "said", seat: event.seat, text: event.text }];
    if (event.event === "Reacted")
      return [{ key: ++lastKey, at, kind: "reacted", seat: event.seat, text: event.reaction }];
    return [];
  });
  if (talk.length) return talk;
  return words.map((text) => ({ key: ++lastKey, at, kind: "told", seat: 0, text }));
}

/** Whether nothing happened but that somebody spoke. */
export function isTalk({ events }: StepForm): boolean {
  return events.every(({ event }) => event === "Said" || event === "Reacted");
}
