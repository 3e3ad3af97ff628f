/** What the server tells about finished games; src/phaseten/server/{games,replaying}.py write it. */
import type { Event, GameForm, RulesForm } from "../protocol";

export interface GameAbout {
  readonly title: string;
  readonly variant: string;
  readonly names: readonly string[];
  /** Null where it was called off. */
  readonly winner: number | null;
  readonly hands: number;
  /** Whether it was played by an edition of its own. */
  readonly custom: boolean;
}

export interface ShownGame {
  readonly id: string;
  readonly ended: number;
  /** Whether the one who asks may delete it. */
  readonly host: boolean;
  readonly about: GameAbout;
}

export interface ListedGame extends ShownGame {
  readonly code: string;
}

/** One step, and how things stand after it. */
export interface FrameForm {
  readonly events: readonly Event[];
  readonly sentences: readonly string[];
  /** Everybody's cards by seat, where all hands are open. */
  readonly held: readonly (readonly string[])[];
  readonly game: GameForm;
}

export interface ReplayForm {
  readonly names: readonly string[];
  /** Whose eyes these are; null: all hands are open. */
  readonly seat: number | null;
  readonly rules: RulesForm;
  readonly frames: readonly FrameForm[];
}
