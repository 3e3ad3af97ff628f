/** What a sheet is called, and what its Phases ask for, in words. */
import { say, sayAny } from "../words";
import { groupsOf, readVariant, type Edition, type Group, type Sheet } from "./sheet.ts";
import type { Warning } from "./warnings.ts";

/** `2 sets of 3`, `set of 3 + run of 4`. */
export function phaseInWords(edition: Edition, phase: number): string {
  const [first, second] = groupsOf(edition, phase) as [Group, Group?];
  const isTwice = second?.kind === first.kind && second.size === first.size;
  const groups = isTwice
    ? sayAny(`game.groups.${first.kind}`, { size: first.size })
    : [first, ...(second ? [second] : [])].map(groupInWords).join(" + ");
  const shown = edition.must_show?.[phase];
  return shown ? say("web_learn.must_show", { groups, number: shown }) : groups;
}

export function groupInWords({ kind, size }: Group): string {
  return sayAny(`game.group.${kind}`, { size });
}

/** `Classic · Ten hands · Even Phases`. */
export function titleOf(sheet: Sheet, edition: Edition): string {
  const { tenHands, first, even } = readVariant(sheet.variant);
  const parts = [
    ...(tenHands ? [say("game.variation.ten-hands.title")] : []),
    ...(first ? [sayAny("game.variant.phases", { count: first })] : []),
    ...(even ? [say("game.variation.even.title")] : []),
    ...(sheet.any_order ? [say("game.house.choose_phase.title")] : []),
  ];
  return [edition.title, ...parts].join(" · ");
}

export function warningInWords(warning: Warning): string {
  const { kind } = warning.values;
  const named = kind === undefined ? "" : sayAny(`web_scores.cards_named.${kind}`);
  return sayAny(`web_scores.warning.${warning.problem}`, { ...warning.values, kind: named });
}

/** `a, b and c`. */
export function listed(names: readonly string[], code: string): string {
  return new Intl.ListFormat(code, { type: "conjunction" }).format(names);
}
