/** Dragging a card with finger, pen or mouse. A touch that does not travel is a tap. */
import { tick } from "svelte";
import type { Place, Play } from "../play.svelte";
import type { Press } from "../press";

const TRAVEL = 8;
const DOUBLE_TAP = 350;

export interface Dragged {
  readonly key: number;
  readonly x: number;
  readonly y: number;
}

export class Dragging {
  /** The card under the finger. It stays there until the table has answered. */
  dragged = $state.raw<Dragged | null>(null);
  /** Whether it has been let go. */
  released = $state(false);
  #start: { key: number; x: number; y: number; pointer: number } | null = null;
  #justDragged = false;
  #lastTap = { key: -1, at: 0 };

  constructor(
    readonly play: Play,
    /** The place in the hand for a card at that point, or null outside of it. */
    readonly placeInHand: (x: number, y: number) => number | null,
  ) {}

  press(event: PointerEvent, key: number): void {
    if (event.button !== 0 || this.#start) return;
    this.#start = { key, x: event.clientX, y: event.clientY, pointer: event.pointerId };
    this.#justDragged = false;
    // The whole window listens: the card's own element moves in the page as the hand is arranged.
    window.addEventListener("pointermove", this.#travel);
    window.addEventListener("pointerup", this.#release);
    window.addEventListener("pointercancel", this.#cancel);
  }

  #travel = (event: PointerEvent): void => {
    const start = this.#start;
    if (!start || event.pointerId !== start.pointer) return;
    const { clientX: x, clientY: y } = event;
    if (!this.dragged && Math.hypot(x - start.x, y - start.y) < TRAVEL) return;
    if (!this.dragged) {
      this.play.chosen = start.key;
      this.play.dragging = true;
    }
    this.dragged = { key: start.key, x, y };
    const place = placeAt(x, y);
    this.play.over = this.play.mayDrop(place) ? place : null;
    const to = this.play.over ? null : this.placeInHand(x, y);
    if (to !== null) this.play.move(start.key, to);
  };

  #release = (event: PointerEvent): void => {
    if (event.pointerId !== this.#start?.pointer) return;
    this.#letGo();
    if (!this.dragged) return;
    this.#justDragged = true;
    this.released = true;
    const place = this.play.over;
    this.play.over = null;
    if (place?.startsWith("row:")) this.play.fill(Number(place.slice(4)), this.#placeInRow(event));
    else if (place) this.play.drop(place);
  };

  #cancel = (event: PointerEvent): void => {
    if (event.pointerId !== this.#start?.pointer) return;
    this.#letGo();
    this.play.over = null;
    this.released = this.dragged !== null;
  };

  #letGo(): void {
    this.#start = null;
    window.removeEventListener("pointermove", this.#travel);
    window.removeEventListener("pointerup", this.#release);
    window.removeEventListener("pointercancel", this.#cancel);
  }

  /** The card glides to where it belongs; one that was played is on its way already. */
  settle(): void {
    const isHeld = this.play.arrangement.find(this.dragged?.key ?? null) !== undefined;
    if (isHeld) this.play.stage.photograph();
    this.dragged = null;
    this.released = false;
    this.play.dragging = false;
    if (!isHeld) return;
    if (!this.play.question) this.play.chosen = null;
    void tick().then(() => this.play.stage.play());
  }

  /** A tap raises a card; a second one soon after discards it. */
  tap({ byPointer, timeStamp }: Press, key: number): void {
    if (this.#justDragged) {
      this.#justDragged = false;
      return;
    }
    const isSoon = timeStamp - this.#lastTap.at < DOUBLE_TAP;
    const isSecond = byPointer && isSoon && this.#lastTap.key === key;
    this.#lastTap = { key, at: isSecond ? 0 : timeStamp };
    if (isSecond) {
      this.play.chosen = key;
      this.play.discardSoon();
    } else this.play.choose(key);
  }

  #placeInRow(event: PointerEvent): number {
    const row = document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((element) => element.closest('[data-drop^="row:"]'))
      .find(Boolean);
    const cards = [...(row?.querySelectorAll("[data-slot-card]") ?? [])];
    return cards.filter((card) => {
      const { left, width } = card.getBoundingClientRect();
      return left + width / 2 < event.clientX;
    }).length;
  }
}

function placeAt(x: number, y: number): Place | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const place = element.closest<HTMLElement>("[data-drop]");
    if (place) return place.dataset["drop"]!;
  }
  return null;
}
