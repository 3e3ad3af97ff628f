/** The editions with all that their files say. */
import editions from "virtual:editions";
import type { Edition } from "./sheet.ts";

export const EDITIONS = editions as unknown as readonly Edition[];

export function editionOf(name: string): Edition {
  return EDITIONS.find((edition) => edition.name === name) ?? EDITIONS[0]!;
}
