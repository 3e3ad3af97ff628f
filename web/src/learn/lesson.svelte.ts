/** The guided hand: what the learner sees, may do, and is told. Its frames were played by the real referee. */
import { cardName, compare } from "../cards/card";
import type { Action, ViewData, MeldData } from "../protocol";
import { say, sayAny } from "../words";
import data from "./data/tutorial.json";

interface Frame {
  /** How things stand before the action. */
  readonly game: ViewData;
  /** Who acts: 1 is the learner. */
  readonly seat: number;
  readonly action: Action;
  /** The name of the sentence that explains it to the learner. */
  readonly step: string;
}

interface Lesson {
  readonly opponent: string;
  readonly frames: readonly Frame[];
  readonly melds: readonly (readonly MeldData[])[];
  readonly points: readonly number[];
}

export const LESSON = data as unknown as Lesson;
const LEARNER = 1;

export class Learner {
  /** How many actions are done. */
  #done = $state(0);
  /** The other player has just acted, and the learner is told. */
  #isTelling = $state(false);
  /** Somebody whose turn was told drew a card before. */
  #hasDrawn = $state(false);
  chosen: string | null = $state(null);
  isRefused = $state(false);

  get isOver(): boolean {
    return this.#done === LESSON.frames.length;
  }

  get isTelling(): boolean {
    return this.#isTelling;
  }

  /** What the learner is to do now; null while the other one acts, and at the end. */
  get wanted(): Action | null {
    return this.#isTelling || this.isOver ? null : this.#frame.action;
  }

  get progress(): number {
    return this.#done / LESSON.frames.length;
  }

  get held(): readonly string[] {
    return this.isOver ? [] : [...this.#frame.game.held].sort(compare("number"));
  }

  get melds(): readonly (readonly MeldData[])[] {
    return this.isOver ? LESSON.melds : this.#board.melds;
  }

  /** How many cards the other one holds. */
  get count(): number {
    return this.#board.counts[1]!;
  }

  get discarded(): string | undefined {
    return this.isOver ? lastCard() : this.#board.discards.at(-1);
  }

  /** The card that the learner is to take up, as it is held. */
  get wantedCard(): string | null {
    const { wanted } = this;
    if (wanted?.do === "discard") return wanted.card;
    return wanted?.do === "hit" ? heldForm(wanted.cards[0]!) : null;
  }

  isWantedMeld(seat: number, meld: number): boolean {
    const { wanted } = this;
    return wanted?.do === "hit" && wanted.seat === seat && wanted.meld === meld;
  }

  /** Why, and how. */
  get words(): string {
    if (this.isOver) {
      const points = LESSON.points[1]!;
      return say("web_learn.step.end", { name: LESSON.opponent, points });
    }
    if (this.#isTelling) return this.#told;
    return sayAny(`web_learn.step.${this.#frame.step}`, { name: LESSON.opponent });
  }

  get tap(): string {
    const { wanted, wantedCard } = this;
    if (!wanted) return "";
    const card = wantedCard ? cardName(wantedCard) : "";
    return sayAny(`web_learn.tap.${wanted.do}`, { card });
  }

  goOn(): void {
    this.isRefused = false;
    if (!this.isOver && this.#frame.seat !== LEARNER) this.#letOtherAct();
    else this.#isTelling = false;
  }

  tapDraw(): void {
    if (this.wanted?.do === "draw") this.#act();
    else this.#refuse();
  }

  tapDiscards(): void {
    const isThrown = this.wanted?.do === "discard" && this.chosen === this.wantedCard;
    if (this.wanted?.do === "take" || isThrown) this.#act();
    else this.#refuse();
  }

  tapCard(card: string): void {
    if (card === this.wantedCard) {
      this.chosen = this.chosen === card ? null : card;
      this.isRefused = false;
    } else this.#refuse();
  }

  tapMeld(seat: number, meld: number): void {
    if (this.isWantedMeld(seat, meld) && this.chosen === this.wantedCard) this.#act();
    else this.#refuse();
  }

  lay(): void {
    if (this.wanted?.do === "lay") this.#act();
  }

  again(): void {
    this.#done = 0;
    this.#isTelling = false;
    this.chosen = null;
    this.isRefused = false;
  }

  get #frame(): Frame {
    return LESSON.frames[this.#done]!;
  }

  get #board() {
    return (LESSON.frames[this.#done] ?? LESSON.frames.at(-1)!).game.board!;
  }

  get #told(): string {
    const { action } = LESSON.frames[this.#done - 1]!;
    const name = LESSON.opponent;
    const card =
      action.do === "hit" ? action.cards[0]! : action.do === "discard" ? action.card : null;
    const drew = this.#hasDrawn ? [say("web_learn.tell.drew", { name })] : [];
    const did = sayAny(`web_learn.tell.${action.do}`, { name, card: card ? cardName(card) : "" });
    return [...drew, did].join(" ");
  }

  #act(): void {
    this.#done += 1;
    this.chosen = null;
    this.isRefused = false;
    if (!this.isOver && this.#frame.seat !== LEARNER) this.#letOtherAct();
  }

  /** Drawing and what follows are told together. */
  #letOtherAct(): void {
    this.#hasDrawn = this.#frame.action.do === "draw";
    this.#done += this.#hasDrawn ? 2 : 1;
    this.#isTelling = true;
  }

  #refuse(): void {
    this.isRefused = !this.isOver;
  }
}

/** A Wild as it is held, without what it stands for. */
function heldForm(card: string): string {
  return card.startsWith("W") ? "W" : card;
}

function lastCard(): string | undefined {
  const { action } = LESSON.frames.at(-1)!;
  return action.do === "discard" ? action.card : undefined;
}
