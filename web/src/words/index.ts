/** What the page says, in the player's language. The catalogues are those of server and terminal. */
import type { Name } from "./names";

export type { Name };
export type Values = { readonly [name: string]: string | number };

interface Catalogue {
  title: string;
  sentences: { readonly [name: string]: string | { one: string; other: string } };
}

const CATALOGUES: { readonly [code: string]: () => Promise<{ default: Catalogue }> } = {
  en: () => import("virtual:words/en"),
  es: () => import("virtual:words/es"),
  fr: () => import("virtual:words/fr"),
  pt: () => import("virtual:words/pt"),
};

export const LANGUAGES = Object.keys(CATALOGUES);

let spoken: Catalogue = { title: "", sentences: {} };
let code = "en";
let plurals = new Intl.PluralRules(code);
let numbers = new Intl.NumberFormat(code);
/** The language that was asked for last, spoken as soon as it is there. */
let latest = "en";

/** The language of the page: `en`, `es` … */
export function languageCode(): string {
  return code;
}

/** The first of the browser's languages that there is. */
export function preferred(wanted: readonly string[] = navigator.languages): string {
  const found = wanted.map((tag) => tag.slice(0, 2).toLowerCase());
  return found.find((tag) => tag in CATALOGUES) ?? "en";
}

/** Speak this language from now on; called before the first page is shown. */
export async function speak(wanted: string): Promise<void> {
  const chosen = wanted in CATALOGUES ? wanted : "en";
  latest = chosen;
  const catalogue = (await CATALOGUES[chosen]!()).default;
  if (latest !== chosen) return; // another one was chosen meanwhile
  code = chosen;
  plurals = new Intl.PluralRules(code);
  numbers = new Intl.NumberFormat(code);
  spoken = catalogue;
  document.documentElement.lang = code;
}

/** The sentence of that name with its values; a plural is chosen by the value `count`. */
export function say(name: Name, values: Values = {}): string {
  return sayAny(name, values);
}

/** The same for a name that is put together, such as a colour's. */
export function sayAny(name: string, values: Values = {}): string {
  const sentence = spoken.sentences[name];
  if (sentence === undefined) return name;
  if (typeof sentence === "string") return fill(sentence, values);
  const isOne = plurals.select(Number(values["count"])) === "one";
  return fill(isOne ? sentence.one : sentence.other, values);
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name that is read from right to left leaves what stands around it in its place. */
function isolated(value: string): string {
  return RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
}

function fill(sentence: string, values: Values): string {
  return sentence.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    return typeof value === "number" ? numbers.format(value) : isolated(value ?? place);
  });
}
