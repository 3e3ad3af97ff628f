/** A game that is shown again, step by step. To the table it is a connection that only tells. */
import { FACE_NAMES } from "../faces/faces";
import { tick } from "svelte";
import { SvelteMap } from "svelte/reactivity";
import { journeysOf, type OpenHands } from "../motion/journeys";
import type { Connection } from "../play/connection.svelte";
import { Arrangement } from "../play/hand/arrangement.svelte";
import { listen } from "../play/listening";
import { Play } from "../play/play.svelte";
import {
  PROTOCOL,
  type FrameForm,
  type ReplayForm,
  type StepForm,
  type Update,
  type Welcome,
} from "../protocol";

/** How long a step is shown at the usual speed, and the end of a hand. */
const STEP_TIME = 1_300;
const RESULT_TIME = 4_500;
export const SPEEDS = [0.5, 1, 2, 4] as const;

export interface HandMark {
  readonly hand: number;
  /** The step in which it is dealt. */
  readonly start: number;
}

export class Film implements Connection {
  readonly code = "";
  readonly status = "connected";
  readonly refusal = null;
  readonly need = null;
  readonly waiting = false;
  readonly ahead = 0;

  form = $state.raw() as ReplayForm;
  /** The step that is shown, from 0 on. */
  index = $state(0);
  playing = $state(false);
  speed = $state<number>(1);
  readonly play: Play;
  #hands = new SvelteMap<number, Arrangement>();
  #timer = 0;

  constructor(form: ReplayForm, index: number) {
    this.form = form;
    this.index = this.#within(index);
    this.play = new Play("", () => this);
    this.#hold();
  }

  readonly last = $derived.by(() => this.form.frames.length - 1);
  readonly frame: FrameForm = $derived.by(() => this.form.frames[this.index]!);
  readonly hands: readonly HandMark[] = $derived.by(() =>
    this.form.frames.flatMap(({ events }, start) =>
      events.flatMap((event) => (event.event === "DealSeen" ? [{ hand: event.hand, start }] : [])),
    ),
  );
  /** The hand that is shown. */
  readonly hand: HandMark = $derived.by(
    () => this.hands.findLast(({ start }) => start <= this.index) ?? { hand: 1, start: 0 },
  );
  /** How the game stood in the end. */
  readonly end = $derived.by(() => this.form.frames.at(-1)!.game);

  readonly welcome: Welcome = $derived.by(() => ({
    type: "welcome",
    protocol: PROTOCOL,
    code: "",
    language: "",
    options: {},
    rules: this.form.rules,
    phases: this.form.phases,
    bots: [],
    reactions: [],
    faces: [],
    coach: false,
    now: 0,
  }));
  readonly update: Update = $derived.by(() => this.#updateAt(this.index));

  /** What a seat holds, where it can be seen. */
  cardsOf(seat: number): Arrangement | undefined {
    return this.#hands.get(seat);
  }

  /** See the same moment with other eyes. */
  adopt(form: ReplayForm): void {
    this.form = form;
    this.index = this.#within(this.index);
    this.#hold();
  }

  show(index: number): void {
    const to = this.#within(index);
    if (to === this.index) return;
    const isNext = to === this.index + 1;
    const steps = isNext ? [stepOf(this.form.frames[to]!, to)] : [];
    this.play.stage.photograph();
    this.index = to;
    const changed = this.#hold();
    if (isNext) listen(steps, this.update, null);
    // A step forward shows the way of each card; everything else glides to where it is then.
    const journeys = journeysOf(steps, isNext ? changed : new Map());
    void tick().then(() => this.play.stage.play(journeys));
    if (this.playing) this.#wait();
  }

  /** To the beginning of this hand, or of the one before. */
  handBack(): void {
    const before = this.hands.findLast(({ start }) => start < this.index);
    this.show(before?.start ?? 0);
  }

  handForward(): void {
    const next = this.hands.find(({ start }) => start > this.index);
    this.show(next?.start ?? this.last);
  }

  toggle(): void {
    if (this.playing) return this.pause();
    if (this.index === this.last) this.show(0);
    this.playing = true;
    this.#wait();
  }

  pause(): void {
    this.playing = false;
    window.clearTimeout(this.#timer);
  }

  faster(): void {
    const next = SPEEDS.findIndex((speed) => speed === this.speed) + 1;
    this.speed = SPEEDS[next % SPEEDS.length]!;
    if (this.playing) this.#wait();
  }

  /** A finished game takes no requests. */
  send(): void {}

  close(): void {
    this.pause();
  }

  #wait(): void {
    window.clearTimeout(this.#timer);
    if (this.index === this.last) {
      this.playing = false;
      return;
    }
    const time = this.frame.game.board ? STEP_TIME : RESULT_TIME;
    this.#timer = window.setTimeout(() => this.show(this.index + 1), time / this.speed);
  }

  #within(index: number): number {
    return Math.max(0, Math.min(this.form.frames.length - 1, index));
  }

  #hold(): OpenHands {
    const { seat, names } = this.form;
    const { held, game } = this.frame;
    const seats = seat === null ? names.map((_, index) => index + 1) : [seat];
    for (const one of this.#hands.keys()) if (!seats.includes(one)) this.#hands.delete(one);
    return new Map(
      seats.map((one) => {
        const cards = seat === null ? (held[one - 1] ?? []) : game.held;
        const arrangement = this.#hands.get(one) ?? new Arrangement();
        this.#hands.set(one, arrangement);
        return [one, arrangement.follow(cards)];
      }),
    );
  }

  #updateAt(index: number): Update {
    const { names, seat, frames } = this.form;
    const frame = frames[index]!;
    return {
      type: "update",
      version: index,
      steps: [stepOf(frame, index)],
      table: {
        stage: frame.game.winner ? "finished" : "playing",
        paused: false,
        chat: false,
        seats: names.map((name, index) => ({
          name,
          bot: "",
          stand_in: "",
          seed: "",
          connected: true,
          again: false,
          coach: false,
          face: FACE_NAMES[index] ?? "",
        })),
        host: null,
        host_name: "",
        host_connected: false,
        watchers: 0,
        commitment: "",
        client_seed: "",
        server_seed: null,
        due: null,
      },
      you: { seat, host: false, undo: false, hint: false, muted: [] },
      game: frame.game,
      actions: [],
    };
  }
}

function stepOf({ events, sentences }: FrameForm, index: number): StepForm {
  return { version: index, at: 0, events, words: sentences };
}
