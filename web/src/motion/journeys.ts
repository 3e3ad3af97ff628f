/** Which way the cards went in what happened. */
import { asHeld } from "../play/choices";
import type { Changed, HeldCard } from "../play/hand/arrangement.svelte";
import { meldSpots } from "../play/melds/spots";
import type { BoardData, Event, StepForm } from "../protocol";
import type { Journey } from "./stage.svelte";

/** Between one thing that happened and the next, and between the cards of one thing. */
const PAUSE = 110;
const CARD_PAUSE = 30;
/** The cards of a Phase settle one by one. */
const SETTLE_PAUSE = 60;
/** What concerns the player is slow enough to see. */
const SLOW = 480;
/** Nobody waits longer than this for what has already happened. */
const LONGEST = 700;

export const DRAW_PILE = "pile:draw";
export const DISCARD_PILE = "pile:discard";
export const DISCARD_TOP = "pile:top";
export const handSpot = (key: number): string => `hand:${key}`;
export const openSpot = (seat: number, place: number): string => `open:${seat}:${place}`;
export const seatSpot = (seat: number): string => `seat:${seat}`;

/** How the hands that lie open have changed, by seat. */
export type OpenHands = ReadonlyMap<number, Changed>;
export const NO_HANDS: OpenHands = new Map();

export function journeysOf(steps: readonly StepForm[], hands: OpenHands): Journey[] {
  const traveller = new Traveller(hands);
  for (const step of steps) for (const event of step.events) traveller.follow(event);
  return traveller.journeys;
}

/** Who comes to a table after the deal, and before anything else was done, sees it dealt now. */
export function journeysOfArrival(board: BoardData | null, hands: OpenHands): Journey[] {
  const traveller = new Traveller(hands);
  if (board && isUntouched(board)) traveller.deal(board.players);
  return traveller.journeys;
}

function isUntouched({ step, turn, players, discards, melds }: BoardData): boolean {
  const isFirstTurn = turn === players[0] && step === "draw" && discards.length === 1;
  return isFirstTurn && melds.every((laid) => !laid.length);
}

class Traveller {
  readonly journeys: Journey[] = [];
  #delay = 0;
  #added = new Map<number, HeldCard[]>();
  #gone = new Map<number, HeldCard[]>();

  constructor(hands: OpenHands) {
    for (const [seat, { added, gone }] of hands) {
      this.#added.set(seat, [...added]);
      this.#gone.set(seat, [...gone]);
    }
  }

  follow(event: Event): void {
    switch (event.event) {
      case "DealSeen":
        this.deal(event.players);
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
            this.#leave(event.seat, card, spot, SLOW);
            this.#wait(SETTLE_PAUSE - CARD_PAUSE);
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
          this.#leave(event.seat, card, spot, this.#isOpen(event.owner) ? SLOW : undefined);
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

  /** The card that is turned up goes first: nobody may take it for the top of the draw pile. */
  deal(players: readonly number[]): void {
    this.#go(DISCARD_TOP, DRAW_PILE);
    for (const cards of this.#added.values()) {
      for (const card of cards.splice(0)) this.#go(handSpot(card.key), DRAW_PILE);
    }
    for (const seat of players) {
      if (!this.#added.has(seat)) this.#go(seatSpot(seat), DRAW_PILE, { passing: null });
    }
  }

  /** A card came to a seat: into an open hand, or to an opponent as everybody sees it. */
  #arrive(seat: number, from: string, card: string | null): void {
    const added = this.#added.get(seat);
    if (added) {
      const index = added.findIndex((one) => one.text === card);
      if (index < 0) return;
      const [held] = added.splice(index, 1);
      this.#go(handSpot(held!.key), from, { time: SLOW });
    } else this.#go(seatSpot(seat), from, { passing: card });
    this.#wait(PAUSE);
  }

  /** A card left a seat for that spot. */
  #leave(seat: number, card: string, to: string, time?: number): void {
    const gone = this.#gone.get(seat) ?? [];
    const index = gone.findIndex((one) => one.text === asHeld(card));
    const [held] = index >= 0 ? gone.splice(index, 1) : [];
    const from = held ? handSpot(held.key) : seatSpot(seat);
    this.#go(to, from, time === undefined ? {} : { time });
  }

  #go(to: string, from: string, how: Pick<Journey, "passing" | "time"> = {}): void {
    this.journeys.push({ to, from, delay: Math.min(this.#delay, LONGEST), ...how });
    this.#wait(CARD_PAUSE);
  }

  /** Whether that seat's hand lies open here: the player's own. */
  #isOpen(seat: number): boolean {
    return this.#added.has(seat);
  }

  #wait(time: number): void {
    this.#delay += time;
  }
}
