/** What is heard and felt of what happened. */
import { knocks, sound, tremble } from "../sound/sounds";
import type { StepForm, Update } from "../protocol";

export function listen(steps: readonly StepForm[], update: Update, before: Update | null): void {
  const events = steps.flatMap((step) => step.events.map((event) => event.event));
  const laid = steps.flatMap((step) =>
    step.events.flatMap((event) => (event.event === "PhaseLaid" ? event.melds : [])),
  );
  const mine = update.you.seat;
  const isMine = (one: Update | null) => mine !== null && one?.game?.board?.turn === mine;
  if (events.includes("GameWon")) sound("glad");
  else if (before && isMine(update) && !isMine(before)) {
    sound("chime");
    tremble(40);
  } else if (laid.length) knocks(laid.flatMap(({ cards }) => cards).length);
  else if (events.includes("MeldHit")) sound("wood");
  else if (events.some((event) => PAPER.has(event))) sound("paper");
}

const PAPER: ReadonlySet<string> = new Set([
  "DealSeen",
  "DrawSeen",
  "DiscardTaken",
  "CardDiscarded",
]);
