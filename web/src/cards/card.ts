/** A card as the protocol writes it: R7, W, S, W=5, W=R, W=R5. */
import { say, sayAny } from "../words";

export const COLORS = ["R", "B", "Y", "G", "O"] as const;
export type Color = (typeof COLORS)[number];

export interface Card {
  readonly text: string;
  readonly kind: "natural" | "wild" | "skip";
  /** The colour of a numbered card, or that a Wild on the table stands for. */
  readonly color: Color | null;
  readonly number: number | null;
}

const known = new Map<string, Card>();

export function readCard(text: string): Card {
  let card = known.get(text);
  if (!card) known.set(text, (card = parse(text)));
  return card;
}

function parse(text: string): Card {
  const kind = text[0] === "W" ? "wild" : text[0] === "S" ? "skip" : "natural";
  const said = kind === "wild" ? text.slice(2) : text;
  const color = COLORS.find((one) => kind !== "skip" && said.startsWith(one)) ?? null;
  const number = Number(said.slice(color ? 1 : 0)) || null;
  return { text, kind, color, number };
}

/** A card in words: `red 7`, `Wild as 5`. */
export function cardName(text: string): string {
  const card = readCard(text);
  if (card.kind === "skip") return say("game.card.skip");
  if (card.kind === "natural") return natural(card);
  const what =
    card.color && card.number
      ? natural(card)
      : card.color
        ? sayAny(`game.color.${card.color}`)
        : String(card.number ?? "");
  return what ? say("game.card.wild_as", { what }) : say("game.card.wild");
}

function natural(card: Card): string {
  return say("game.card.natural", {
    color: sayAny(`game.color.${card.color}`),
    number: String(card.number),
  });
}

/** Sorting by number or by colour: Wilds after the numbers, Skips last. */
export type Order = "number" | "color";

export function compare(order: Order): (a: string, b: string) => number {
  return (a, b) => rank(a, order) - rank(b, order);
}

function rank(text: string, order: Order): number {
  const card = readCard(text);
  if (card.kind === "skip") return 10_000;
  if (card.kind === "wild") return 9_000;
  const color = COLORS.indexOf(card.color!);
  return order === "number" ? card.number! * 10 + color : color * 100 + card.number!;
}
