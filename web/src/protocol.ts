// Made by `python -m phaseten.server.typescript` from the server's message types.

/** The version of the protocol. */
export const PROTOCOL = 3 as const;

/** What can be done in the game. */
export const ACTIONS = ["discard", "draw", "hit", "lay", "nothing", "take"] as const;

/** The levels of bots, the weakest first. */
export const LEVELS = ["rookie", "casual", "sharp", "deep", "master"] as const;

/** The names of the house rules. */
export const HOUSE_RULES = ["discard_to_go_out", "natural_per_meld", "no_rediscard", "choose_phase", "endless_hands"] as const;

/** Characters of a name. */
export const MOST_NAME = 24 as const;

/** Characters of what is said. */
export const MOST_SAID = 300 as const;

/** Seconds for a turn with which people come and go between theirs. */
export const LONG_TURN = 3600 as const;

/** What a move must give away for the coach to say a word: percent of a game. */
export const LEAST_REMARK = 1 as const;

/** Of the ways to lay a Phase, so many are listed at most. */
export const MOST_LAYS = 60 as const;

/** A table in a list. */
export interface About {
  title: string;
  variant: string;
  host: string;
  names: readonly (string)[];
  seats: number;
  free: number;
  timer: number | null;
  joinable: number;
}

/** Where others find this server. */
export interface Address {
  base: string;
  warning: string;
}

/** Seated: want to play again; when more than half of the people do, the rematch is called. */
export interface AgainForm {
  do: "again";
  id?: number;
  at?: number;
}

/** How it stands with one Phase. */
export interface AimForm {
  phase: number;
  missing: number;
  rows: readonly (readonly (SlotForm)[])[];
  helpful: readonly (string)[];
}

/** How far the coach is, and what it has found so far. */
export interface AnalysisForm {
  progress: number;
  report: ReportForm | null;
  problem: string;
}

/** Something that can be answered. */
export interface AnswerForm {
  text: string;
  chance: number;
  loss: number;
  reasons: readonly (string)[];
}

/** Play again, after a bot has played for one. */
export interface BackForm {
  do: "back";
  id?: number;
  at?: number;
}

/** The hand that went best: one was out, and the others had to count. */
export interface BestHand {
  game: string;
  hand: number;
  others: number;
}

/** What lies open during a hand. Lists by seat begin with seat 1. */
export interface BoardData {
  hand: number;
  players: readonly (number)[];
  turn: number;
  step: string;
  counts: readonly (number)[];
  draw_count: number;
  discards: readonly (string)[];
  melds: readonly (readonly (MeldData)[])[];
  made: readonly (number)[];
  waiting: readonly (boolean)[];
  skipped_by: readonly (number)[];
  taken: string | null;
  reshuffles: number;
  quiet: number;
}

/** Host: put a bot in an empty seat. */
export interface BotForm {
  do: "bot";
  seat: number;
  level: string;
  id?: number;
  at?: number;
}

/** A bot sat down. */
export interface BotSeated {
  event: "BotSeated";
  seat: number;
  name: string;
  level: string;
}

/** Somebody does not want to wait: bots act without a pause until a person is on turn. */
export interface BotsHurried {
  event: "BotsHurried";
  seat: number;
}

/** Host: end the game without a winner. */
export interface CallOffForm {
  do: "call_off";
  id?: number;
  at?: number;
}

/** A seat ended its turn with a discard; a Skip can have a target. */
export interface CardDiscarded {
  event: "CardDiscarded";
  seat: number;
  card: string;
  target: number | null;
}

/** What is different from what the receiver was told last; what is left out is as it was. */
export interface Change {
  type: "change";
  version: number;
  steps: readonly (StepForm)[];
  table?: Changed<TableForm>;
  you?: Changed<YouForm>;
  game?: Changed<ViewData> | null;
  actions?: readonly (Action)[];
  seen?: readonly (Event)[];
  ended?: EndedForm;
}

/** A sheet as it is to be from now on. */
export interface ChangedSheet {
  key: string;
  version: number;
  sheet: SheetForm;
}

/** Host: switch the chat on or off. */
export interface ChatForm {
  do: "chat";
  on: boolean;
  id?: number;
  at?: number;
}

/** The host switched the chat on or off. */
export interface ChatSwitched {
  event: "ChatSwitched";
  on: boolean;
}

/** Seated: become the host, when the host has not been connected for a minute. */
export interface ClaimForm {
  do: "claim_host";
  id?: number;
  at?: number;
}

/** Host: send away whoever sits there. A person cannot sit at this table again. */
export interface ClearForm {
  do: "clear";
  seat: number;
  reason?: string;
  id?: number;
  at?: number;
}

/** Seated: want the coach to speak up after moves, or not any more; it does while all people at the table want it. */
export interface CoachForm {
  do: "coach";
  on: boolean;
  id?: number;
  at?: number;
}

/** A person wants the coach to speak up after moves, or does not want it any more. */
export interface CoachSwitched {
  event: "CoachSwitched";
  seat: number;
  on: boolean;
}

/** Cards that somebody kept, by what they cost. */
export interface CountedForm {
  low: number;
  high: number;
  skip: number;
  wild: number;
}

/** Host: deal the next hand now, without waiting for the end of the pause. */
export interface DealForm {
  do: "deal";
  id?: number;
  at?: number;
}

/** A deal as one seat, or a watcher, sees it. */
export interface DealSeen {
  event: "DealSeen";
  hand: number;
  dealer: number;
  players: readonly (number)[];
  tiebreak: boolean;
  cards: readonly (string)[];
  turned_up: string;
  deal: number;
  draw_count: number;
}

/** What the deck is made of. Unshuffled it lies by colour, number and copy; then Wilds, then Skips. */
export interface DeckData {
  colors: readonly (string)[];
  highest: number;
  copies: number;
  wilds: number;
  skips: number;
}

/** How to come back on another device. */
export interface DeviceTransfer {
  link: string;
  qr: QrForm | null;
  warning: string;
  expires: number;
}

/** End the turn with a card on the discard pile; a Skip names the seat that is skipped. */
export interface DiscardData {
  do: "discard";
  card: string;
  target?: number;
}

/** A seat took the top card of the discard pile. */
export interface DiscardTaken {
  event: "DiscardTaken";
  seat: number;
  card: string;
}

/** A request with an id was carried out, now or when it came before. */
export interface Done {
  type: "done";
  version: number;
  id: number;
}

/** Draw the top card of the draw pile. */
export interface DrawData {
  do: "draw";
}

/** A draw as one seat, or a watcher, sees it. */
export interface DrawSeen {
  event: "DrawSeen";
  seat: number;
  card: string | null;
}

/** All that the file says, also what it leaves to an edition that it is based on. */
export interface EditionDraft {
  name: string;
  year: number;
  deal: number;
  colors: readonly (string)[];
  highest: number;
  copies: number;
  wilds: number;
  skips: number;
  shortest_run: number;
  skip_goes_to: string;
  variations: readonly (string)[];
  house: readonly (string)[];
  phases: readonly (PhaseDraft)[];
}

/** How the table lay when the last hand was over. */
export interface EndedForm {
  board: BoardData;
  held: readonly (readonly (string)[])[];
}

/** What was written down for a player after a hand. */
export interface EntryForm {
  points: number | null;
  made: boolean;
  phase?: number | null;
  cards?: CountedForm | null;
}

/** On turn: ask what speaks for an action, or against it; the answer is a ``hint``. */
export interface ExplainForm {
  do: "explain";
  at: number;
  action: Action;
  id?: number;
}

/** A person has that face from now on. */
export interface FaceChosen {
  event: "FaceChosen";
  seat: number;
  face: string;
}

/** The answer to ``fit``, for the one who asked. */
export interface Fit {
  type: "fit";
  version: number;
  group: number;
  cards: readonly (string)[];
  rule: string;
  sentence: string;
  id?: number;
}

/** Ask whether cards of one's own can lie together in a group of a Phase, alone or with others; the answer is a ``fit``. */
export interface FitForm {
  do: "fit";
  phase: number;
  group: number;
  cards: readonly (string)[];
  id?: number;
  at?: number;
}

/** One step of a game, and how things stand after it. */
export interface FrameForm {
  line: number;
  events: readonly (Event)[];
  sentences: readonly (string)[];
  held: readonly (readonly (string)[])[];
  game: ViewData;
}

/** A finished game. Lists by seat begin with seat 1. */
export interface GameAbout {
  title: string;
  variant: string;
  names: readonly (string)[];
  winner: number | null;
  phases: readonly (number)[];
  totals: readonly (number)[];
  hands: number;
  custom: boolean;
}

/** The game is over, and nobody has won. */
export interface GameCalledOff {
  event: "GameCalledOff";
}

/** Nobody can act until the game goes on. */
export interface GamePaused {
  event: "GamePaused";
}

/** The game goes on. */
export interface GameResumed {
  event: "GameResumed";
}

/** Everybody has a seat: the first hand is dealt. */
export interface GameStarted {
  event: "GameStarted";
  dealer: number;
  client_seed: string;
}

/** These seats play a further hand for the last Phase (G-TIE). */
export interface GameTied {
  event: "GameTied";
  seats: readonly (number)[];
}

/** The game is over (G-WIN). */
export interface GameWon {
  event: "GameWon";
  seat: number;
}

/** What a Phase asks for. */
export interface GroupDraft {
  kind: string;
  size: number;
}

/** The hand is over (G-OUT, H-DEAD) and scored (G-POINTS). */
export interface HandScored {
  event: "HandScored";
  hand: number;
  out: number | null;
  points: readonly (readonly [number, number])[];
  made: readonly (readonly [number, number])[];
  tiebreak: boolean;
}

/** The answer to ``hint`` and ``explain``, for the one who asked. */
export interface Hint {
  type: "hint";
  version: number;
  level: string | null;
  action: Action;
  reasons: readonly (string)[];
  id?: number;
}

/** On turn: ask a bot what it would do; the answer is a ``hint``. */
export interface HintForm {
  do: "hint";
  at: number;
  level?: string;
  id?: number;
}

/** Add cards to a meld: one card, or a pair for a run of pairs. */
export interface HitData {
  do: "hit";
  cards: readonly (string)[];
  seat: number;
  meld: number;
}

/** Who the host is: the name, and the seat if the host has one. */
export interface HostChanged {
  event: "HostChanged";
  name: string;
  seat: number | null;
}

/** Host: make the person in that seat the host. */
export interface HostForm {
  do: "host";
  seat: number;
  id?: number;
  at?: number;
}

/** Seated: do not wait for bots until a person is on turn. */
export interface HurryForm {
  do: "hurry";
  id?: number;
  at?: number;
}

/** How others come to a table. */
export interface Invitation {
  code: string;
  link: string;
  qr: QrForm | null;
  warning: string;
}

/** How one player played. */
export interface JudgedForm {
  seat: number;
  name: string;
  accuracy: number;
  mistakes_title: string;
  mistakes: readonly (MistakeForm)[];
  places_title: string;
  places: readonly (readonly (string)[])[];
}

/** Lay a Phase: one row of cards for each of its groups. */
export interface LayData {
  do: "lay";
  melds: readonly (readonly (string)[])[];
  phase?: number;
}

/** Give up the seat; in a game a bot takes it. */
export interface LeaveForm {
  do: "leave";
  id?: number;
  at?: number;
}

/** A finished game in the list of somebody who played it. */
export interface ListedGame {
  id: string;
  code: string;
  ended: number;
  seat: number | null;
  host: boolean;
  about: GameAbout;
}

/** A puzzle in a list. */
export interface ListedPuzzle {
  number: number;
  theme: "keep" | "take" | "lay" | "wild" | "skip" | "end";
  edition: string;
  players: number;
  phase: number;
}

/** A table in a list, with its code. */
export interface ListedTable {
  code: string;
  stage: string;
  changed: number;
  about: About;
}

/** A sheet as it is now. */
export interface LiveSheet {
  version: number;
  sheet: SheetForm;
}

/** The cards on the table that answer a group. */
export interface MeldData {
  group: string;
  cards: readonly (string)[];
}

/** A seat added cards to a meld. */
export interface MeldHit {
  event: "MeldHit";
  seat: number;
  cards: readonly (string)[];
  owner: number;
  meld: number;
  result: MeldData;
}

/** A decision that gave something away. */
export interface MistakeForm {
  step: number;
  hand: number;
  loss: number;
  error: number;
  words: readonly (string)[];
  reasons: readonly (string)[];
  options: readonly (OptionForm)[];
}

/** A moment of a game, from which it can be played on. */
export interface MomentForm {
  position: string;
  seat: number;
}

/** Do not tell this connection what that seat says and how it reacts, or tell it again. The connection forgets it when it ends: a client that comes back says it again. */
export interface MuteForm {
  do: "mute";
  seat: number;
  on: boolean;
  id?: number;
  at?: number;
}

/** A table in the list of somebody who sits there. */
export interface MyTable {
  code: string;
  stage: string;
  changed: number;
  about: About;
  turn: string;
  yours: boolean;
}

/** The answer to ``need``, for the one who asked. */
export interface Need {
  type: "need";
  version: number;
  aims: readonly (AimForm)[];
  id?: number;
}

/** Ask how far one's own cards go toward the Phase, whoever is on turn; the answer is a ``need``. */
export interface NeedForm {
  do: "need";
  at: number;
  id?: number;
}

/** A sheet that somebody wants to share. */
export interface NewSheet {
  sheet: SheetForm;
}

/** A table that somebody wants to open. */
export interface NewTable {
  name: string;
  options: Options;
  position: string;
}

/** Play on without a card, because none can be drawn. */
export interface NothingData {
  do: "nothing";
}

/** A seat plays on without a card, because none could be drawn. */
export interface NothingDrawn {
  event: "NothingDrawn";
  seat: number;
}

/** A table that was opened. */
export interface Opened {
  code: string;
}

/** Somebody one has played with. */
export interface Opponent {
  name: string;
  bot: string;
  games: number;
  won: number;
  lost: number;
}

/** Something that could have been done. */
export interface OptionForm {
  text: string;
  chance: number;
  behind: number;
  doubt: number;
  is_best: boolean;
  was_played: boolean;
}

/** How a table plays; everything has a default. */
export interface Options {
  edition?: string;
  custom?: string;
  variant?: string;
  house?: readonly (string)[];
  seats?: number;
  timer?: number | null;
  pace?: number;
  stand_in?: string;
  public?: boolean;
  watchers?: boolean;
  hints?: boolean;
  join?: boolean;
}

/** The table plays in another way from now on; perhaps it has more seats, or fewer. */
export interface OptionsChanged {
  event: "OptionsChanged";
  options: Options;
}

/** Host: play in another way, before the game. What is left out has its default. */
export interface OptionsForm {
  do: "options";
  options: Options;
  id?: number;
  at?: number;
}

/** The answer to ``past``, for the one who asked. */
export interface Past {
  type: "past";
  version: number;
  steps: readonly (StepForm)[];
  id?: number;
}

/** Ask what happened in this game before one came, talk included; the answer is a ``past``. */
export interface PastForm {
  do: "past";
  id?: number;
  at?: number;
}

/** Host: let nobody act. */
export interface PauseForm {
  do: "pause";
  id?: number;
  at?: number;
}

/** One of the Phases. */
export interface PhaseData {
  number: number;
  groups: readonly (string)[];
  must_show: number;
}

/** A Phase, for an editor. */
export interface PhaseDraft {
  groups: readonly (GroupDraft)[];
  must_show: number;
}

/** A seat laid its Phase. */
export interface PhaseLaid {
  event: "PhaseLaid";
  seat: number;
  phase: number;
  melds: readonly (MeldData)[];
}

/** The host sent away whoever sat there. */
export interface PlayerRemoved {
  event: "PlayerRemoved";
  seat: number;
  reason: string;
}

/** A person has another name. */
export interface PlayerRenamed {
  event: "PlayerRenamed";
  seat: number;
  name: string;
}

/** Everybody's chance to win after a step. */
export interface PointForm {
  step: number;
  hand: number;
  chances: readonly (number)[];
}

/** Where messages to a browser go. */
export interface PushAddress {
  endpoint: string;
}

/** With which a browser subscribes. */
export interface PushKey {
  key: string;
}

/** A browser that has subscribed. */
export interface PushSubscriber {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** A puzzle, with its sentences in the language that was asked for. */
export interface PuzzleForm {
  number: number;
  title: string;
  gap: number;
  moment: ReplayForm;
  answers: readonly (AnswerForm)[];
}

/** All puzzles. */
export interface PuzzleList {
  themes: readonly (ThemeForm)[];
  day: number;
  puzzles: readonly (ListedPuzzle)[];
}

/** A QR code: draw the path in a square of that size. */
export interface QrForm {
  size: number;
  path: string;
}

/** React with one of the reactions that the welcome lists. */
export interface ReactForm {
  do: "react";
  reaction: string;
  id?: number;
  at?: number;
}

/** Somebody reacted. */
export interface Reacted {
  event: "Reacted";
  seat: number;
  reaction: string;
}

/** An edition that can be played. */
export interface ReadEdition {
  title: string;
  players: readonly [number, number];
  cards: number;
  phases: readonly (string)[];
  draft: EditionDraft;
}

/** How a game ended for the one who asks. */
export interface RecentGame {
  game: string;
  ended: number;
  won: boolean;
  phases: number;
  points: number;
}

/** A request was not carried out, and nothing has changed; but for the reason ``unknown``. */
export interface Refused {
  type: "refused";
  rule: string;
  reason: string;
  sentence: string;
  version: number;
  id?: number;
}

/** What the coach says about a move of the receiver that gave something away; nobody else is told. */
export interface Remark {
  type: "remark";
  version: number;
  percent: number;
  sentence: string;
  reasons: readonly (string)[];
}

/** The same people play again. */
export interface RematchCalled {
  event: "RematchCalled";
}

/** Host: play again with the same people. */
export interface RematchForm {
  do: "rematch";
  id?: number;
  at?: number;
}

/** Somebody wants to play again. */
export interface RematchWanted {
  event: "RematchWanted";
  seat: number;
}

/** A game, step by step, as one seat saw it or with all hands open. */
export interface ReplayForm {
  names: readonly (string)[];
  seat: number | null;
  language: string;
  rules: RulesData;
  phases: readonly (string)[];
  frames: readonly (FrameForm)[];
}

/** What a game comes to, with its sentences in the language that was asked for. */
export interface ReportForm {
  title: string;
  about: readonly (string)[];
  sums: readonly (readonly (string)[])[];
  players: readonly (JudgedForm)[];
  turning_points_title: string;
  turning_points: readonly (TurningPointForm)[];
  curve_title: string;
  curve: readonly (PointForm)[];
  picture: string;
}

/** A reshuffle as everybody sees it: which cards they are is known, their order is not. */
export interface ReshuffleSeen {
  event: "ReshuffleSeen";
  count: number;
}

/** Host: go on. */
export interface ResumeForm {
  do: "resume";
  id?: number;
  at?: number;
}

/** The rules of a game. */
export interface RulesData {
  edition: string;
  title: string;
  custom: string;
  variant: string;
  house: readonly (string)[];
  deal: number;
  cards: number;
  deck: DeckData;
  skips: string;
  phases: readonly (PhaseData)[];
}

/** Somebody said something. */
export interface Said {
  event: "Said";
  seat: number;
  text: string;
}

/** Say something to everybody. */
export interface SayForm {
  do: "say";
  text: string;
  id?: number;
  at?: number;
}

/** A hand; null for whoever does not play in it. */
export interface ScoredHandForm {
  entries: readonly (EntryForm | null)[];
  out: number | null;
}

/** A seat and who sits there. */
export interface SeatForm {
  name: string;
  bot: string;
  stand_in: string;
  seed: string;
  connected: boolean;
  face: string;
  again: boolean;
  coach: boolean;
}

/** Whoever sat there is gone. */
export interface SeatLeft {
  event: "SeatLeft";
  seat: number;
}

/** A person took another seat, before the game. */
export interface SeatMoved {
  event: "SeatMoved";
  seat: number;
  to: number;
}

/** A person sat down. */
export interface SeatTaken {
  event: "SeatTaken";
  seat: number;
  name: string;
}

/** The person plays again. */
export interface SeatTakenBack {
  event: "SeatTakenBack";
  seat: number;
}

/** A player's part of the client seed. */
export interface SeedAdded {
  event: "SeedAdded";
  seat: number;
  text: string;
}

/** Add to the client seed, before the game. */
export interface SeedForm {
  do: "seed";
  text: string;
  id?: number;
  at?: number;
}

/** The SHA-256 of the server's seed, before anybody adds to the client seed. */
export interface SeedPromised {
  event: "SeedPromised";
  commitment: string;
}

/** The server's seed, in hex: the game is over and every deal of it can be checked. */
export interface SeedRevealed {
  event: "SeedRevealed";
  seed: string;
}

/** A sheet that is shared from now on. */
export interface SharedSheet {
  id: string;
  key: string;
  version: number;
}

/** A score sheet. What follows from it, such as totals, everybody works out. */
export interface SheetForm {
  edition: "classic" | "deluxe" | "elchavo" | "anniversary" | "express";
  variant: string;
  any_order: boolean;
  players: readonly (string)[];
  dealer: number;
  hands: readonly (ScoredHandForm)[];
}

/** How others come to see a sheet. */
export interface SheetInvitation {
  link: string;
  qr: QrForm | null;
  warning: string;
}

/** The number of a version. */
export interface SheetVersion {
  version: number;
}

/** A finished game, for whoever has its link. */
export interface ShownGame {
  id: string;
  ended: number;
  host: boolean;
  about: GameAbout;
}

/** Take an empty seat before the game; also to move there, or to have another name or face. In a game a bot's seat can be taken, where the option ``join`` is on. */
export interface SitForm {
  do: "sit";
  seat: number;
  name: string;
  face?: string;
  id?: number;
  at?: number;
}

/** A place in a Phase. */
export interface SlotForm {
  card: string;
  filled: boolean;
}

/** Host: let a bot play for the person in that seat, who is away. */
export interface StandInForm {
  do: "stand_in";
  seat: number;
  level: string;
  id?: number;
  at?: number;
}

/** A bot plays for a person who is away. */
export interface StandInSeated {
  event: "StandInSeated";
  seat: number;
  level: string;
}

/** Host: start the game; bots fill the empty seats. */
export interface StartForm {
  do: "start";
  id?: number;
  at?: number;
}

/** What the finished games of the one who asks come to. Games that were called off do not count. */
export interface Statistics {
  games: number;
  won: number;
  expected: number;
  streak: number;
  longest: number;
  hands: number;
  outs: number;
  made: number;
  phases: number;
  points: number;
  best: BestHand | null;
  opponents: readonly (Opponent)[];
  recent: readonly (RecentGame)[];
}

/** What happened in one step, as the receiver may see it. */
export interface StepForm {
  version: number;
  at: number;
  events: readonly (Event)[];
  words: readonly (string)[];
}

/** A player took back the last step, which had revealed nothing. */
export interface StepUndone {
  event: "StepUndone";
  seat: number;
}

/** The table around the game. */
export interface TableForm {
  stage: "waiting" | "playing" | "finished";
  paused: boolean;
  chat: boolean;
  seats: readonly (SeatForm)[];
  host: number | null;
  host_name: string;
  host_connected: boolean;
  watchers: number;
  commitment: string;
  client_seed: string;
  server_seed: string | null;
  due: number | null;
}

/** The table exists. */
export interface TableOpened {
  event: "TableOpened";
  options: Options;
}

/** Take the top card of the discard pile. */
export interface TakeData {
  do: "take";
}

/** What puzzles can be about. */
export interface ThemeForm {
  name: "keep" | "take" | "lay" | "wild" | "skip" | "end";
  title: string;
}

/** A seat lost its turn to a Skip. */
export interface TurnLost {
  event: "TurnLost";
  seat: number;
}

/** What moved the chances most. */
export interface TurningPointForm {
  step: number;
  text: string;
}

/** Take back one's own last step, if it revealed nothing; sent with ``at``. */
export interface UndoForm {
  do: "undo";
  at: number;
  id?: number;
}

/** How things stand, and what happened since the receiver last heard. */
export interface Update {
  type: "update";
  version: number;
  steps: readonly (StepForm)[];
  table: TableForm;
  you: YouForm;
  game: ViewData | null;
  actions: readonly (Action)[];
  seen?: readonly (Event)[];
  ended?: EndedForm;
}

/** The game as one seat, or a watcher, knows it. Lists by seat begin with seat 1. */
export interface ViewData {
  seat: number | null;
  held: readonly (string)[];
  left: readonly (readonly (number)[])[];
  totals: readonly (number)[];
  dealer: number;
  tied: readonly (number)[];
  winner: number | null;
  hands: readonly (Event)[];
  board: BoardData | null;
}

/** The first message of a connection: how the table plays. It comes again when that changes. */
export interface Welcome {
  type: "welcome";
  protocol: number;
  code: string;
  language: string;
  options: Options;
  rules: RulesData;
  phases: readonly (string)[];
  bots: readonly (string)[];
  reactions: readonly (string)[];
  faces: readonly (string)[];
  coach: boolean;
  now: number;
}

/** Who the receiver is. */
export interface YouForm {
  seat: number | null;
  host: boolean;
  undo: boolean;
  hint: boolean;
  muted: readonly (number)[];
}

export type Action =
  | DrawData
  | TakeData
  | NothingData
  | LayData
  | HitData
  | DiscardData;

export type Asked =
  | UndoForm
  | HintForm
  | ExplainForm
  | NeedForm
  | FitForm
  | PastForm
  | MuteForm
  | SitForm
  | LeaveForm
  | BackForm
  | SeedForm
  | SayForm
  | ReactForm
  | BotForm
  | ClearForm
  | HostForm
  | StandInForm
  | ClaimForm
  | OptionsForm
  | StartForm
  | DealForm
  | HurryForm
  | PauseForm
  | ResumeForm
  | CallOffForm
  | RematchForm
  | AgainForm
  | CoachForm
  | ChatForm;

export type Message =
  | Welcome
  | Update
  | Change
  | Done
  | Refused
  | Hint
  | Need
  | Past
  | Fit
  | Remark;

export type TableEvent =
  | TableOpened
  | OptionsChanged
  | SeedPromised
  | SeedAdded
  | SeedRevealed
  | SeatTaken
  | SeatMoved
  | PlayerRenamed
  | FaceChosen
  | SeatLeft
  | PlayerRemoved
  | BotSeated
  | StandInSeated
  | SeatTakenBack
  | HostChanged
  | GameStarted
  | BotsHurried
  | GamePaused
  | GameResumed
  | GameCalledOff
  | StepUndone
  | RematchCalled
  | RematchWanted
  | ChatSwitched
  | CoachSwitched
  | Said
  | Reacted;

export type GameEvent =
  | DealSeen
  | DrawSeen
  | ReshuffleSeen
  | DiscardTaken
  | NothingDrawn
  | PhaseLaid
  | MeldHit
  | CardDiscarded
  | TurnLost
  | HandScored
  | GameTied
  | GameWon;

/** A row in which some entries are others now: `less` of them, from `at` on, are replaced by `more`. */
export interface Splice<Entry> {
  at: number;
  less: number;
  more: readonly Entry[];
}

/** The fields that have changed; all others are as they were. */
export type Changed<Kind> = { [Name in keyof Kind]?: ChangedValue<Kind[Name]> };
type ChangedValue<Value> = Value extends readonly (infer Entry)[]
  ? Value | Splice<Entry>
  : Value extends object
    ? Changed<Value>
    : Value;

function foldRow<Entry>(
  before: readonly Entry[] | undefined,
  now: readonly Entry[] | Splice<Entry> | undefined,
): readonly Entry[] {
  if (!now) return before ?? [];
  if (!("more" in now)) return now;
  const { at, less, more } = now;
  return [...(before?.slice(0, at) ?? []), ...more, ...(before?.slice(at + less) ?? [])];
}

function foldBoardData(before: BoardData | null, now: Changed<BoardData>): BoardData {
  return {
    ...before,
    ...now,
    players: foldRow(before?.players, now.players),
    counts: foldRow(before?.counts, now.counts),
    discards: foldRow(before?.discards, now.discards),
    melds: foldRow(before?.melds, now.melds),
    made: foldRow(before?.made, now.made),
    waiting: foldRow(before?.waiting, now.waiting),
    skipped_by: foldRow(before?.skipped_by, now.skipped_by),
  } as BoardData;
}

function foldViewData(before: ViewData | null, now: Changed<ViewData>): ViewData {
  return {
    ...before,
    ...now,
    board: now.board === undefined ? before?.board : now.board && foldBoardData(before?.board ?? null, now.board),
    held: foldRow(before?.held, now.held),
    left: foldRow(before?.left, now.left),
    totals: foldRow(before?.totals, now.totals),
    tied: foldRow(before?.tied, now.tied),
    hands: foldRow(before?.hands, now.hands),
  } as ViewData;
}

function foldYouForm(before: YouForm | null, now: Changed<YouForm>): YouForm {
  return {
    ...before,
    ...now,
    muted: foldRow(before?.muted, now.muted),
  } as YouForm;
}

function foldTableForm(before: TableForm | null, now: Changed<TableForm>): TableForm {
  return {
    ...before,
    ...now,
    seats: foldRow(before?.seats, now.seats),
  } as TableForm;
}

/** The update that says the same as the one before and a change. */
export function fold(before: Update, now: Change): Update {
  return {
    type: "update",
    version: now.version,
    steps: now.steps,
    table: now.table === undefined ? before?.table : now.table && foldTableForm(before?.table ?? null, now.table),
    you: now.you === undefined ? before?.you : now.you && foldYouForm(before?.you ?? null, now.you),
    game: now.game === undefined ? before?.game : now.game && foldViewData(before?.game ?? null, now.game),
    actions: now.actions ?? before.actions,
    seen: now.seen,
    ended: now.ended,
  };
}

export type Request = Asked | (Action & { at: number; id?: number });

export type Event = TableEvent | GameEvent;
