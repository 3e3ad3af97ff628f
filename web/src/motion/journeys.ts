/** Which way the cards went in what happened. */
import { asHeld } from "../play/choices";
import type { Changed, HeldCard } from "../play/hand/arrangement.svelte";
import { meldSpots } from "../play/melds/spots";
import type { Event, StepForm } from "../protocol";
import type { Journey } from "./stage.svelte";

/** Between one thing that happened and the next, and between the cards of one thing. */
const PAUSE = 110;
const CARD_PAUSE = 30;
/** Nobody waits longer than this for what has already happened. */
const LONGEST = 700;

export const DRAW_PILE = "pile:draw";
export const DISCARD_PILE = "pile:discard";
export const DISCARD_TOP = "pile:top";
export const handSpot = (key: number): string => `hand:${key}`;
export const seatSpot = (seat: number): string => `seat:${seat}`;

export function journeysOf(
  steps: readonly StepForm[],
  mine: number | null,
  changed: Changed,
): Journey[] {
  const traveller = new Traveller(mine, changed);
  for (const step of steps) for (const event of step.events) traveller.follow(event);
  return traveller.journeys;
}

class Traveller {
  readonly journeys: Journey[] = [];
  #delay = 0;
  #added: HeldCard[];
  #gone: HeldCard[];

  constructor(
    readonly mine: number | null,
    changed: Changed,
  ) {
    this.#added = [...changed.added];
    this.#gone = [...changed.gone];
  }

  follow(event: Event): void {
    switch (event.event) {
      case "DealSeen":
        this.#deal(event.players);
        break;
      case "DrawSeen":
        this.#arrive(event.seat, DRAW_PILE, event.card);
        break;
      case "DiscardTaken":
        this.#arrive(event.seat, DISCARD_PILE, event.card);
        break;
      case "PhaseLaid":
        event.melds.forEach((meld, index) => {
          for (const [card, spot] of meldSpots(event.seat, index + 1, meld.cards)) {
            this.#leave(event.seat, card, spot);
          }
        });
        this.#wait(PAUSE);
        break;
      case "MeldHit": {
        const wanted = [...event.cards];
        for (const [card, spot] of meldSpots(event.owner, event.meld, event.result.cards)) {
          const index = wanted.indexOf(card);
          if (index < 0) continue;
          wanted.splice(index, 1);
          this.#leave(event.seat, card, spot);
        }
        this.#wait(PAUSE);
        break;
      }
      case "CardDiscarded":
        this.#leave(event.seat, event.card, DISCARD_TOP);
        this.#wait(PAUSE);
        break;
    }
  }

  #deal(players: readonly number[]): void {
    for (const card of this.#added.splice(0)) this.#go(handSpot(card.key), DRAW_PILE);
    for (const seat of players) {
      if (seat !== this.mine) this.#go(seatSpot(seat), DRAW_PILE, null);
    }
    this.#go(DISCARD_TOP, DRAW_PILE);
  }

  /** A card came to a seat: into the own hand, or to an opponent as everybody sees it. */
  #arrive(seat: number, from: string, card: string | null): void {
    if (seat === this.mine) {
      const index = this.#added.findIndex((one) => one.text === card);
      if (index < 0) return;
      const [held] = this.#added.splice(index, 1);
      this.#go(handSpot(held!.key), from);
    } else this.#go(seatSpot(seat), from, card);
    this.#wait(PAUSE);
  }

  /** A card left a seat for that spot. */
  #leave(seat: number, card: string, to: string): void {
    const index = this.#gone.findIndex((one) => one.text === asHeld(card));
    const isMine = seat === this.mine && index >= 0;
    const [held] = isMine ? this.#gone.splice(index, 1) : [];
    this.#go(to, held ? handSpot(held.key) : seatSpot(seat));
  }

  #go(to: string, from: string, passing?: string | null): void {
    const journey = { to, from, delay: Math.min(this.#delay, LONGEST) };
    this.journeys.push(passing === undefined ? journey : { ...journey, passing });
    this.#wait(CARD_PAUSE);
  }

  #wait(time: number): void {
    this.#delay += time;
  }
}
