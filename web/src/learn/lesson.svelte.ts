/**
 * The guided hand: to the table it is a connection, whose server is a script. What happens was played by the real
 * referee; of all that could be done, only what the lesson wants may be done.
 */
import { cardName } from "../cards/card";
import { Play } from "../play/play.svelte";
import type { Connection, Listener } from "../play/connection.svelte";
import {
  PROTOCOL,
  type Action,
  type AimForm,
  type EndedForm,
  type Event,
  type Need,
  type RulesData,
  type SeatForm,
  type StepForm,
  type Update,
  type ViewData,
  type Welcome,
} from "../protocol";
import { editionOf } from "../scores/editions";
import { phaseInWords } from "../scores/words";
import { settings } from "../settings.svelte";
import { say, sayAny } from "../words";
import data from "./data/tutorial.json";

interface Frame {
  /** How things stand before the action. */
  readonly game: ViewData;
  readonly aims: readonly AimForm[];
  /** Who acts: 1 is the learner. */
  readonly seat: number;
  readonly action: Action;
  /** The name of the sentence that explains it to the learner. */
  readonly step: string;
  /** What the learner sees of it. */
  readonly events: readonly Event[];
}

interface Script {
  readonly opponent: string;
  readonly rules: RulesData;
  readonly frames: readonly Frame[];
  readonly end: { readonly game: ViewData; readonly ended: EndedForm };
}

const SCRIPT = data as unknown as Script;
const LEARNER = 1;
const LEVEL = "casual";
const FACES = ["owl", "fox"] as const;

type Sent = Parameters<Connection["send"]>[0];

export class Lesson implements Connection {
  readonly code = "";
  readonly status = "connected";
  readonly refusal = null;
  readonly waiting = false;
  readonly ahead = 0;
  readonly welcome: Welcome;
  update = $state.raw() as Update;
  need = $state.raw<Need | null>(null);
  /** How many actions are done. */
  #done = $state(0);
  /** The other player has just acted, and the learner is told. */
  isTelling = $state(false);
  /** Somebody whose turn was told drew a card before. */
  #hasDrawn = false;
  #listener: Listener = {};
  readonly play: Play;

  constructor() {
    this.welcome = {
      type: "welcome",
      protocol: PROTOCOL,
      code: "",
      language: "",
      options: { hints: false },
      rules: SCRIPT.rules,
      phases: SCRIPT.rules.phases.map(({ number }) => phaseInWords(editionOf("classic"), number)),
      bots: [LEVEL],
      reactions: [],
      faces: [],
      coach: false,
      now: Date.now(),
    };
    this.play = new Play("", (_code, listener) => {
      this.#listener = listener;
      return this;
    });
    this.#show([]);
  }

  readonly isOver = $derived.by(() => this.#done === SCRIPT.frames.length);
  readonly progress = $derived.by(() => this.#done / SCRIPT.frames.length);
  /** What the learner is to do now; null while the other one acts, and at the end. */
  readonly wanted: Action | null = $derived.by(() =>
    this.isTelling || this.isOver ? null : SCRIPT.frames[this.#done]!.action,
  );

  /** Why, and how. */
  readonly words: string = $derived.by(() => {
    const name = SCRIPT.opponent;
    if (this.isOver) {
      const scored = SCRIPT.end.game.hands[0]!;
      const points = scored.event === "HandScored" ? scored.points[1]![1] : 0;
      return say("web_learn.step.end", { name, points });
    }
    if (this.isTelling) return this.#told;
    return sayAny(`web_learn.step.${SCRIPT.frames[this.#done]!.step}`, { name });
  });

  readonly tap: string = $derived.by(() => {
    if (!this.wanted) return "";
    const card = this.#wantedCard;
    return sayAny(`web_learn.tap.${this.wanted.do}`, { card: card ? cardName(card) : "" });
  });

  /** The learner acts: what the lesson wants is done, and nothing else can be. */
  send(request: Sent): void {
    if (JSON.stringify(sorted(request)) !== JSON.stringify(sorted(this.wanted ?? {}))) return;
    this.#act();
    if (!this.isOver && SCRIPT.frames[this.#done]!.seat !== LEARNER) this.goOn();
  }

  /** The other one acts, or the learner has read how. */
  goOn(): void {
    if (!this.isOver && SCRIPT.frames[this.#done]!.seat !== LEARNER) {
      this.isTelling = true;
      this.#hasDrawn = SCRIPT.frames[this.#done]!.action.do === "draw";
      if (this.#hasDrawn) this.#act(); // drawing and what follows are told together
      this.#act();
    } else {
      this.isTelling = false;
      this.#show([]);
    }
  }

  close(): void {}

  #act(): void {
    const { events } = SCRIPT.frames[this.#done]!;
    this.#done += 1;
    this.#show(events);
  }

  #show(events: readonly Event[]): void {
    const before = (this.update as Update | undefined) ?? null;
    const version = (before?.version ?? 0) + 1;
    const frame = SCRIPT.frames[this.#done];
    const steps: StepForm[] = events.length ? [{ version, at: 0, events, words: [] }] : [];
    const { game, ended = undefined } = frame ? { game: frame.game } : SCRIPT.end;
    const mayAct = frame && frame.seat === LEARNER && !this.isTelling;
    this.update = {
      type: "update",
      version,
      steps,
      table: {
        stage: "playing",
        paused: false,
        chat: false,
        seats: [seatOf(say("web_table.you"), "", 0), seatOf(SCRIPT.opponent, LEVEL, 1)],
        host: null,
        host_name: "",
        host_connected: true,
        watchers: 0,
        commitment: "",
        client_seed: "",
        server_seed: null,
        due: null,
      },
      you: { seat: LEARNER, host: false, undo: false, hint: false, muted: [] },
      game,
      actions: mayAct ? [frame.action] : [],
      ...(ended && { ended }),
    };
    this.need = frame ? { type: "need", version, aims: frame.aims } : null;
    this.#listener.heard?.(steps, this.update, before);
    this.play.pointed = mayAct ? this.#wantedCard : null;
  }

  /** The card that the learner is to take up, as it is held. */
  get #wantedCard(): string | null {
    const { wanted } = this;
    if (wanted?.do === "discard") return wanted.card;
    return wanted?.do === "hit" ? wanted.cards[0]!.replace(/^W.*/, "W") : null;
  }

  get #told(): string {
    const { action } = SCRIPT.frames[this.#done - 1]!;
    const name = SCRIPT.opponent;
    const card =
      action.do === "hit" ? action.cards[0]! : action.do === "discard" ? action.card : null;
    const drew = this.#hasDrawn ? [say("web_learn.tell.drew", { name })] : [];
    const did = sayAny(`web_learn.tell.${action.do}`, { name, card: card ? cardName(card) : "" });
    return [...drew, did].join(" ");
  }
}

function seatOf(name: string, bot: string, index: number): SeatForm {
  const face = (index === 0 && settings.face) || FACES[index]!;
  return { name, bot, stand_in: "", seed: "", connected: true, face, again: false, coach: false };
}

/** The same fields, however they were put in order. */
function sorted(value: object): [string, unknown][] {
  return Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
}
