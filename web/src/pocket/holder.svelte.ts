/** Who holds the device, at each table where several people pass it around: a person is known by the number of a seat. */
import type { Update } from "../protocol";

const FIRST = 1;
const holders = $state<{ [code: string]: number }>({});

export function holderOf(code: string): number {
  return holders[code] ?? FIRST;
}

export function handTo(code: string, person: number): void {
  holders[code] = person;
}

/** Whether somebody has said at this table that they hold the device, since the page was loaded. */
export function isKnown(code: string): boolean {
  return code in holders;
}

/** To whom the device is to be given now; null where it is in the right hands. */
export function nextHolder(code: string, update: Update): number | null {
  const people = update.table.seats.flatMap((seat, index) => (seat.bot ? [] : [index + 1]));
  const turn = update.game?.board?.turn;
  if (people.length < 2 || update.table.stage !== "playing" || !turn || !people.includes(turn))
    return null;
  return isKnown(code) && holderOf(code) === turn ? null : turn;
}
