/** What single keys do at the table. */
import { toggleFullScreen } from "../../parts/full_screen";
import type { Play } from "../play.svelte";

export interface Shortcut {
  readonly key: string;
  /** The sentence `web_table.keys.…` that says what it does. */
  readonly name: "draw" | "take" | "lay" | "sort" | "hint" | "undo" | "full";
  readonly act: (play: Play) => void;
}

/** What cannot be done now is not done: the table decides, as it does for its buttons. */
export const SHORTCUTS: readonly Shortcut[] = [
  { key: "d", name: "draw", act: (play) => play.mayDraw && play.act({ do: "draw" }) },
  { key: "t", name: "take", act: (play) => play.mayTake && play.act({ do: "take" }) },
  { key: "l", name: "lay", act: (play) => play.mayLay && play.lay() },
  { key: "s", name: "sort", act: (play) => play.mine && play.sort() },
  { key: "h", name: "hint", act: (play) => play.update?.you.hint && play.askHint() },
  {
    key: "u",
    name: "undo",
    act: (play) => play.update?.you.undo && play.connection.send({ do: "undo" }),
  },
  { key: "f", name: "full", act: () => void toggleFullScreen() },
];

/** Whether a key was meant for the page: not for a field, a dialog or the browser. */
export function isForPage(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return false;
  return !target?.closest("input, textarea, select, dialog") && !document.querySelector("dialog");
}
