/** How much time is left, as a clock shows it: days, hours and minutes in words, the last minute in digits. */

export interface Left {
  readonly unit: "days" | "hours" | "minutes" | "seconds";
  readonly count: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** So many seconds before the end it warns. */
export const WARNING = 10;

/** Whole units that are left; a little more than a day is still a day. */
export function leftOf(milliseconds: number): Left {
  const left = Math.max(0, milliseconds);
  if (left >= DAY) return { unit: "days", count: Math.floor(left / DAY) };
  if (left >= HOUR) return { unit: "hours", count: Math.floor(left / HOUR) };
  if (left > MINUTE) return { unit: "minutes", count: Math.floor(left / MINUTE) };
  return { unit: "seconds", count: Math.ceil(left / SECOND) };
}

/** Until it shows something else. */
export function untilNext(milliseconds: number): number {
  const { unit } = leftOf(milliseconds);
  const step = unit === "seconds" ? SECOND : MINUTE;
  return Math.max(50, milliseconds % step || step);
}
