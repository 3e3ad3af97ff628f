/** What deserves a beat: a Phase is laid, somebody is skipped, holds one card, or is out; one's own turn begins. */
import type { StepForm, Update } from "../protocol";

export interface SeatMoment {
  readonly key: number;
  readonly kind: "skipped" | "last" | "out";
}

export interface Title {
  readonly key: number;
  readonly kind: "laid" | "turn" | "skipped";
  readonly seat: number;
  readonly phase?: number;
}

const SEAT_TIME = 1_800;
const TITLE_TIME = 1_400;
/** How long a drawn card is held up. */
const DRAWN_TIME = 1_500;
let lastKey = 0;

export class Moments {
  /** What happens to each seat right now. */
  #seats = $state.raw<ReadonlyMap<number, SeatMoment>>(new Map());
  /** What stands over the table in large letters. */
  title = $state.raw<Title | null>(null);
  /** The card that was just drawn, held up for a moment. */
  drawn = $state<number | null>(null);
  #timers = new Set<number>();

  of(seat: number): SeatMoment | undefined {
    return this.#seats.get(seat);
  }

  follow(steps: readonly StepForm[], update: Update, before: Update | null): void {
    if (!before) return;
    const mine = update.you.seat;
    for (const { events } of steps) {
      for (const event of events) {
        if (event.event === "TurnLost") {
          this.#at(event.seat, "skipped");
          if (event.seat === mine) this.#say({ kind: "skipped", seat: event.seat });
        } else if (event.event === "PhaseLaid")
          this.#say({ kind: "laid", seat: event.seat, phase: event.phase });
        else if (event.event === "HandScored" && event.out) this.#at(event.out, "out");
      }
    }
    const [was, is] = [before.game?.board, update.game?.board];
    if (!was || !is || was.hand !== is.hand) return;
    is.counts.forEach((count, index) => {
      const isNew = count === 1 && was.counts[index] !== 1;
      if (isNew && index + 1 !== mine) this.#at(index + 1, "last");
    });
  }

  /** Hold up the card that came to one's hand. */
  hold(key: number): void {
    this.drawn = key;
    this.#after(DRAWN_TIME, () => {
      if (this.drawn === key) this.drawn = null;
    });
  }

  close(): void {
    for (const timer of this.#timers) window.clearTimeout(timer);
  }

  #at(seat: number, kind: SeatMoment["kind"]): void {
    const moment = { key: ++lastKey, kind };
    this.#seats = new Map(this.#seats).set(seat, moment);
    this.#after(SEAT_TIME, () => {
      if (this.#seats.get(seat) !== moment) return;
      const others = new Map(this.#seats);
      others.delete(seat);
      this.#seats = others;
    });
  }

  #say(title: Omit<Title, "key">): void {
    const shown = { key: ++lastKey, ...title };
    this.title = shown;
    this.#after(TITLE_TIME, () => {
      if (this.title === shown) this.title = null;
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
