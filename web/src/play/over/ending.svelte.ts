/** The end of a hand, as it happens on the table: a breath, the hands are turned over, points run up, a sentence. */
import { tick } from "svelte";
import { cardName } from "../../cards/card";
import { openSpot, seatSpot } from "../../motion/journeys";
import type { Journey, Stage } from "../../motion/stage.svelte";
import type { EndedForm, Event, HandScored, StepForm, Update } from "../../protocol";
import { storyOf, type Story } from "./story";

/** After the last card has landed, until hands are turned over, and until points are counted. */
const BREATH = 800;
const TURNING = 900;
const COUNTING = 900;
/** Then the sheet comes by itself, unless somebody taps first. */
const LOOKING = 4_000;

type Step = "none" | "landing" | "open" | "counting" | "told";
const ORDER: readonly Step[] = ["none", "landing", "open", "counting", "told"];
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Ending {
  step = $state<Step>("none");
  /** How much of the points has been counted, from 0 to 1. */
  counted = $state(1);
  isSheetOpen = $state(false);
  story = $state.raw<Story | null>(null);
  #ended = $state.raw<EndedForm | null>(null);
  #scored = $state.raw<HandScored | null>(null);
  #mine: number | null = null;
  #events: Event[] = [];
  #timers: number[] = [];
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  readonly isOpen = $derived.by(() => this.#isAfter("open"));
  readonly isCounting = $derived.by(() => this.#isAfter("counting"));
  readonly isTold = $derived.by(() => this.step === "told");
  /** Whether it happened before one's eyes: who comes later finds the result. */
  isShown = $state(false);
  readonly scored = $derived.by(() => this.#scored);

  /** What a seat held at the end; its own hand everybody sees anyway. */
  shown(seat: number): readonly string[] | null {
    if (!this.isOpen || seat === this.#mine) return null;
    return this.#ended?.held[seat - 1] ?? null;
  }

  heldWords(seat: number): string {
    return this.#ended?.held[seat - 1]?.map(cardName).join(", ") ?? "";
  }

  /** The points that the hand brought. */
  gained(seat: number): number {
    return this.#scored?.points.find(([one]) => one === seat)?.[1] ?? 0;
  }

  follow(steps: readonly StepForm[], update: Update, before: Update | null): void {
    this.#remember(steps, update);
    const ended = update.ended ?? null;
    if (!ended) return this.#reset();
    if (this.#ended) return; // it is on the table already
    const last = update.game?.hands.at(-1);
    this.#ended = ended;
    this.#mine = update.you.seat;
    this.#scored = last?.event === "HandScored" ? last : null;
    this.story = this.#scored && storyOf(this.#events, this.#scored, this.#mine);
    if (before && !calm.matches) this.#show();
    else {
      this.step = "told";
      this.counted = 1;
    }
  }

  /** Whoever does not want to wait sees everything at once, and then the sheet. */
  hurry(): void {
    this.#stop();
    if (this.step === "landing") this.#turnOver();
    if (this.step === "told") this.isSheetOpen = true;
    this.step = "told";
    this.counted = 1;
  }

  close(): void {
    this.#stop();
  }

  #show(): void {
    this.step = "landing";
    this.isShown = true;
    this.counted = 0;
    this.#after(BREATH, () => this.#turnOver());
    this.#after(BREATH + TURNING, () => this.#count());
    this.#after(BREATH + TURNING + COUNTING, () => (this.step = "told"));
    this.#after(BREATH + TURNING + COUNTING + LOOKING, () => (this.isSheetOpen = true));
  }

  #turnOver(): void {
    this.#stage.photograph();
    this.step = "open";
    const journeys = (this.#ended?.held ?? []).flatMap((cards, index): Journey[] =>
      index + 1 === this.#mine
        ? []
        : cards.map((_, place) => ({
            to: openSpot(index + 1, place),
            from: seatSpot(index + 1),
            delay: place * 25,
          })),
    );
    void tick().then(() => this.#stage.play(journeys));
  }

  #count(): void {
    this.step = "counting";
    const start = performance.now();
    const run = (now: number): void => {
      if (this.step !== "counting") return;
      this.counted = Math.min(1, (now - start) / COUNTING);
      if (this.counted < 1) requestAnimationFrame(run);
    };
    requestAnimationFrame(run);
  }

  /** What everybody saw of this hand so far. */
  #remember(steps: readonly StepForm[], { seen }: Update): void {
    if (seen) this.#events = [...seen];
    else
      for (const event of steps.flatMap((step) => step.events)) {
        if (event.event === "DealSeen") this.#events = [];
        this.#events.push(event);
      }
  }

  #reset(): void {
    if (!this.#ended) return;
    this.#stop();
    this.#ended = this.#scored = this.story = null;
    this.step = "none";
    this.counted = 1;
    this.isSheetOpen = this.isShown = false;
  }

  #isAfter(step: Step): boolean {
    return ORDER.indexOf(this.step) >= ORDER.indexOf(step);
  }

  #after(time: number, act: () => void): void {
    this.#timers.push(window.setTimeout(act, time));
  }

  #stop(): void {
    for (const timer of this.#timers.splice(0)) window.clearTimeout(timer);
  }
}
