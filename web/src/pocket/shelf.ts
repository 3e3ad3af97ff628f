/**
 * What is kept of tables on this device: every step, what lists show, and the records of finished games.
 *
 * A step is written under the table's code and its version, and never again: whoever comes second, from another tab, is
 * refused, and nothing is overwritten. What is written is on the disk before anybody is shown it.
 */
import type { GameAbout, MyTable } from "../protocol";

const NAME = "phaseten";
const VERSION = 1;

export interface Step {
  readonly version: number;
  readonly at: number;
  readonly events: string;
  readonly form: number;
  readonly snapshot: string;
  readonly snapshot_form: string;
}

export interface LocalGame {
  readonly id: string;
  readonly code: string;
  readonly ended: number;
  readonly about: GameAbout;
  readonly record: string;
  readonly edition: string;
  /** Whose it is: the first seat's, where nothing else is said; null for a record from elsewhere. */
  readonly seat?: number | null;
}

/** A step as the table wants it kept. */
export interface StepToKeep extends Step {
  readonly listed: MyTable;
  readonly game: LocalGame | null;
}

interface KeptStep extends Step {
  readonly code: string;
}

/** Another tab has gone on at the same table. */
export class Overtaken extends Error {}

let opened: Promise<IDBDatabase> | null = null;

function shelf(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("steps", { keyPath: ["code", "version"] });
      request.result.createObjectStore("tables", { keyPath: "code" });
      request.result.createObjectStore("games", { keyPath: "id" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  opened.catch(() => (opened = null));
  return opened;
}

/** Keep these steps of a table, all or none of them. */
export async function keepSteps(code: string, steps: readonly StepToKeep[]): Promise<void> {
  const change = (await shelf()).transaction(["steps", "tables", "games"], "readwrite", {
    durability: "strict",
  });
  for (const { listed, game, ...step } of steps) {
    change.objectStore("steps").add({ ...step, code });
    change.objectStore("tables").put(listed);
    if (game) change.objectStore("games").put(game);
  }
  await new Promise<void>((resolve, reject) => {
    change.oncomplete = () => resolve();
    change.onabort = () =>
      reject(change.error?.name === "ConstraintError" ? new Overtaken() : change.error);
  });
}

/** Keep a finished game that was not played here. */
export async function keepGame(game: LocalGame): Promise<void> {
  const change = (await shelf()).transaction("games", "readwrite", { durability: "strict" });
  change.objectStore("games").put(game);
  await new Promise<void>((resolve, reject) => {
    change.oncomplete = () => resolve();
    change.onabort = () => reject(change.error);
  });
}

/** The steps of a table. */
export async function stepsOf(code: string): Promise<readonly Step[]> {
  const store = (await shelf()).transaction("steps").objectStore("steps");
  const range = IDBKeyRange.bound([code, 0], [code, Infinity]);
  const steps = await answer<KeptStep[]>(store.getAll(range));
  return steps.map(({ code: _, ...step }) => step);
}

export async function localTables(): Promise<readonly MyTable[]> {
  const store = (await shelf()).transaction("tables").objectStore("tables");
  const tables = await answer<MyTable[]>(store.getAll());
  return tables.sort((a, b) => b.changed - a.changed);
}

export async function localGames(): Promise<readonly LocalGame[]> {
  const store = (await shelf()).transaction("games").objectStore("games");
  const games = await answer<LocalGame[]>(store.getAll());
  return games.sort((a, b) => b.ended - a.ended);
}

export async function localGame(id: string): Promise<LocalGame | undefined> {
  const store = (await shelf()).transaction("games").objectStore("games");
  return answer<LocalGame | undefined>(store.get(id));
}

/** Delete a finished game, and its table where nothing else is played there. */
export async function forgetGame(id: string): Promise<void> {
  const game = await localGame(id);
  if (!game) return;
  const change = (await shelf()).transaction(["steps", "tables", "games"], "readwrite");
  change.objectStore("games").delete(id);
  const table = await answer<MyTable | undefined>(change.objectStore("tables").get(game.code));
  if (table?.stage === "finished") {
    change.objectStore("tables").delete(game.code);
    change.objectStore("steps").delete(IDBKeyRange.bound([game.code, 0], [game.code, Infinity]));
  }
  await new Promise<void>((resolve, reject) => {
    change.oncomplete = () => resolve();
    change.onabort = () => reject(change.error);
  });
}

function answer<Value>(request: IDBRequest): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as Value);
    request.onerror = () => reject(request.error);
  });
}
