/** The numbers of the page on odds; make/figures.py makes them. */
import data from "./data/figures.json";

/** A value, and the ends of the interval in which it lies with 95 % certainty. */
export type Measured = readonly [value: number, low: number, high: number];

export type OneFigure =
  | "hands"
  | "winner_points"
  | "tie_breaks"
  | "turns"
  | "points"
  | "phases_made"
  | "first_out"
  | "skips_decide"
  | "wilds_decide";
export type ManyFigure = "made" | "laid_on" | "made_by_wilds";

/** By number of players, in the order of `players`. */
export type Figures = { readonly [name in OneFigure]: readonly Measured[] } & {
  readonly [name in ManyFigure]: readonly (readonly Measured[])[];
};

interface Data {
  /** Games of each edition and number of players. */
  readonly games: number;
  readonly bot: string;
  readonly players: readonly number[];
  readonly odds: { readonly [edition: string]: readonly number[] };
  readonly measured: { readonly [edition: string]: Figures };
}

export const FIGURES = data as unknown as Data;
