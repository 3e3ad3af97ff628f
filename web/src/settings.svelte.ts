/** What somebody has chosen on this device. It stays in the browser. */
import { follow, recall, remember } from "./storage/storage.svelte";
import { preferred, speak } from "./words";

export type Theme = "auto" | "light" | "dark" | "contrast";
export const SURFACES = ["oak", "linen", "evening"] as const;
export const BACKS = ["lines", "shapes", "waves", "rings"] as const;
export const TEMPI = ["relaxed", "normal", "fast"] as const;

export interface Settings {
  name: string;
  theme: Theme;
  text: "normal" | "large";
  /** Empty: the browser's choice. */
  language: string;
  sound: boolean;
  vibration: boolean;
  /** Whether the browser tells it when one's turn begins; it has to allow that as well. */
  notify: boolean;
  sort: "number" | "color";
  /** The face one sits down with; empty: a free one. */
  face: string;
  /** What the table is made of, and the back of its cards. */
  surface: (typeof SURFACES)[number];
  back: (typeof BACKS)[number];
  /** How long bots think. */
  tempo: (typeof TEMPI)[number];
  /** Whether single keys do something at the table. */
  shortcuts: boolean;
}

const KEY = "phaseten.settings";
const USUAL: Settings = {
  name: "",
  theme: "auto",
  text: "normal",
  language: "",
  sound: true,
  vibration: true,
  notify: false,
  sort: "number",
  face: "",
  surface: "oak",
  back: "lines",
  tempo: "normal",
  shortcuts: true,
};

export const settings: Settings = $state(recalled());

function recalled(): Settings {
  const found = recall(KEY, USUAL);
  // Once an order of one's own was kept for good.
  return found.sort === "color" ? found : { ...found, sort: "number" };
}

/** The sheet in which they are changed; any page may open it. */
export const sheet = $state({ open: false });

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const contrast = window.matchMedia("(prefers-contrast: more)");

/** Let the page look as it was chosen, now and whenever that changes. */
export function followSettings(): void {
  for (const wish of [dark, contrast]) wish.addEventListener("change", show);
  $effect.root(() => {
    $effect(() => {
      remember(KEY, settings);
      show();
    });
  });
  // What was chosen in another tab holds in this one too; a language is spoken when the page is loaded next.
  follow(KEY, () => void Object.assign(settings, recalled()));
}

function show(): void {
  const root = document.documentElement;
  const wished = contrast.matches ? "contrast" : dark.matches ? "dark" : "light";
  root.dataset["theme"] = settings.theme === "auto" ? wished : settings.theme;
  root.dataset["text"] = settings.text;
  root.dataset["surface"] = settings.surface;
  root.dataset["back"] = settings.back;
  const table = getComputedStyle(root).getPropertyValue("--table");
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", table);
}

let spoken = $state(0);

/** Changes whenever the page speaks another language: what is shown then has to be shown anew. */
export function language(): number {
  return spoken;
}

export async function chooseLanguage(code: string): Promise<void> {
  settings.language = code;
  await speak(code || preferred());
  spoken++;
}
