/** A dozen characters, drawn with the few shapes of the cards in a square of 64 by 64. */

/** A path and its fill; a path without an end is a line in that colour. */
export type Part = readonly [fill: string, path: string, kind?: "line"];

const BROWN = "#8a5a34";
const TAN = "#e3b98a";
const CREAM = "#fbf7ee";
const INK = "#22252b";
const RED = "#c8323c";
const BLUE = "#2462a8";
const SKY = "#7fb0df";
const YELLOW = "#f0b832";
const GREEN = "#2e7d4f";
const LEAF = "#79b77c";
const ORANGE = "#e2711d";
const GREY = "#8d95a5";
const PINK = "#eba5a5";

function disc(x: number, y: number, r: number, ry = r): string {
  return `M${x - r} ${y}a${r} ${ry} 0 1 0 ${2 * r} 0a${r} ${ry} 0 1 0 ${-2 * r} 0Z`;
}

/** Two eyes of that distance from the middle. */
function eyes(y: number, apart = 9, r = 3): Part {
  return [INK, disc(32 - apart, y, r) + disc(32 + apart, y, r)];
}

const smile = (y: number, width = 6): Part => [
  INK,
  `M${32 - width} ${y}q${width} ${width} ${2 * width} 0`,
  "line",
];

export const FACES: { readonly [name: string]: readonly Part[] } = {
  owl: [
    [BROWN, "M12 10 25 19H39L52 10 50 40A18 18 0 0 1 14 40Z"],
    [TAN, disc(32, 47, 11, 9)],
    [CREAM, disc(23, 30, 9.5) + disc(41, 30, 9.5)],
    [INK, disc(24, 30, 4.5) + disc(40, 30, 4.5)],
    [ORANGE, "M28 36H36L32 43Z"],
  ],
  bear: [
    [BROWN, disc(15, 18, 8) + disc(49, 18, 8) + disc(32, 35, 22, 20)],
    [TAN, disc(15, 18, 4) + disc(49, 18, 4) + disc(32, 43, 11, 9)],
    [INK, disc(32, 39, 4.5, 3.2)],
    eyes(29, 10),
    smile(46, 5),
  ],
  cat: [
    [GREY, "M11 8 25 18H39L53 8 52 36A20 19 0 0 1 12 36Z"],
    [PINK, "M15 14 22 19 16 24ZM49 14 42 19 48 24Z"],
    [LEAF, disc(23, 32, 5.5, 6) + disc(41, 32, 5.5, 6)],
    [INK, disc(23, 32, 2, 5) + disc(41, 32, 2, 5)],
    [PINK, "M28 40H36L32 44.5Z"],
    [CREAM, "M6 38 18 41M6 47 18 45M58 38 46 41M58 47 46 45", "line"],
  ],
  fox: [
    [ORANGE, "M9 8 24 18H40L55 8 52 36 32 57 12 36Z"],
    [CREAM, "M12 36Q22 33 32 46 42 33 52 36L32 57Z"],
    [INK, "M13 12 19 17 14 21ZM51 12 45 17 50 21Z" + disc(32, 54, 4.2, 3.6)],
    eyes(31, 10),
  ],
  penguin: [
    [INK, disc(32, 34, 23, 24)],
    [CREAM, disc(24, 32, 11, 12) + disc(40, 32, 11, 12) + disc(32, 45, 14, 11)],
    eyes(30, 8),
    [ORANGE, "M25 37H39L32 45Z"],
    [PINK, disc(19, 40, 3) + disc(45, 40, 3)],
  ],
  frog: [
    [LEAF, disc(19, 20, 10) + disc(45, 20, 10) + disc(32, 38, 24, 18)],
    [CREAM, disc(19, 20, 6.5) + disc(45, 20, 6.5)],
    [INK, disc(20, 20, 3) + disc(44, 20, 3)],
    [GREEN, "M14 40Q32 56 50 40", "line"],
    [PINK, disc(15, 36, 3.4) + disc(49, 36, 3.4)],
  ],
  rabbit: [
    [CREAM, disc(22, 17, 6.5, 15) + disc(42, 17, 6.5, 15) + disc(32, 41, 20, 18)],
    [PINK, disc(22, 17, 3, 11) + disc(42, 17, 3, 11) + "M28.5 42H35.5L32 46Z"],
    eyes(37, 9),
    [INK, "M32 46V49M26 49Q29 53 32 49 35 53 38 49", "line"],
    [PINK, disc(18, 45, 3) + disc(46, 45, 3)],
  ],
  whale: [
    [SKY, "M32 15Q32 6 24 7M32 15Q32 6 40 7", "line"],
    [BLUE, "M7 36A25 21 0 0 1 57 36Q57 55 32 55 7 55 7 36Z"],
    [CREAM, "M10 44Q32 38 54 44 50 55 32 55 14 55 10 44Z"],
    [CREAM, disc(19, 34, 5) + disc(45, 34, 5)],
    [INK, disc(20, 34, 2.8) + disc(44, 34, 2.8)],
    [SKY, "M22 45V52M32 44V53M42 45V52", "line"],
  ],
  kettle: [
    [INK, "M18 21Q20 6 32 6T46 21", "line"],
    [RED, "M50 29 60 22 58 38 50 43ZM17 21H47Q55 34 53 54H11Q9 34 17 21Z"],
    [CREAM, disc(24, 35, 5) + disc(40, 35, 5)],
    [INK, disc(24, 35, 2.6) + disc(40, 35, 2.6) + disc(32, 17, 3.5) + "M17 20H47V23H17Z"],
    [CREAM, "M25 44Q32 51 39 44", "line"],
  ],
  cactus: [
    [
      LEAF,
      "M8 27A5 5 0 0 1 18 27V32H21V22A11 13 0 0 1 43 22V36H46V29A5 5 0 0 1 56 29V38Q56 44 49 44H43V48H21V40H15Q8 40 8 34Z",
    ],
    [ORANGE, "M16 46H48L44 60H20Z"],
    eyes(27, 5.5, 2.6),
    smile(33, 5),
    [RED, "M32 2 34.4 7 40 7.6 36 11.2 37 16.6 32 14 27 16.6 28 11.2 24 7.6 29.6 7Z"],
  ],
  moon: [
    [YELLOW, disc(32, 34, 24)],
    ["#d99a17", disc(19, 22, 4) + disc(46, 46, 5) + disc(44, 18, 2.6)],
    [CREAM, "M12 5 13.6 9 18 9.4 14.6 12.2 15.6 16.6 12 14.2 8.4 16.6 9.4 12.2 6 9.4 10.4 9Z"],
    [INK, "M18 32Q22.5 27 27 32M37 32Q41.5 27 46 32", "line"],
    smile(42, 7),
    [ORANGE, disc(18, 40, 3) + disc(46, 38, 3)],
  ],
  robot: [
    [GREY, "M32 16V8", "line"],
    [RED, disc(32, 7, 4)],
    [GREY, "M5 30H11V42H5ZM53 30H59V42H53Z"],
    [BLUE, "M18 15H46Q53 15 53 22V48Q53 56 46 56H18Q11 56 11 48V22Q11 15 18 15Z"],
    [CREAM, disc(23, 30, 6.5) + disc(41, 30, 6.5)],
    [INK, disc(24, 30, 3) + disc(42, 30, 3)],
    [CREAM, "M22 42H42V49H22Z"],
    [INK, "M27 42V49M32 42V49M37 42V49", "line"],
  ],
};

export const FACE_NAMES = Object.keys(FACES);

/** Behind the faces: each seat has its own tint, so that two owls can be told apart. */
export const TINTS = ["#f4d9c4", "#cfe3d3", "#d5dcf3", "#f3e2a9", "#ecd0e2", "#cfe4ea"] as const;
