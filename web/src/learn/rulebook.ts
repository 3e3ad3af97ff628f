/** The rulebook in the player's language; only that one is loaded. */
import type { Section } from "../../make/rulebook";
import { languageCode } from "../words";

export type { Section };

const BOOKS: { readonly [code: string]: () => Promise<{ default: readonly Section[] }> } = {
  en: () => import("virtual:rulebook/en"),
  es: () => import("virtual:rulebook/es"),
  fr: () => import("virtual:rulebook/fr"),
  pt: () => import("virtual:rulebook/pt"),
};

export async function loadRulebook(): Promise<readonly Section[]> {
  return (await BOOKS[languageCode()]!()).default;
}
