/** What is said to the player beside the table: refusals, what people say, and what a screen reader speaks. */
import type { Hint, Refused, Update } from "../../protocol";
import { say, sayAny } from "../../words";
import { isSaid, type Line } from "../log.svelte";

const REFUSAL_TIME = 6_000;
const BUBBLE_TIME = 5_000;

export interface Bubble {
  readonly key: number;
  readonly kind: "said" | "reacted";
  readonly text: string;
}

/** Why something cannot be, and by which rule. */
export type Refusal = Pick<Refused, "rule" | "sentence">;

export class Notices {
  refusal = $state.raw<Refusal | null>(null);
  /** The last thing each seat said, for a moment. */
  bubbles = $state.raw<{ readonly [seat: number]: Bubble }>({});
  /** For the one region that is spoken. */
  spoken = $state("");
  /** What happened last, in words. */
  latest = $state("");
  #timers = new Set<number>();

  refuse(refusal: Refusal): void {
    this.refusal = refusal;
    this.spoken = refusal.sentence;
    this.#after(REFUSAL_TIME, () => {
      if (this.refusal === refusal) this.refusal = null;
    });
  }

  hear(lines: readonly Line[], update: Update): void {
    const told = lines.filter((line) => line.kind === "told").map((line) => line.text);
    const talk = lines.filter(isSaid);
    const heard = talk.filter(({ seat }) => seat !== update.you.seat);
    // Talk alone changes nothing about the turn: what was said about it stays.
    const isMove = told.length > 0 || !talk.length;
    if (isMove) this.refusal = null;
    if (told.length) this.latest = told.at(-1)!;
    const turn = isMove ? turnWords(update) : "";
    const said = heard.map((line) => `${update.table.seats[line.seat - 1]?.name}: ${words(line)}`);
    this.spoken = [...told, ...said, turn].filter(Boolean).join(" ");
    for (const line of talk) this.#bubble(line);
  }

  /** Little of the player's own time is left: said once. */
  warn(): void {
    this.spoken = say("web_table.clock_warning");
  }

  close(): void {
    for (const timer of this.#timers) window.clearTimeout(timer);
  }

  #bubble({ key, seat, kind, text }: Line): void {
    if (kind === "told" || kind === "coach") return;
    this.bubbles = { ...this.bubbles, [seat]: { key, kind, text } };
    this.#after(BUBBLE_TIME, () => {
      if (this.bubbles[seat]?.key !== key) return;
      const { [seat]: _gone, ...others } = this.bubbles;
      this.bubbles = others;
    });
  }

  #after(time: number, act: () => void): void {
    const timer = window.setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, time);
    this.#timers.add(timer);
  }
}

const EMOJI: { readonly [reaction: string]: string } = {
  hello: "👋",
  nice: "👏",
  ouch: "😣",
  wow: "😮",
  haha: "😄",
  hurry: "⏳",
  thanks: "🙏",
  bye: "🌙",
};

/** What a bot would do, and why. */
export function hintWords({ action, reasons }: Hint): string {
  return [sayAny(`web_table.hint_do.${action.do}`), ...reasons].join(" ");
}

/** The picture of a reaction, beside its words. */
export function emojiOf(reaction: string): string {
  return EMOJI[reaction] ?? "";
}

/** What somebody said, or the reaction in words. */
export function words({ kind, text }: Pick<Line, "kind" | "text">): string {
  return kind === "reacted" ? sayAny(`web_table.reaction.${text}`) : text;
}

/** What the player may do now, said after what happened. */
function turnWords({ actions }: Update): string {
  if (actions.some((action) => action.do === "draw" || action.do === "take"))
    return say("web_table.turn.draw");
  if (actions.some((action) => action.do === "lay")) return say("web_table.turn.lay");
  if (actions.some((action) => action.do === "discard")) return say("web_table.turn.play");
  return "";
}
