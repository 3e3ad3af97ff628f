/** What page and worker say to each other. */
import type { Options, ReplayForm } from "../protocol";

export interface Told {
  readonly film: ReplayForm | null;
  readonly problem: string;
}

/** Why a game cannot go on here: it is none, a newer version has made it, or it has gone on in two ways. */
export type Trouble = "" | "broken" | "newer" | "parted";

/** What can be asked of the worker, and what it answers. */
export interface Calls {
  start: [object, void];
  open: [
    {
      names: readonly string[];
      faces: readonly string[];
      seeds: readonly string[];
      options: Options;
      /** Where the game begins, and in which seat one plays it, if not with a deal. */
      position?: string;
      seat?: number;
      code: string;
      language: string;
    },
    { problem: string },
  ];
  join: [
    { code: string; person: number; language: string; after: number | null },
    { problem: Exclude<Trouble, "parted"> | "gone" },
  ];
  /** Keep a running game from another device; which table it is, or why that cannot be. */
  adopt: [{ text: string }, { code: string; problem: Trouble }];
  hear: [{ text: string }, void];
  leave: [object, void];
  /** What is otherwise asked of a server over HTTP. */
  answer: [{ path: string; text: string; language: string }, { value: unknown; problem: string }];
  film: [{ record: string; seat: number | null; language: string; edition: string }, Told];
}

export interface ToWorker {
  readonly id: number;
  readonly call: keyof Calls;
  readonly asked: unknown;
}

export type ToPage =
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly why: string }
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "progress"; readonly bytes: number; readonly total: number }
  /** Nothing more can be kept on the device, or there is room again. */
  | { readonly kind: "full"; readonly isFull: boolean };
