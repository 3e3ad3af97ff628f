/** The score sheets on this device. They need no server; each is kept under a key of its own. */
import { find, follow, forget, keys, recall, remember } from "../storage/storage.svelte";
import type { Hand, Sheet } from "./sheet.ts";

/** A sheet that others can see; see live.svelte.ts. */
export interface Live {
  readonly id: string;
  /** Who knows it may write. */
  readonly key: string;
  /** The last version of the server that this device knows. */
  readonly version: number;
  /** Something was written that the server does not know yet. */
  readonly pending: boolean;
}

/** A hand that is being written down. */
export interface Draft {
  /** Counted from 1. */
  readonly number: number;
  readonly hand: Hand;
}

export interface Kept {
  readonly id: string;
  readonly sheet: Sheet;
  readonly changed: number;
  /** What it was before, the latest last. */
  readonly past: readonly Sheet[];
  readonly draft: Draft | null;
  readonly live: Live | null;
}

const PREFIX = "phaseten.scores.";
const PLAYERS = "phaseten.score-players";
const MOST_UNDONE = 30;
const MOST_PLAYERS = 24;

class Book {
  sheets: readonly Kept[] = $state.raw(readAll());
  /** The sheet that was deleted last, until another one is, or the page is left. */
  deleted: Kept | null = $state.raw(null);
  /** Those who have played before, the latest first. */
  players: readonly string[] = $state.raw(recall(PLAYERS, { names: [] as string[] }).names);

  find(id: string): Kept | undefined {
    return this.sheets.find((kept) => kept.id === id);
  }

  add(sheet: Sheet, live: Live | null = null): Kept {
    const id = crypto
      .getRandomValues(new Uint32Array(2))
      .reduce((text, n) => text + n.toString(36), "");
    const kept: Kept = { id, sheet, changed: Date.now(), past: [], draft: null, live };
    this.#put(kept);
    this.#meet(sheet.players);
    return kept;
  }

  /** Write something that can be taken back. */
  write(kept: Kept, sheet: Sheet, draft: Draft | null = kept.draft): void {
    const past = [...kept.past, kept.sheet].slice(-MOST_UNDONE);
    this.#put({ ...kept, sheet, past, draft, changed: Date.now(), live: pending(kept.live) });
  }

  undo(kept: Kept): void {
    const sheet = kept.past.at(-1);
    if (!sheet) return;
    const past = kept.past.slice(0, -1);
    this.#put({ ...kept, sheet, past, changed: Date.now(), live: pending(kept.live) });
  }

  keepDraft(kept: Kept, draft: Draft | null): void {
    this.#put({ ...kept, draft });
  }

  keepLive(id: string, live: Live | null, sheet?: Sheet): void {
    const kept = this.find(id);
    if (kept) this.#put({ ...kept, live, sheet: sheet ?? kept.sheet });
  }

  delete(kept: Kept): void {
    this.deleted = kept;
    this.sheets = this.sheets.filter(({ id }) => id !== kept.id);
    forget(PREFIX + kept.id);
  }

  bringBack(): void {
    if (this.deleted) this.#put(this.deleted);
    this.deleted = null;
  }

  /** Another window of this browser has written. */
  readAgain(): void {
    this.sheets = readAll();
  }

  #put(kept: Kept): void {
    const others = this.sheets.filter(({ id }) => id !== kept.id);
    this.sheets = sorted([...others, kept]);
    remember(PREFIX + kept.id, kept);
  }

  #meet(names: readonly string[]): void {
    const others = this.players.filter((name) => !names.includes(name));
    this.players = [...names, ...others].slice(0, MOST_PLAYERS);
    remember(PLAYERS, { names: this.players });
  }
}

function pending(live: Live | null): Live | null {
  return live && { ...live, pending: true };
}

/** A sheet that cannot be read hides no other. */
function readAll(): readonly Kept[] {
  return sorted(
    keys(PREFIX).flatMap((key) => {
      const kept = find(key) as Partial<Kept> | null;
      if (!kept?.id || !kept.sheet?.players || !kept.sheet.hands) return [];
      return [{ ...EMPTY, ...kept, id: kept.id, sheet: kept.sheet }];
    }),
  );
}

const EMPTY = { changed: 0, past: [], draft: null, live: null };

function sorted(sheets: Kept[]): readonly Kept[] {
  return sheets.sort((a, b) => b.changed - a.changed);
}

export const book = new Book();

follow(PREFIX, () => book.readAgain());
