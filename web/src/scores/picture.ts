/** The sheet as a picture, to be sent to the others: drawn as SVG, and from that as PNG. */
import { MARKS } from "../plots/marks";
import { ticks } from "../plots/scale";
import { say } from "../words";
import { shortened } from "./shortened";
import { standings, type Edition, type Sheet } from "./sheet";
import { titleOf } from "./words";

const WIDTH = 900;
const EDGE = 36;
const LINE = 40;
const HEAD = 150;
const CURVE = 280;
const INK = "#22252b";
const SOFT = "#565a63";
const PAPER = "#fbf7ee";
const COLOURS = ["#c8323c", "#2462a8", "#2e7d4f", "#8a6200", "#93358d", "#22252b"];

export function pictureOf(sheet: Sheet, edition: Edition): string {
  const all = standings(sheet, edition);
  const now = all.at(-1)!;
  const rows = [
    ...sheet.hands.map(({ entries }, index) => [
      String(index + 1),
      ...entries.map((entry) => (entry ? `${entry.points ?? "?"}${entry.made ? " ✓" : ""}` : "–")),
    ]),
    [say("web_scores.total"), ...now.totals.map(String)],
  ];
  const height = HEAD + rows.length * LINE + CURVE + 2 * EDGE;
  const column = (WIDTH - 2 * EDGE - 90) / sheet.players.length;
  const right = (seat: number) => EDGE + 90 + column * (seat + 1) - 8;
  const parts = [
    `<rect width="${WIDTH}" height="${height}" fill="${PAPER}"/>`,
    text(EDGE, 60, shortened(titleOf(sheet, edition), (WIDTH - 2 * EDGE) * 0.72), {
      size: 30,
      bold: true,
    }),
    ...(now.winner === null
      ? []
      : [
          text(EDGE, 92, say("web_scores.won", { name: sheet.players[now.winner]! }), { size: 22 }),
        ]),
    ...sheet.players.map((name, seat) =>
      text(right(seat), HEAD, shortened(name, column), { size: 20, bold: true, end: true }),
    ),
    ...rows.flatMap((cells, index) => {
      const y = HEAD + (index + 1) * LINE;
      const bold = index === rows.length - 1;
      const rule = `<path d="M${EDGE} ${y - 28}H${WIDTH - EDGE}" stroke="${SOFT}" opacity=".4"/>`;
      return [
        rule,
        text(EDGE, y, cells[0]!, { size: 20, bold, colour: bold ? INK : SOFT }),
        ...cells
          .slice(1)
          .map((cell, seat) => text(right(seat), y, cell, { size: 20, bold, end: true })),
      ];
    }),
    curve(
      sheet,
      all.map(({ totals }) => totals),
      HEAD + rows.length * LINE + EDGE,
    ),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">${parts.join("")}</svg>`;
}

function curve(sheet: Sheet, totals: readonly (readonly number[])[], top: number): string {
  const marks = ticks(Math.max(1, ...totals.flat()));
  const bottom = top + CURVE - 30;
  const left = EDGE + 60;
  const right = WIDTH - EDGE - 150;
  const x = (hand: number) => left + (hand * (right - left)) / Math.max(1, totals.length - 1);
  const y = (points: number) => bottom - (points * (CURVE - 40)) / marks.at(-1)!;
  const grid = marks.map(
    (mark) =>
      `<path d="M${left} ${y(mark)}H${right}" stroke="${SOFT}" opacity=".35"/>` +
      text(left - 10, y(mark) + 6, String(mark), { size: 16, colour: SOFT, end: true }),
  );
  const lines = sheet.players.map((name, seat) => {
    const colour = COLOURS[seat % COLOURS.length]!;
    const points = totals.map((row, hand) => `${x(hand)} ${y(row[seat]!)}`);
    const dots = points.map(
      (point) => `<path d="${MARKS[seat % MARKS.length]}" transform="translate(${point})"/>`,
    );
    const legend = top + 24 + seat * 30;
    return (
      `<g fill="${colour}"><path d="M${points.join("L")}" fill="none" stroke="${colour}" stroke-width="2.5"/>` +
      `${dots.join("")}<path d="${MARKS[seat % MARKS.length]}" transform="translate(${right + 22} ${legend - 6})"/></g>` +
      text(right + 36, legend, shortened(name, 120), { size: 17 })
    );
  });
  return [...grid, ...lines].join("");
}

interface Style {
  size: number;
  bold?: boolean;
  end?: boolean;
  colour?: string;
}

function text(x: number, y: number, words: string, style: Style): string {
  const { size, bold = false, end = false, colour = INK } = style;
  const anchor = end ? ' text-anchor="end"' : "";
  const weight = bold ? ' font-weight="700"' : "";
  return `<text x="${x}" y="${y}" font-family="system-ui, sans-serif" font-size="${size}" fill="${colour}"${anchor}${weight}>${escaped(words)}</text>`;
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export async function pngOf(svg: string): Promise<Blob> {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth * 2;
  canvas.height = picture.naturalHeight * 2;
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}
