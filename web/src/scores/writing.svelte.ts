/** A hand that is being written down, or corrected. */
import { book, type Kept } from "./book.svelte";
import {
  NO_CARDS,
  isComplete,
  newHand,
  pointsOf,
  standings,
  type Counted,
  type Edition,
  type Entry,
  type Hand,
  type Standing,
} from "./sheet.ts";
import { warningsOf, type Warning } from "./warnings.ts";

const MOST_DIGITS = 4;

export class Writing {
  readonly before: Standing;
  readonly kept: () => Kept;
  readonly #edition: Edition;
  readonly #number: number;
  hand: Hand = $state.raw({ entries: [], out: null });
  /** Whose points the pad writes. */
  active = $state(0);
  /** Something has just been typed there: it is too early to find fault with it. */
  #isTyping = $state(false);
  /** The next digit begins a new number. */
  #isFresh = true;

  constructor(kept: () => Kept, edition: Edition, number: number) {
    this.kept = kept;
    this.#edition = edition;
    this.#number = number;
    const { sheet, draft } = kept();
    this.before = standings(sheet, edition)[number - 1]!;
    const blank = newHand(this.before);
    const found = draft?.number === number ? draft.hand : (sheet.hands[number - 1] ?? blank);
    // An earlier hand may have been corrected since: who plays now has a line of their own.
    this.hand = {
      out: found.out !== null && blank.entries[found.out] ? found.out : null,
      entries: blank.entries.map((empty, seat) => empty && (found.entries[seat] ?? empty)),
    };
    this.active = this.#missing(-1) ?? this.before.playing[0]!;
  }

  get warnings(): Warning[] {
    const all = warningsOf(this.kept().sheet, this.#edition, this.before, this.hand);
    return all.filter(({ seat }) => !(this.#isTyping && seat === this.active));
  }

  get cards(): Counted {
    return this.hand.entries[this.active]?.cards ?? NO_CARDS;
  }

  activate(seat: number): void {
    if (seat !== this.active) this.#isTyping = false;
    this.active = seat;
    this.#isFresh = true;
  }

  typing(): void {
    this.#isTyping = true;
    this.#isFresh = false;
  }

  put(seat: number, entry: Entry): void {
    const entries = this.hand.entries.map((old, place) => (place === seat ? entry : old));
    this.#keep({ ...this.hand, entries });
  }

  digit(digit: string): void {
    const old = this.#isFresh ? "" : String(this.#entry.points ?? "");
    const points = Number((old + digit).slice(0, MOST_DIGITS));
    this.typing();
    this.put(this.active, without(this.#entry, { points }));
  }

  back(): void {
    const left = String(this.#entry.points ?? "").slice(0, -1);
    this.typing();
    this.put(this.active, without(this.#entry, { points: left ? Number(left) : null }));
  }

  count(cards: Counted): void {
    this.typing();
    this.put(this.active, { ...this.#entry, cards, points: pointsOf(cards) });
  }

  /** Who goes out has made the Phase and has no points. */
  goOut(seat: number): void {
    const wasOut = this.hand.out;
    const entries = this.hand.entries.map((entry, place) => {
      if (!entry) return null;
      if (place === seat && place !== wasOut) return without(entry, { made: true, points: 0 });
      return place === wasOut && entry.points === 0 ? without(entry, { points: null }) : entry;
    });
    this.#keep({ entries, out: wasOut === seat ? null : seat });
    this.#isTyping = false;
    if (this.hand.out !== null && this.active === seat) this.next();
  }

  /** Go on to the next line without points; whether there is one. */
  next(): boolean {
    this.#isTyping = false;
    const seat = this.#missing(this.active);
    if (seat === undefined) return false;
    this.activate(seat);
    return true;
  }

  get isComplete(): boolean {
    return isComplete(this.hand);
  }

  /** Whose points are missing, if anybody's. */
  get missing(): number | undefined {
    return this.#missing(-1);
  }

  save(): void {
    const kept = this.kept();
    const hands = [...kept.sheet.hands];
    hands[this.#number - 1] = this.hand;
    book.write(kept, { ...kept.sheet, hands }, null);
  }

  remove(): void {
    const kept = this.kept();
    const hands = kept.sheet.hands.filter((_, index) => index !== this.#number - 1);
    book.write(kept, { ...kept.sheet, hands }, null);
  }

  get #entry(): Entry {
    return this.hand.entries[this.active]!;
  }

  #missing(after: number): number | undefined {
    const { playing } = this.before;
    const from = playing.filter((seat) => seat > after);
    const order = [...from, ...playing.filter((seat) => seat <= after)];
    return order.find((seat) => this.hand.entries[seat]?.points === null);
  }

  #keep(hand: Hand): void {
    this.hand = hand;
    book.keepDraft(this.kept(), { number: this.#number, hand });
  }
}

/** The entry with something changed; points that were not counted have no cards. */
function without({ cards: _, ...entry }: Entry, change: Partial<Entry>): Entry {
  return { ...entry, ...change };
}
