/** The sheet for spreadsheets: a line for each hand and player. */
import { isTieBreak, madeIn, standings, type Edition, type Sheet } from "./sheet.ts";

const HEADS = ["hand", "player", "points", "phase", "out", "dealer", "tiebreak", "total"];

export function csvOf(sheet: Sheet, edition: Edition): string {
  const all = standings(sheet, edition);
  const lines = sheet.hands.flatMap((hand, index) =>
    hand.entries.flatMap((entry, seat) => {
      if (!entry) return [];
      const before = all[index]!;
      return [
        [
          index + 1,
          sheet.players[seat]!,
          entry.points ?? "",
          madeIn(sheet, edition, before, seat, entry) ?? "",
          Number(hand.out === seat),
          Number(before.dealer === seat),
          Number(isTieBreak(before)),
          all[index + 1]!.totals[seat]!,
        ],
      ];
    }),
  );
  return [HEADS, ...lines].map((cells) => cells.map(cellOf).join(",")).join("\r\n") + "\r\n";
}

/** A name that begins like a formula stays a name, whatever the spreadsheet thinks. */
function cellOf(value: string | number): string {
  const text = String(value).replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
