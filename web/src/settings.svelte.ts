/** What somebody has chosen on this device. It stays in the browser. */

export type Theme = "auto" | "light" | "dark" | "contrast";

export interface Settings {
  name: string;
  theme: Theme;
  text: "normal" | "large";
  /** Empty: the browser's choice. */
  language: string;
  sound: boolean;
  vibration: boolean;
  sort: "number" | "color" | "own";
}

const KEY = "phaseten.settings";
const USUAL: Settings = {
  name: "",
  theme: "auto",
  text: "normal",
  language: "",
  sound: true,
  vibration: true,
  sort: "number",
};

/** Something kept in the browser; what cannot be read or kept is as if it were not there. */
export function recall<Value extends object>(key: string, usual: Value): Value {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Value>) };
  } catch {
    return usual;
  }
}

export function remember(key: string, value: object): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A private window, or no room: then it lasts as long as the page.
  }
}

export const settings: Settings = $state(recall(KEY, USUAL));

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** Let the page look as it was chosen, now and whenever that changes. */
export function followSettings(): void {
  dark.addEventListener("change", show);
  $effect.root(() => {
    $effect(() => {
      remember(KEY, settings);
      show();
    });
  });
}

function show(): void {
  const theme = settings.theme === "auto" ? (dark.matches ? "dark" : "light") : settings.theme;
  document.documentElement.dataset["theme"] = theme;
  document.documentElement.dataset["text"] = settings.text;
}
