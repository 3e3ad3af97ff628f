/** At which tables people come and go between their turns; the server has the same rule (`running/reminders.py`). */
import type { Play } from "../play/play.svelte";
import { LONG_TURN } from "../protocol";
import { isLocal } from "../pocket/local";

/** Much time for each turn, or no clock and somebody else to wait for; and one sits there oneself. */
export function isSlow(play: Play): boolean {
  if (isLocal(play.connection.code) || !play.mine || play.table?.stage !== "playing") return false;
  const timer = play.welcome?.options.timer ?? null;
  if (timer !== null) return timer >= LONG_TURN;
  return play.table.seats.filter(({ name, bot, stand_in }) => name && !bot && !stand_in).length > 1;
}
