/**
 * What this device saw of a game, so that nobody has to be believed: the promise and its own seed from the start, and
 * every card that was shown, in the order in which it was.
 *
 * A promise that changes in the middle of a game, a shuffle without one's own part: that is known at once, and kept.
 */
import type { Event, StepForm, Update } from "../../protocol.ts";

/** A hand as it was seen, from its deal on. */
export interface SeenDeal {
  readonly hand: number;
  readonly dealer: number;
  readonly players: readonly number[];
  /** How many cards everybody got. */
  readonly deal: number;
  /** The player's own cards; empty for a watcher. */
  readonly cards: readonly string[];
  readonly turnedUp: string;
  /** What was done with cards since: see `moveOf`. */
  readonly moves: readonly string[];
}

/** `promise`: another one in the middle of a game. `own_seed`: the shuffle was made without this player's part.
 * `client_seed`: what the players made together has changed since the game began. */
export interface Evidence {
  readonly kind: "promise" | "own_seed" | "client_seed";
  readonly was: string;
  readonly now: string;
  /** When it was seen, and in which version of the table. */
  readonly at: number;
  readonly version: number;
}

export interface Seen {
  readonly commitment: string;
  /** What this device last added to the shuffle. */
  readonly seed: string;
  /** Whether the table has taken it. */
  readonly isSeedTaken: boolean;
  /** What the players made together; null before the game. */
  readonly clientSeed: string | null;
  readonly deals: readonly SeenDeal[];
  readonly evidence: readonly Evidence[];
}

export const NOTHING: Seen = {
  commitment: "",
  seed: "",
  isSeedTaken: false,
  clientSeed: null,
  deals: [],
  evidence: [],
};

/** What has been seen when this has happened too. */
export function witness(seen: Seen, steps: readonly StepForm[], update: Update): Seen {
  const events = steps.flatMap((step) => step.events);
  let now = watchPromise(seen, events, update);
  now = watchSeeds(now, update);
  return watchCards(now, events, update);
}

/** This device adds that to the shuffle. */
export function seedSent(seen: Seen, seed: string): Seen {
  return { ...seen, seed, isSeedTaken: false };
}

// -- the promise and the seeds --------------------------------------------------------------------

function watchPromise(seen: Seen, events: readonly Event[], update: Update): Seen {
  const { commitment } = update.table;
  if (commitment === seen.commitment || !commitment) return seen;
  const isAnother =
    !seen.commitment ||
    events.some(({ event }) => event === "RematchCalled") ||
    (!events.length && !isSameGame(seen, update));
  if (isAnother) return { ...NOTHING, commitment, seed: seen.seed };
  return accuse(seen, "promise", seen.commitment, commitment, update);
}

/** Whether what is told to somebody who was away is the game that was seen before. */
function isSameGame(seen: Seen, { table, game, you, seen: told }: Update): boolean {
  if (table.stage === "waiting")
    return seen.isSeedTaken && table.seats[(you.seat ?? 0) - 1]?.seed === seen.seed;
  const deal = told?.find((event) => event.event === "DealSeen");
  const known = seen.deals.find(({ hand }) => hand === deal?.hand);
  if (deal && known) return known.turnedUp === deal.turned_up && known.dealer === deal.dealer;
  return (game?.hands.length ?? 0) >= seen.deals.length && seen.deals.length > 0;
}

function watchSeeds(seen: Seen, update: Update): Seen {
  const { stage, client_seed: clientSeed, seats } = update.table;
  const { seat } = update.you;
  if (stage === "waiting") {
    const shown = seat ? seats[seat - 1]?.seed : "";
    const isSeedTaken = seen.isSeedTaken || (Boolean(seen.seed) && shown === seen.seed);
    return isSeedTaken === seen.isSeedTaken ? seen : { ...seen, isSeedTaken };
  }
  if (seen.clientSeed === null) {
    const now = { ...seen, clientSeed };
    const isIn = clientSeed.split(",").some((part) => part.endsWith(`:${seen.seed}`));
    if (!seen.isSeedTaken || isIn) return now;
    return accuse(now, "own_seed", seen.seed, clientSeed, update);
  }
  if (clientSeed === seen.clientSeed) return seen;
  return accuse(seen, "client_seed", seen.clientSeed, clientSeed, update);
}

/** Keep what was seen, once; what was promised before still counts. */
function accuse(
  seen: Seen,
  kind: Evidence["kind"],
  was: string,
  now: string,
  { version }: Update,
): Seen {
  if (seen.evidence.some((one) => one.kind === kind && one.now === now)) return seen;
  return { ...seen, evidence: [...seen.evidence, { kind, was, now, at: Date.now(), version }] };
}

// -- the cards ------------------------------------------------------------------------------------

function watchCards(seen: Seen, events: readonly Event[], { seen: told }: Update): Seen {
  // Who starts anew, or where a step was taken back, is told the whole hand as everybody saw it.
  if (told)
    return remembered(told.reduce(follow, { ...seen, deals: without(seen.deals, told) }), seen);
  return events.reduce(follow, seen);
}

function without(deals: readonly SeenDeal[], told: readonly Event[]): readonly SeenDeal[] {
  const dealt = told.find((event) => event.event === "DealSeen");
  return dealt ? deals.filter(({ hand }) => hand !== dealt.hand) : deals;
}

/** The own cards, which nobody else saw, are known from before. */
function remembered(seen: Seen, before: Seen): Seen {
  const last = seen.deals.at(-1);
  const known = before.deals.find(
    (deal) => deal.hand === last?.hand && deal.turnedUp === last.turnedUp,
  );
  if (!last || !known) return seen;
  const drawn = known.moves.filter(isDraw);
  let count = 0;
  const moves = last.moves.map((move) => (isDraw(move) ? (drawn[count++] ?? move) : move));
  const cards = last.cards.length ? last.cards : known.cards;
  return { ...seen, deals: [...seen.deals.slice(0, -1), { ...last, cards, moves }] };
}

function isDraw(move: string): boolean {
  return move.startsWith("D");
}

function follow(seen: Seen, event: Event): Seen {
  if (event.event === "DealSeen") {
    const { hand, dealer, players, deal, cards, turned_up: turnedUp } = event;
    const others = seen.deals.filter((one) => one.hand !== hand);
    const dealt = { hand, dealer, players, deal, cards, turnedUp, moves: [] };
    return { ...seen, deals: [...others, dealt] };
  }
  const last = seen.deals.at(-1);
  const move = moveOf(event);
  if (!last || !move) return seen;
  return {
    ...seen,
    deals: [...seen.deals.slice(0, -1), { ...last, moves: [...last.moves, move] }],
  };
}

/** What was done with cards, in a word: a letter, the seat, the cards. */
function moveOf(event: Event): string | null {
  switch (event.event) {
    case "DrawSeen":
      return `D${event.seat}${event.card ?? ""}`;
    case "DiscardTaken":
      return `T${event.seat}${event.card}`;
    case "CardDiscarded":
      return `X${event.seat}${event.card}${event.target ? `>${event.target}` : ""}`;
    case "PhaseLaid":
      return `P${event.seat}${event.melds.flatMap(({ cards }) => cards).join(" ")}`;
    case "MeldHit":
      return `P${event.seat}${event.cards.join(" ")}`;
    case "ReshuffleSeen":
      return `R${event.count}`;
    case "TurnLost":
      return `L${event.seat}`;
    default:
      return null;
  }
}
