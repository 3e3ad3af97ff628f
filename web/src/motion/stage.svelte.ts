/**
 * Cards move: whatever has a `data-spot` glides from where it was to where it is. A picture of all places is
 * taken before the page changes, and afterwards every card starts where it, or what it came from, was seen.
 * A card on its way is photographed where it is, so that each movement can be interrupted by the next.
 */
export interface Journey {
  /** The spot at which something arrives. */
  readonly to: string;
  /** The spot it comes from. */
  readonly from: string;
  readonly delay: number;
  /** How long it takes, where it is not as quick as usual. */
  readonly time?: number;
  /** A card that is shown only on the way; null is its back. Otherwise what is at the spot moves. */
  readonly passing?: string | null;
}

export interface Passing {
  readonly key: number;
  readonly card: string | null;
  readonly from: DOMRect;
  readonly to: DOMRect;
  /** The width of the card. */
  readonly width: number;
  readonly delay: number;
}

export const DURATION = 240;
/** What comes from somebody's small fan is a card nevertheless. */
const SMALLEST = 0.7;
const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
let lastKey = 0;

export class Stage {
  /** Cards that fly over the table, from a pile to an opponent and back. */
  passing = $state.raw<readonly Passing[]>([]);
  #before = new Map<string, DOMRect>();
  /** The last move of each element; to cancel one that is over changes nothing. */
  #moves = new WeakMap<Element, Animation>();

  /** Remember where everything is. */
  photograph(): void {
    this.#before = new Map();
    for (const element of spots()) {
      this.#before.set(element.dataset["spot"]!, element.getBoundingClientRect());
    }
  }

  /** Let everything glide from there to where it is now. */
  play(journeys: readonly Journey[] = []): void {
    const elements = spots();
    for (const element of elements) this.#moves.get(element)?.cancel();
    // All measuring before all moving: the browser lays the page out once.
    const after = new Map<string, DOMRect>();
    for (const element of elements) {
      after.set(element.dataset["spot"]!, element.getBoundingClientRect());
    }
    const arriving = new Map(
      journeys.filter(({ passing }) => passing === undefined).map((one) => [one.to, one]),
    );
    for (const element of elements) {
      const spot = element.dataset["spot"]!;
      const journey = arriving.get(spot);
      const from = journey
        ? (this.#before.get(journey.from) ?? after.get(journey.from))
        : this.#before.get(spot);
      if (from) this.#move(element, from, after.get(spot)!, journey?.delay ?? 0, journey?.time);
    }
    this.#fly(journeys, after);
  }

  land(key: number): void {
    this.passing = this.passing.filter((one) => one.key !== key);
  }

  #fly(journeys: readonly Journey[], after: ReadonlyMap<string, DOMRect>): void {
    if (calm.matches || document.hidden) return;
    const found = journeys.flatMap(({ from, to, delay, passing }) => {
      const start = this.#before.get(from) ?? after.get(from);
      const end = after.get(to);
      if (passing === undefined || !start || !end) return [];
      // As large as where it is seen best: on a pile.
      const width = Math.max(start.width, end.width);
      return [{ key: ++lastKey, card: passing, from: start, to: end, width, delay }];
    });
    if (found.length) this.passing = [...this.passing, ...found];
  }

  #move(element: HTMLElement, from: DOMRect, to: DOMRect, delay: number, time = DURATION): void {
    const left = from.x + from.width / 2 - to.x - to.width / 2;
    const top = from.y + from.height / 2 - to.y - to.height / 2;
    const scale = to.width ? Math.max(SMALLEST, from.width / to.width) : 1;
    if (Math.abs(left) < 1 && Math.abs(top) < 1 && Math.abs(scale - 1) < 0.02) return;
    const start = calm.matches
      ? { opacity: 0 }
      : { transform: `translate(${left}px, ${top}px) scale(${scale})` };
    const end = calm.matches ? { opacity: 1 } : { transform: "none" };
    const timing = { duration: time, delay, easing: EASE, fill: "backwards" } as const;
    this.#moves.set(element, element.animate([start, end], timing));
  }
}

/** The way of a card that passes over the table. */
export function flight(element: HTMLElement, { from, to, delay }: Passing): Animation {
  const left = from.x + from.width / 2 - to.x - to.width / 2;
  const top = from.y + from.height / 2 - to.y - to.height / 2;
  return element.animate(
    [
      { transform: `translate(${left}px, ${top}px)`, opacity: 1 },
      { transform: "none", opacity: 1, offset: 0.8 },
      { transform: "scale(0.6)", opacity: 0 },
    ],
    { duration: DURATION * 1.25, delay, easing: EASE, fill: "both" },
  );
}

function spots(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-spot]")];
}
