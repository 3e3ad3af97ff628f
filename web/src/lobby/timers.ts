/** How long a turn may take. */
import { say } from "../words";

const DAY = 86_400;
/** Seconds; null: as long as one likes. */
export const TIMERS: readonly (number | null)[] = [null, 30, 60, 120, DAY];

export function timerName(seconds: number | null): string {
  if (seconds === null) return say("web_start.lobby.no_timer");
  if (seconds % DAY === 0) return say("web_start.lobby.days", { count: seconds / DAY });
  if (seconds % 60 === 0) return say("web_start.lobby.minutes", { count: seconds / 60 });
  return say("web_start.lobby.seconds", { count: seconds });
}
