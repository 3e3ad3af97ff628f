/** How cards are drawn: numerals and shapes as paths, so that themes, sizes and print come for free. */
import type { Color } from "./card";

/** Strokes of the numerals, 60 wide and 100 high. */
export const NUMERALS: readonly string[] = [
  "M30 8C12 8 8 28 8 50S12 92 30 92 52 72 52 50 48 8 30 8Z",
  "M14 26 36 8V92",
  "M10 28C10 14 20 8 30 8 42 8 50 16 50 28 50 45 30 60 9 92H52",
  "M10 8H48L28 42C42 42 52 50 52 66 52 82 42 92 28 92 18 92 10 86 8 76",
  "M40 92V8L6 68H54",
  "M48 8H16L12 46C18 42 24 40 30 40 44 40 52 50 52 65 52 82 42 92 28 92 18 92 11 87 8 78",
  "M44 9C22 16 8 40 8 64 8 82 16 92 30 92S52 82 52 68 44 45 31 45 11 52 9 64",
  "M8 8H52L22 92",
  "M30 46C18 46 11 38 11 27S19 8 30 8 49 15 49 27 42 46 30 46C16 46 8 55 8 69S17 92 30 92 52 83 52 69 44 46 30 46Z",
  "M16 91C38 84 52 60 52 36 52 18 44 8 30 8S8 18 8 32 16 55 29 55 49 48 51 36",
];

/** A shape for each colour, 100 wide and high: no card needs its colour to be told. */
export const SHAPES: { readonly [color in Color]: string } = {
  R: "M50 8 96 90H4Z",
  B: "M50 5A45 45 0 1 1 50 95 45 45 0 1 1 50 5Z",
  Y: "M50 3 64.5 35.5 98 39 73 61.5 80.5 96 50 78.5 19.5 96 27 61.5 2 39 35.5 35.5Z",
  G: "M10 10H90V90H10Z",
  O: "M27 7H73L97 50 73 93H27L3 50Z",
};

/** Where in the ring of a Wild each shape stands, on a card of 100 by 140. */
export const RING = (["R", "B", "Y", "G", "O"] as const).map((color, index) => {
  const angle = ((index * 72 - 90) * Math.PI) / 180;
  return { color, x: 50 + 29 * Math.cos(angle), y: 72 + 29 * Math.sin(angle) };
});

/** A bold arc that jumps over a dot. */
export const SKIP_ARC = "M22 92C22 40 78 40 78 86";
export const SKIP_HEAD = "M66 78 78 92 90 78";

/** What is on the back of a card, inside a frame from 8 to 92 and from 8 to 132. */
export const BACK_PATTERNS = {
  lines: "M14 104 84 34M14 76 56 34M14 48 28 34M42 132 86 88M28 118 86 60M70 132 86 116",
  shapes:
    "M50 22 62 44H38ZM38 96H62V118H38ZM50 54 55.5 65 67 66.5 58.5 74.5 60.5 86 50 80.5 39.5 86 41.5 74.5 33 66.5 44.5 65ZM18 62A8 8 0 1 0 18 78M82 62A8 8 0 1 1 82 78",
  waves:
    "M8 30Q22 16 36 30T64 30 92 30M8 50Q22 36 36 50T64 50 92 50M8 70Q22 56 36 70T64 70 92 70M8 90Q22 76 36 90T64 90 92 90M8 110Q22 96 36 110T64 110 92 110",
  rings:
    "M42 70A8 8 0 1 0 58 70 8 8 0 1 0 42 70M30 70A20 20 0 1 0 70 70 20 20 0 1 0 30 70M18 70A32 32 0 1 0 82 70 32 32 0 1 0 18 70M8 42A44 44 0 0 1 92 42M8 98A44 44 0 0 0 92 98",
} as const;
