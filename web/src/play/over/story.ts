/** One sentence about a hand, found in what happened in it. */
import type { Event, HandScored } from "../../protocol";

export interface Story {
  /** Which sentence it is. */
  readonly kind:
    | "nobody"
    | "you_took"
    | "took_yours"
    | "took"
    | "you_at_once"
    | "at_once"
    | "caught"
    | "you_quick"
    | "you_out"
    | "out";
  /** Whose card was the last one needed. */
  readonly by?: number;
  readonly card?: string;
  readonly phase?: number;
  /** Who had not laid yet. */
  readonly behind?: readonly number[];
}

export function storyOf(
  events: readonly Event[],
  { out, made, points }: Pick<HandScored, "out" | "made" | "points">,
  mine: number | null,
): Story {
  if (out === null) return { kind: "nobody" };
  const isMine = out === mine;
  const turn = lastTurn(events, out);
  const taken = turn.find((event) => event.event === "DiscardTaken");
  if (taken?.event === "DiscardTaken") {
    const by = giverOf(events, turn);
    const card = taken.card;
    if (by && isMine) return { kind: "you_took", by, card };
    if (by && by === mine) return { kind: "took_yours", card };
    if (by) return { kind: "took", by, card };
  }
  const laid = turn.find((event) => event.event === "PhaseLaid");
  if (laid?.event === "PhaseLaid")
    return { kind: isMine ? "you_at_once" : "at_once", phase: laid.phase };
  const laying = new Set(made.map(([seat]) => seat));
  const behind = points.map(([seat]) => seat).filter((seat) => !laying.has(seat));
  if (mine !== null && behind.includes(mine)) return { kind: "caught" };
  if (isMine && behind.length) return { kind: "you_quick", behind };
  return { kind: isMine ? "you_out" : "out" };
}

/** What somebody did from the last drawing on. */
function lastTurn(events: readonly Event[], seat: number): Event[] {
  const DRAWING = ["DrawSeen", "DiscardTaken", "NothingDrawn"];
  const start = events.findLastIndex(
    (event) => DRAWING.includes(event.event) && "seat" in event && event.seat === seat,
  );
  return start < 0 ? [] : events.slice(start);
}

/** Who had put down what was taken at the beginning of that turn; nobody, where it was turned up. */
function giverOf(events: readonly Event[], turn: readonly Event[]): number | undefined {
  const before = events.slice(0, events.length - turn.length);
  const put = before.findLast(
    (event) => event.event === "CardDiscarded" || event.event === "DealSeen",
  );
  return put?.event === "CardDiscarded" ? put.seat : undefined;
}
