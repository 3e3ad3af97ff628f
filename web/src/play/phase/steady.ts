/**
 * What the hand has for a Phase, without jumping about: the server counts anew after every card, and which of two
 * equal sets it names first, or which seven, is all the same to it. Not so to whoever looks.
 */
import type { SlotForm } from "../../protocol";

type Row = readonly SlotForm[];

/** The same rows, as near as can be to those that were shown before. */
export function steady(
  rows: readonly Row[],
  groups: readonly string[],
  before: readonly Row[],
): Row[] {
  const placed: (Row | undefined)[] = rows.map(() => undefined);
  const left = new Set(rows.keys());
  // Rows of the same group may change places: those that share most with what was there choose first.
  const wishes = groups.flatMap((group, to) =>
    groups.flatMap((other, from) =>
      other === group ? [{ from, to, shared: shared(rows[from] ?? [], before[to] ?? []) }] : [],
    ),
  );
  wishes.sort(
    (one, two) =>
      two.shared - one.shared || Number(two.from === two.to) - Number(one.from === one.to),
  );
  for (const { from, to } of wishes) {
    if (placed[to] || !left.has(from)) continue;
    placed[to] = rows[from]!;
    left.delete(from);
  }
  return placed.map((row, index) =>
    isOrdered(groups[index] ?? "") ? row! : inPlace(row!, before[index] ?? []),
  );
}

/** Whether the places of a group have an order of their own. */
function isOrdered(group: string): boolean {
  return group.split(" ")[0]!.endsWith("run");
}

function shared(row: Row, before: Row): number {
  const cards = before.filter(({ filled }) => filled).map(({ card }) => card);
  return row.filter(({ filled, card }) => {
    const index = filled ? cards.indexOf(card) : -1;
    if (index >= 0) cards.splice(index, 1);
    return index >= 0;
  }).length;
}

/** Each card where it was; the others in the places that are left, those that are missing last. */
function inPlace(row: Row, before: Row): Row {
  const rest = [...row].sort((one, two) => Number(two.filled) - Number(one.filled));
  const kept = Array.from({ length: row.length }, (_, place) => {
    const was = before[place];
    const index = was?.filled
      ? rest.findIndex(({ card, filled }) => filled && card === was.card)
      : -1;
    return index >= 0 ? rest.splice(index, 1)[0] : undefined;
  });
  return kept.map((slot) => slot ?? rest.shift()!);
}
