/** Which texts of the rulebook are cards, and which cards show what a Phase asks for. */
import { groupsOf, type Edition, type Group } from "../scores/sheet";

const CARD = /^(?:[RBYGO](?:1[0-2]|[1-9])|W(?:=(?:[RBYGO]?(?:1[0-2]|[1-9])|[RBYGO]))?|S)$/;

/** The melds of cards that a text writes, such as `R7 B7 G7 / W=4 Y4 Y4`; null if it is something else. */
export function readMelds(text: string): string[][] | null {
  const melds = text.split(" / ").map((meld) => meld.split(" "));
  return melds.every((meld) => meld.every((card) => CARD.test(card))) ? melds : null;
}

/** An example of each group of a Phase: one way of many. */
export function exampleOf(edition: Edition, phase: number): string[][] {
  const shown = edition.must_show?.[phase];
  return groupsOf(edition, phase).map((group, index) => groupExample(edition, group, index, shown));
}

const SPREAD = [1, 2, 4, 5, 8, 9, 12];

function groupExample(edition: Edition, group: Group, index: number, shown?: number): string[] {
  const { kind, size } = group;
  const color = (place: number) => edition.colors[(place + index) % edition.colors.length]!;
  const range = Array.from({ length: size }, (_, place) => place);
  switch (kind) {
    case "set": {
      const number = index === 0 ? (shown ?? 4) : 9;
      return range.map((place) => color(place) + number);
    }
    case "run":
      return range.map((place) => color(place) + (3 + place));
    case "color":
      return range.map((place) => edition.colors[0]! + SPREAD[place % SPREAD.length]!);
    case "odd":
      return range.map((place) => color(place) + [3, 5, 5, 11][place % 4]!);
    case "even":
      return range.map((place) => color(place) + [2, 8, 8, 12][place % 4]!);
    case "pairrun":
      return range.flatMap((place) =>
        [color(2 * place), color(2 * place + 1)].map((c) => c + (6 + place)),
      );
    case "colorrun":
      return range.map((place) => edition.colors[1]! + (4 + place));
    case "oddrun":
      return range.map((place) => color(place) + (1 + 2 * place));
    case "evenrun":
      return range.map((place) => color(place) + (2 + 2 * place));
    default:
      return [];
  }
}
