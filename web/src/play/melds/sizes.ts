/** How large the cards of melds can be in the room that is there. */

export interface Room {
  readonly width: number;
  readonly height: number;
}

export interface Limits {
  readonly least: number;
  readonly most: number;
  /** Beside the melds of each owner, and between two melds or two rows. */
  readonly badge: number;
  readonly gap: number;
}

/** Of a card that others lie on, this part stays visible. */
export const STRIP = 0.46;
const TALL = 1.4;
/** Sizes are taken in steps: a card more does not make everything a little smaller each time. */
const STEP = 4;

/** The width of a card with which everything fits; the least where nothing does. */
export function meldCard(
  { width, height }: Room,
  owners: readonly (readonly number[])[],
  { least, most, badge, gap }: Limits,
): number {
  const room = Math.max(0, width - badge);
  for (let card = Math.floor(most / STEP) * STEP; card > least; card -= STEP) {
    const lines = owners.map((melds) => linesOf(melds, card, room, gap));
    const needed = lines.reduce((sum, count) => sum + count * (card * TALL + gap), 0);
    if (needed <= height && lines.every((count) => count < Infinity)) return card;
  }
  return least;
}

/** In how many lines the melds of one owner lie; more than there can be where one is too long for a line. */
function linesOf(melds: readonly number[], card: number, room: number, gap: number): number {
  let lines = melds.length ? 1 : 0;
  let used = 0;
  for (const count of melds) {
    const width = card * (1 + STRIP * (count - 1)) + gap;
    if (width > room) return Infinity;
    if (used + width > room) {
      lines++;
      used = 0;
    }
    used += width;
  }
  return lines;
}
