/** Where a game to watch comes from: the server's finished games, or a file on this device. */
import { get, getText, lines, post } from "../api";
import { Memory } from "../play/memory";
import { isLocal } from "../pocket/local";
import { languageCode } from "../words";
import type { AnalysisForm, ListedGame, MomentForm, ReplayForm } from "../protocol";

/** Whose eyes: a seat's, or null with all hands open. */
export type Eyes = number | null;

export interface Source {
  /** Its address, for links to a moment; null for a file, which others do not have. */
  readonly path: string | null;
  /** Where its record lies on the server. */
  readonly recordPath: string | null;
  /** The only eyes there are, where the record has no more than one seat knew. */
  readonly seenBy: Eyes;
  watch(eyes: Eyes): Promise<ReplayForm>;
  /** The position after a step, to play on from. */
  moment(eyes: Eyes, step: number): Promise<MomentForm>;
  /** What the coach says, line by line. */
  analyse(signal: AbortSignal): AsyncGenerator<AnalysisForm>;
  record(): Promise<string>;
  /** What the server promised before the first card, as this device saw it; empty if it did not. */
  promise(): Promise<string>;
}

/** What has been fetched is kept: looking through somebody's eyes again is at once. */
abstract class Fetching {
  #films = new Map<string, Promise<ReplayForm>>();

  watch(eyes: Eyes): Promise<ReplayForm> {
    const name = `${languageCode()} ${eyes}`;
    const known = this.#films.get(name);
    if (known) return known;
    const film = this.fetch(String(eyes ?? "all"));
    this.#films.set(name, film);
    film.catch(() => this.#films.delete(name));
    return film;
  }

  protected abstract fetch(seat: string): Promise<ReplayForm>;
}

export class KeptGame extends Fetching implements Source {
  readonly path: string;
  readonly recordPath: string | null;
  readonly seenBy = null;

  constructor(readonly id: string) {
    super();
    this.path = `/replay/${id}`;
    this.recordPath = isLocal(id) ? null : `/api/games/${id}/record`;
  }

  protected fetch(seat: string): Promise<ReplayForm> {
    return get(`/games/${this.id}/replay?seat=${seat}`);
  }

  async moment(eyes: Eyes, step: number): Promise<MomentForm> {
    const query = momentQuery(eyes, step);
    if (!isLocal(this.id)) return get(`/games/${this.id}/moment?${query}`);
    return post(`/moment?${query}`, await this.record()); // the server has it not
  }

  async *analyse(signal: AbortSignal): AsyncGenerator<AnalysisForm> {
    if (!isLocal(this.id)) yield* lines("GET", `/games/${this.id}/analysis`, undefined, signal);
    else yield* lines("POST", "/analysis", await this.record(), signal); // the server has it not
  }

  record(): Promise<string> {
    return getText(`/games/${this.id}/record`);
  }

  async promise(): Promise<string> {
    const mine = await get<readonly ListedGame[]>("/games");
    const game = mine.find(({ id }) => id === this.id);
    return game ? new Memory(game.code).seen.commitment : "";
  }
}

export class OpenedFile extends Fetching implements Source {
  readonly path = null;
  readonly recordPath = null;
  readonly seenBy: Eyes;

  constructor(
    readonly name: string,
    readonly text: string,
  ) {
    super();
    this.seenBy = Number(tag(text, "Seen")) || null;
  }

  protected fetch(seat: string): Promise<ReplayForm> {
    return post(`/replay?seat=${seat}`, this.text);
  }

  moment(eyes: Eyes, step: number): Promise<MomentForm> {
    return post(`/moment?${momentQuery(eyes, step)}`, this.text);
  }

  analyse(signal: AbortSignal): AsyncGenerator<AnalysisForm> {
    return lines("POST", "/analysis", this.text, signal);
  }

  record(): Promise<string> {
    return Promise.resolve(this.text);
  }

  promise(): Promise<string> {
    return Promise.resolve("");
  }
}

function momentQuery(eyes: Eyes, step: number): string {
  return `seat=${eyes ?? "all"}&step=${step}`;
}

const KEY = "phaseten.replay-file";
let opened: OpenedFile | null = null;

/** Keep the file that is watched: it is still there when the page is loaded again. */
export function keepFile(file: OpenedFile): void {
  opened = file;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ name: file.name, text: file.text }));
  } catch {
    // No room, or a private window: then it lasts as long as the page.
  }
}

export function keptFile(): OpenedFile | null {
  if (opened) return opened;
  try {
    const { name, text } = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as OpenedFile;
    return (opened = new OpenedFile(name, text));
  } catch {
    return null; // nothing was kept
  }
}

/** A tag of a record: `[Seat1 "Ana"]`. */
export function tag(record: string, name: string): string | null {
  return new RegExp(`^\\s*\\[${name} "(.*)"\\]`, "m").exec(record)?.[1] ?? null;
}
