/** Names for the places of a meld's cards that stay when cards are added before them. */

export const meldName = (seat: number, meld: number): string => `${seat}.${meld}`;

export function meldSpots(
  seat: number,
  meld: number,
  cards: readonly string[],
): [card: string, spot: string][] {
  const seen = new Map<string, number>();
  return cards.map((card) => {
    const count = seen.get(card) ?? 0;
    seen.set(card, count + 1);
    return [card, `meld:${meldName(seat, meld)}:${card}:${count}`];
  });
}
