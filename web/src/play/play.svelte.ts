/** The table as one player sees and touches it. What may be done comes from the server. */
import { tick } from "svelte";
import { journeysOf, journeysOfArrival, NO_HANDS } from "../motion/journeys";
import { Stage } from "../motion/stage.svelte";
import {
  MOST_LAYS,
  type Action,
  type AimForm,
  type BoardData,
  type DiscardData,
  type Fit,
  type ViewData,
  type Hint,
  type HitData,
  type LayData,
  type PhaseData,
  type Remark,
  type SeatForm,
  type StepForm,
  type Update,
} from "../protocol";
import { settings } from "../settings.svelte";
import type { Question } from "./ask/question";
import { discardsOf, hitsWith, laysIn, laysOf } from "./choices";
import { TableConnection, type Connect, type Connection } from "./connection.svelte";
import { foresee, isSame, unseen, type Foreseen } from "./foresight";
import { readGroup } from "./groups";
import { Arrangement, type HeldCard } from "./hand/arrangement.svelte";
import { isTalk, Log, remarkWords } from "./log.svelte";
import { Memory } from "./memory";
import { Moments } from "./moments.svelte";
import { Muted } from "./muted";
import { meldName } from "./melds/spots";
import { hintWords, Notices } from "./notices/notices.svelte";
import { Ending } from "./over/ending.svelte";
import type { Evidence } from "./over/witness";
import { Rows } from "./phase/rows.svelte";
import { steady } from "./phase/steady";
import { listen } from "./listening";

/** Where a card can be dropped: `draw`, `discard`, `meld:2.1`, `row:0`. */
export type Place = string;

/** So long a quick discard can be taken back. */
const LATE = 1_500;

/** A Phase, and how it is called in the player's language. */
export type Phase = PhaseData & { words: string };

export class Play {
  readonly connection: Connection;
  readonly arrangement = new Arrangement();
  readonly rows = new Rows(this.arrangement);
  readonly stage = new Stage();
  readonly log = new Log((seat) => this.#muted.seats.includes(seat));
  readonly notices = new Notices();
  readonly moments = new Moments();
  readonly ending = new Ending(this.stage);
  readonly memory: Memory;

  /** The card that is raised, or dragged. */
  chosen = $state<number | null>(null);
  /** The place over which a card is dragged, if it may be dropped there. */
  over = $state<Place | null>(null);
  dragging = $state(false);
  question = $state.raw<Question | null>(null);
  /** The seat about which somebody wants to know more. */
  looksAt = $state<number | null>(null);
  hint = $state.raw<Hint | null>(null);
  /** What the coach says about the last move, until it is read or the player goes on. */
  remark = $state.raw<Remark | null>(null);
  /** A card that somebody points at: a lesson does. */
  pointed = $state<string | null>(null);
  /** What somebody wanted to say and could not. */
  unsaid = $state("");
  /** What has just proved that the server cheats, until it is read. */
  alarm = $state.raw<Evidence | null>(null);
  /** Whether another game against bots is on its way. */
  isDealingAgain = $state(false);
  /** A move of one's own that is shown before the table has said so. */
  #foreseen = $state.raw<{ readonly action: Action; readonly step: StepForm } | null>(null);
  /** Whether a move is shown that the table has not yet made. */
  readonly isForeseen = $derived.by(() => this.#foreseen !== null);
  /** Whether the player has ended the turn, and the table has still to say so. */
  readonly hasDiscarded = $derived.by(() => this.#foreseen?.action.do === "discard");
  /** What was chosen while a move was under way; done next, if it may be. */
  #next: Action | { do: "undo" } | null = null;
  /** Runs while a move can still be taken back without anybody knowing. */
  #late = $state(0);
  readonly mayUndo = $derived.by(() => this.#late !== 0 || Boolean(this.update?.you.undo));
  /** Which Phase is shown, where the house lets players choose. */
  #wanted = $state<number | null>(null);
  /** The version in which something other than talk happened last. */
  #moved = 0;
  /** Whether the bots have been hurried since the player's last turn. */
  #hurried = false;
  readonly #muted: Muted;

  /** The table of that code at the server, or whatever else is connected. */
  constructor(
    code: string,
    connect: Connect = (code, listener) => new TableConnection(code, listener),
  ) {
    this.memory = new Memory(code);
    this.#muted = new Muted(code);
    this.connection = connect(code, {
      heard: (steps, update, before) => this.#hear(steps, update, before),
      refused: (refusal, request) => {
        this.isDealingAgain = false; // whatever was wrong, the lobby shows how to go on
        this.#next = null;
        if (request?.do === "say") this.unsaid = request.text;
        if (this.#foreseen && request && request.do === this.#foreseen.action.do) this.#takeBack();
        this.notices.refuse(refusal);
      },
      done: () => this.#goOn(),
      recalled: (steps) => this.log.recall(steps),
      hinted: (hint) => this.#takeHint(hint),
      remarked: (remark) => {
        this.remark = remark;
        this.log.note(remark);
        this.notices.spoken = remarkWords(remark);
      },
      judged: (fit) => this.#judge(fit),
      // A connection that comes back does not know any more whom one does not want to hear.
      welcomed: () => {
        this.isDealingAgain = false; // what was sent before may be lost
        this.#muted.seats.forEach((seat) => this.mute(seat, true));
      },
    });
    document.addEventListener("visibilitychange", this.#sendLate);
  }

  close(): void {
    this.#sendLate();
    document.removeEventListener("visibilitychange", this.#sendLate);
    this.connection.close();
    this.notices.close();
    this.moments.close();
    this.ending.close();
  }

  // -- how things stand --------------------------------------------------------------------------

  /** How things stand, with what one has just done. */
  readonly update: Update | null = $derived.by(() => {
    const { update } = this.connection;
    if (!update || !this.#foreseen) return update;
    return this.#foresee(update, this.#foreseen.action)?.update ?? update;
  });
  readonly welcome = $derived.by(() => this.connection.welcome);
  readonly table = $derived.by(() => this.update?.table ?? null);
  readonly game: ViewData | null = $derived.by(() => this.update?.game ?? null);
  /** How the last hand ended, until the next one is dealt. */
  readonly ended = $derived.by(() => this.update?.ended ?? null);
  /** What lies on the table: in a hand, and after it until the next one. */
  readonly board: BoardData | null = $derived.by(
    () => this.game?.board ?? this.ended?.board ?? null,
  );
  readonly mine: number | null = $derived.by(() => this.update?.you.seat ?? null);
  readonly isHost = $derived.by(() => this.update?.you.host ?? false);
  readonly actions: readonly Action[] = $derived.by(() => this.update?.actions ?? []);
  readonly isMyTurn = $derived.by(
    () => !this.ended && !this.hasDiscarded && this.board?.turn === this.mine,
  );
  /** Whether everybody waits for this player. */
  readonly isWaitedFor = $derived.by(
    () => this.isMyTurn && !this.isStoodIn && this.table?.stage === "playing" && !this.table.paused,
  );
  readonly isStoodIn = $derived.by(() => Boolean(this.mySeat?.stand_in));
  readonly mySeat: SeatForm | null = $derived.by(() =>
    this.mine ? (this.table?.seats[this.mine - 1] ?? null) : null,
  );

  /** The seats as one sees them: the others in the order of play, beginning on the left. */
  readonly others: readonly number[] = $derived.by(() => {
    const seats = this.table?.seats.map((_, index) => index + 1) ?? [];
    if (!this.mine) return seats;
    return [...seats.slice(this.mine), ...seats.slice(0, this.mine - 1)];
  });

  /** How far the player's own cards go toward the Phase that is shown. What stays in it stays in its place. */
  readonly aim: AimForm | null = $derived.by(() => {
    const aims = this.connection.need?.aims ?? [];
    const found = aims.find((aim) => aim.phase === this.myPhase?.number);
    if (!found) return null;
    const before = this.#aimed?.phase === found.phase ? this.#aimed.rows : [];
    this.#aimed = { ...found, rows: steady(found.rows, this.myPhase!.groups, before) };
    return this.#aimed;
  });
  #aimed: AimForm | null = null;

  nameOf(seat: number): string {
    return this.table?.seats[seat - 1]?.name ?? "";
  }

  phase(number: number | undefined): Phase | undefined {
    const { rules, phases = [] } = this.welcome ?? {};
    const at = rules?.phases.findIndex((one) => one.number === number) ?? -1;
    const found = rules?.phases[at];
    return found && { ...found, words: phases[at] ?? "" };
  }

  /** The Phase a seat works on, or has laid in this hand. */
  phaseOf(seat: number): Phase | undefined {
    const made = this.board?.made[seat - 1];
    return this.phase(made || this.game?.left[seat - 1]?.[0]);
  }

  readonly left: readonly number[] = $derived.by(() =>
    this.mine ? (this.game?.left[this.mine - 1] ?? []) : [],
  );
  readonly canChoosePhase = $derived.by(
    () => this.welcome?.rules.house.includes("choose_phase") === true && this.left.length > 1,
  );
  readonly isLaid = $derived.by(() => Boolean(this.mine && this.board?.made[this.mine - 1]));
  readonly myPhase: Phase | undefined = $derived.by(() => {
    if (!this.mine) return undefined;
    if (this.isLaid || !this.canChoosePhase) return this.phaseOf(this.mine);
    const wanted = this.#wanted ?? this.lays[0]?.phase ?? this.left[0];
    return this.phase(wanted && this.left.includes(wanted) ? wanted : this.left[0]);
  });

  choosePhase(number: number): void {
    this.#wanted = number;
    this.rows.clear();
  }

  /** The bots whose seats somebody who only watches may take. */
  readonly botSeats: readonly number[] = $derived.by(() => {
    if (this.mine || !this.welcome?.options.join || this.table?.stage !== "playing") return [];
    return this.table.seats.flatMap(({ bot }, index) => (bot ? [index + 1] : []));
  });

  // -- what may be done --------------------------------------------------------------------------

  readonly mayDraw = $derived.by(() => this.actions.some((action) => action.do === "draw"));
  readonly mayTake = $derived.by(() => this.actions.some((action) => action.do === "take"));
  readonly mayPass = $derived.by(() => this.actions.some((action) => action.do === "nothing"));
  readonly lays: readonly LayData[] = $derived.by(() => laysIn(this.actions));
  /** The ways to lay the Phase that is shown. */
  readonly ways: readonly LayData[] = $derived.by(() => {
    const number = this.canChoosePhase ? this.myPhase?.number : undefined;
    return number ? this.lays.filter((lay) => lay.phase === number) : this.lays;
  });
  readonly chosenCard: HeldCard | undefined = $derived.by(() => this.arrangement.find(this.chosen));
  readonly hits: readonly HitData[] = $derived.by(() =>
    this.chosenCard ? hitsWith(this.actions, this.chosenCard.text) : [],
  );
  readonly targets: ReadonlySet<string> = $derived.by(
    () => new Set(this.hits.map((hit) => meldName(hit.seat, hit.meld))),
  );
  readonly discards: readonly DiscardData[] = $derived.by(() =>
    this.chosenCard ? discardsOf(this.actions, this.chosenCard.text) : [],
  );
  /** Whether the turn is mine and its card is drawn. */
  readonly plays = $derived.by(() =>
    this.actions.some((action) => action.do === "discard" || action.do === "hit"),
  );
  readonly mayFill = $derived.by(() => this.plays && !this.isLaid);
  /** Whether every slot of the Phase has a card that was put there. */
  readonly isFull = $derived.by(() => {
    const sizes = this.myPhase?.groups.map((group) => readGroup(group).cards) ?? [];
    return this.mayFill && this.rows.reach(sizes);
  });
  /** Whether the server has listed all ways to lay: of very many it lists only some. */
  readonly knowsWays = $derived.by(() => this.lays.length < MOST_LAYS);
  readonly mayLay = $derived.by(() => {
    if (this.rows.isEmpty) return this.ways.length > 0;
    if (!this.isFull) return false;
    return !this.knowsWays || laysOf(this.ways, this.#placed()).length > 0;
  });
  /** The cards that fit a meld now. */
  readonly fitting: ReadonlySet<string> = $derived.by(() => {
    const hits = this.actions.filter((action) => action.do === "hit");
    return new Set(hits.flatMap((hit) => hit.cards.map((card) => (card[0] === "W" ? "W" : card))));
  });

  mayDrop(place: Place | null): boolean {
    if (!place || !this.chosenCard) return false;
    if (place === "discard") return this.discards.length > 0;
    if (place.startsWith("row:")) return this.mayFill && this.chosenCard.text !== "S";
    return place.startsWith("meld:") && this.targets.has(place.slice(5));
  }

  // -- doing it ----------------------------------------------------------------------------------

  act(action: Action): void {
    this.question = null;
    this.hint = null;
    this.remark = null;
    // What was chosen on an older game would be refused: it waits until the table has answered.
    if (this.connection.waiting) this.#next = action;
    else this.#make(action);
  }

  undo(): void {
    if (this.#stopLate()) this.#takeBack();
    else if (this.connection.waiting) this.#next = { do: "undo" };
    else this.connection.send({ do: "undo" });
  }

  /** A double tap is easily made: the card lies on the pile for a moment before it is sent, and can be taken back. */
  discardSoon(): void {
    const [way] = this.discards;
    const { update } = this.connection;
    const foreseen = way && update && this.#foresee(update, way);
    if (!foreseen || this.connection.waiting || this.#late) return this.discard();
    this.question = this.hint = this.remark = null;
    this.#show(way, foreseen);
    this.#late = window.setTimeout(() => this.#sendLate(), LATE);
  }

  /** Send what waits to be taken back. */
  #sendLate = (): void => {
    const action = this.#foreseen?.action;
    if (this.#stopLate() && action) this.connection.send(action);
  };

  #stopLate(): boolean {
    const wasWaiting = this.#late !== 0;
    window.clearTimeout(this.#late);
    this.#late = 0;
    return wasWaiting;
  }

  /** Send a move, and show it at once where it is clear how the table looks then. */
  #make(action: Action): void {
    const { update } = this.connection;
    const foreseen = update && this.#foresee(update, action);
    this.connection.send(action);
    // A connection that answers at once has answered.
    if (foreseen && this.connection.waiting) this.#show(action, foreseen);
  }

  #show(action: Action, foreseen: Foreseen): void {
    this.stage.photograph();
    this.#foreseen = { action, step: foreseen.step };
    const changed = this.arrangement.follow(foreseen.update.game!.held);
    if (!this.arrangement.find(this.chosen)) this.chosen = null;
    this.rows.follow();
    listen([foreseen.step], foreseen.update, foreseen.update);
    const journeys = journeysOf([foreseen.step], new Map([[this.mine!, changed]]));
    void tick().then(() => this.stage.play(journeys));
  }

  #foresee(update: Update, action: Action): Foreseen | null {
    const number = action.do === "lay" ? (action.phase ?? this.#phaseAt(update)) : undefined;
    return foresee(update, action, this.phase(number)?.groups ?? []);
  }

  #phaseAt({ game, you }: Update): number | undefined {
    return you.seat ? game?.left[you.seat - 1]?.[0] : undefined;
  }

  /** The table did not agree: cards glide back to where they were. */
  #takeBack(): void {
    this.stage.photograph();
    this.#foreseen = null;
    this.arrangement.follow(this.connection.update?.game?.held ?? []);
    void tick().then(() => this.stage.play());
  }

  /** A move is done: make the one that was chosen meanwhile, if it may still be made. */
  #goOn(): void {
    const next = this.#next;
    if (!next || this.connection.waiting) return;
    this.#next = null;
    if (next.do === "undo") {
      if (this.update?.you.undo) this.connection.send(next);
    } else if (this.actions.some((action) => isSame(action, next))) this.#make(next);
  }

  choose(key: number | null): void {
    this.chosen = this.chosen === key ? null : key;
  }

  drop(place: Place): void {
    if (place === "discard") this.discard();
    else if (place.startsWith("row:")) this.fill(Number(place.slice(4)));
    else if (place.startsWith("meld:")) this.hit(place.slice(5));
  }

  hit(name: string): void {
    const ways = this.hits.filter((hit) => meldName(hit.seat, hit.meld) === name);
    if (ways.length > 1) this.question = { kind: "hit", ways };
    else if (ways[0]) this.act(ways[0]);
  }

  /** A Skip always asks whom, and a Wild whether: neither is thrown away by accident. */
  discard(): void {
    const ways = this.discards;
    const card = this.chosenCard?.text;
    if (!ways[0]) return;
    if (card === "S") this.question = { kind: "skip", ways };
    else if (card === "W") this.question = { kind: "wild", ways };
    else this.act(ways[0]);
  }

  /** Put the chosen card into a row of the Phase. */
  fill(row: number, at?: number): void {
    const key = this.chosen;
    const groups = this.myPhase?.groups.length ?? 0;
    if (key === null || !this.mayFill) return;
    this.stage.photograph();
    this.rows.put(key, row, groups, at);
    this.chosen = null;
    void tick().then(() => this.stage.play());
    const cards = this.#placed()[row] ?? [];
    this.connection.send({ do: "fit", phase: this.myPhase!.number, group: row + 1, cards });
  }

  /** A card that cannot belong goes back, and the table says why; so it does when all slots are full of nonsense. */
  #judge({ group, cards, rule, sentence }: Fit): void {
    const row = this.rows.cards[group - 1] ?? [];
    if (row.map((card) => card.text).join() !== cards.join()) return; // others lie there by now
    if (!rule) {
      if (this.isFull && !this.mayLay) this.lay();
      return;
    }
    this.unfill(row.at(-1)!.key);
    this.notices.refuse({ rule, sentence });
  }

  /** Take cards out of the slots again: one, or all. */
  unfill(key?: number): void {
    this.stage.photograph();
    if (key === undefined) this.rows.clear();
    else this.rows.take(key);
    void tick().then(() => this.stage.play());
  }

  lay(): void {
    if (this.rows.isEmpty) return this.#layOneOf(this.ways);
    const melds = this.#placed();
    const ways = laysOf(this.ways, melds);
    if (ways.length) return this.#layOneOf(ways);
    const phase = this.canChoosePhase ? { phase: this.myPhase!.number } : {};
    this.act({ do: "lay", melds, ...phase });
  }

  #placed(): string[][] {
    return this.rows.cards.map((row) => row.map((card) => card.text));
  }

  /** Whether this is what a bot that was asked for advice would do. */
  isHinted(action: Action): boolean {
    return this.hint !== null && isSame(action, this.hint.action);
  }

  #layOneOf(ways: readonly LayData[]): void {
    const hinted = this.hint?.action;
    if (hinted?.do === "lay" && this.rows.isEmpty)
      ways = [hinted, ...ways.filter((way) => !this.isHinted(way))];
    if (ways.length > 1) this.question = { kind: "lay", ways };
    else if (ways[0]) this.act(ways[0]);
  }

  sort(): void {
    this.stage.photograph();
    if (!this.arrangement.isOwn) settings.sort = settings.sort === "number" ? "color" : "number";
    this.arrangement.sort();
    void tick().then(() => this.stage.play());
  }

  move(key: number, to: number): void {
    this.stage.photograph();
    this.arrangement.move(key, to);
    void tick().then(() => this.stage.play());
  }

  /** Whoever taps the table does not want to wait. */
  hurry(): void {
    this.#sendLate();
    const turn = this.board?.turn;
    const isBot = turn !== undefined && Boolean(this.table?.seats[turn - 1]?.bot);
    if (this.ended) this.ending.hurry();
    else if (this.mine && isBot && !this.#hurried) {
      this.#hurried = true;
      this.connection.send({ do: "hurry" });
    }
  }

  askHint(): void {
    if (this.update) this.connection.send({ do: "hint" });
  }

  // -- hearing -----------------------------------------------------------------------------------

  #hear(steps: readonly StepForm[], update: Update, before: Update | null): void {
    this.alarm = this.memory.follow(steps, update) ?? this.alarm;
    if (before?.version === update.version) return; // only who is connected has changed
    // Whoever starts anew asks what happened before.
    if (!steps.length) this.connection.send({ do: "past" });
    if (steps.length && steps.every(isTalk)) return this.#hearTalk(steps, update, before);
    this.stage.photograph();
    const shown = this.#foreseen?.step;
    this.#foreseen = null;
    this.#stopLate();
    const mine = update.you.seat;
    const held = mine && update.ended ? update.ended.held[mine - 1] : update.game?.held;
    const changed = this.arrangement.follow(held ?? []);
    if (!this.arrangement.find(this.chosen)) this.chosen = null;
    this.question = null;
    this.hint = null;
    this.#moved = update.version;
    if (this.isMyTurn) this.#hurried = false;
    if (update.table.stage === "playing") this.isDealingAgain = false;
    // A laid Phase or another hand empties the slots.
    if (this.mayFill) this.rows.follow();
    else this.rows.clear();
    const lines = this.log.follow(steps, update.you.seat);
    this.notices.hear(lines, update);
    this.moments.follow(steps, update, before);
    this.ending.follow(steps, update, before);
    const anew = shown ? unseen(steps, shown) : steps;
    listen(anew, update, before);
    const hands = mine ? new Map([[mine, changed]]) : NO_HANDS;
    if (before) {
      const [drawn] = changed.added;
      if (drawn && changed.added.length === 1) this.moments.hold(drawn.key);
      const journeys = journeysOf(anew, hands);
      void tick().then(() => this.stage.play(journeys));
      return;
    }
    // To set up the table is long enough for one task; its cards start in the next, before it is painted.
    const journeys = journeysOfArrival(update.game?.board ?? null, hands);
    requestAnimationFrame(() => {
      if (this.update === update) this.stage.play(journeys);
    });
  }

  /** Somebody spoke: nothing on the table has changed. */
  #hearTalk(steps: readonly StepForm[], update: Update, before: Update | null): void {
    const lines = this.log.follow(steps, update.you.seat);
    this.notices.hear(lines, update);
    this.ending.follow(steps, update, before);
  }

  #takeHint(hint: Hint): void {
    if (hint.version < this.#moved) return;
    this.hint = hint;
    this.notices.spoken = hintWords(hint);
    const { action } = hint;
    if (action.do === "discard") this.chosen = this.#keyOf(action.card);
    if (action.do === "hit") this.chosen = this.#keyOf(action.cards[0] ?? "");
    if (action.do === "lay") {
      this.rows.clear();
      this.#wanted = action.phase ?? null;
    }
  }

  #keyOf(text: string): number | null {
    const held = text.startsWith("W") ? "W" : text;
    return this.arrangement.cards.find((card) => card.text === held)?.key ?? null;
  }

  mute(seat: number, on: boolean): void {
    this.#muted.set(seat, on);
    this.connection.send({ do: "mute", seat, on });
  }
}
