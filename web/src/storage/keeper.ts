/**
 * The one owner of what the browser keeps for us.
 *
 * Everything lies under a key of its own that begins with `phaseten.`: what cannot be read there is as if it were not
 * there, and hides nothing else. What cannot be written lasts as long as the page, and why is told. What belongs to one
 * table is forgotten when many others have come since. Other tabs of the browser are listened to.
 */

export const PREFIX = "phaseten.";
/** Changes when something is kept in another form; `UPGRADES` then brings it there. */
export const VERSION = 1;
/** What belongs to one table; the table's code follows. */
const OF_TABLES = ["phaseten.seen.", "phaseten.muted."];
const MOST_TABLES = 60;
/** So many are left when there is no room. */
const FEW_TABLES = 5;
const VERSION_KEY = "phaseten.version";
const USED_KEY = "phaseten.used";

/** Each brings what was kept from its version to the next. Version 1 is the first. */
const UPGRADES: readonly ((area: Area) => void)[] = [];

/** `full`: there is no room. `off`: the browser keeps nothing for this page. */
export type Problem = "full" | "off";

/** The browser's storage, or what stands for it in a test. */
export type Area = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export class Keeper {
  readonly #area: Area | null;
  /** What could not be written. */
  readonly #lasting = new Map<string, string | null>();
  readonly #followers = new Map<(key: string) => void, string>();
  /** Called when something could not be kept. */
  onproblem: (problem: Problem, key: string) => void = () => {};

  constructor(area: Area | null) {
    this.#area = area;
    this.#upgrade();
  }

  /** What is kept there, over what is usual; the usual alone where nothing can be read. */
  recall<Value extends object>(key: string, usual: Value): Value {
    return { ...usual, ...(this.find(key) as Partial<Value> | null) };
  }

  /** What is kept there; null where there is nothing, or nothing that can be read. */
  find(key: string): object | null {
    try {
      const found: unknown = JSON.parse(this.#read(key) ?? "null");
      return typeof found === "object" ? found : null;
    } catch {
      return null;
    }
  }

  remember(key: string, value: object): void {
    const isOfTable = OF_TABLES.some((prefix) => key.startsWith(prefix));
    if (isOfTable) this.#use(key);
    this.#write(key, JSON.stringify(value));
  }

  forget(key: string): void {
    this.#lasting.set(key, null);
    try {
      this.#area?.removeItem(key);
    } catch {
      // What cannot be kept cannot be deleted either.
    }
  }

  /** The keys that begin so. */
  keys(prefix: string): readonly string[] {
    const found = new Set<string>();
    try {
      for (let index = 0; index < (this.#area?.length ?? 0); index++)
        found.add(this.#area!.key(index) ?? "");
    } catch {
      // Nothing can be read.
    }
    for (const [key, text] of this.#lasting) {
      if (text === null) found.delete(key);
      else found.add(key);
    }
    return [...found].filter((key) => key.startsWith(prefix));
  }

  /** Be told when another tab writes under a key that begins so. */
  follow(prefix: string, act: (key: string) => void): () => void {
    this.#followers.set(act, prefix);
    return () => this.#followers.delete(act);
  }

  /** Another tab has written there; null: it has deleted everything. */
  heard(key: string | null): void {
    if (key === null) this.#lasting.clear();
    else this.#lasting.delete(key);
    for (const [act, prefix] of this.#followers)
      if (key === null || key.startsWith(prefix)) act(key ?? prefix);
  }

  #read(key: string): string | null {
    const lasting = this.#lasting.get(key);
    if (lasting !== undefined) return lasting;
    return this.#area?.getItem(key) ?? null;
  }

  #write(key: string, text: string): void {
    try {
      if (!this.#area) throw new Error("there is no storage");
      this.#set(key, text);
      this.#lasting.delete(key);
    } catch (error) {
      this.#lasting.set(key, text);
      this.onproblem(isFull(error) ? "full" : "off", key);
    }
  }

  /** Write it, and if there is no room for it, where others were. */
  #set(key: string, text: string): void {
    try {
      this.#area!.setItem(key, text);
    } catch (error) {
      if (!isFull(error)) throw error;
      this.#prune(FEW_TABLES, key);
      this.#area!.setItem(key, text);
    }
  }

  /** Note that a table's key is in use, and forget those that have not been for long. */
  #use(key: string): void {
    const used = this.#used().filter((one) => one !== key);
    this.#write(USED_KEY, JSON.stringify({ keys: [...used, key] }));
    if (used.length >= MOST_TABLES) this.#prune(MOST_TABLES, key);
  }

  /** The keys of tables, those used last at the end. Some may be from before this was noted. */
  #used(): readonly string[] {
    const { keys } = this.recall<{ keys: readonly string[] }>(USED_KEY, { keys: [] });
    const there = OF_TABLES.flatMap((prefix) => this.keys(prefix));
    const noted = Array.isArray(keys) ? keys.filter((key) => there.includes(key)) : [];
    return [...there.filter((key) => !noted.includes(key)), ...noted];
  }

  #prune(most: number, but: string): void {
    const others = this.#used().filter((key) => key !== but);
    for (const key of others.slice(0, Math.max(0, others.length - most + 1))) this.forget(key);
  }

  #upgrade(): void {
    try {
      if (!this.#area) return;
      const version = Number(this.#area.getItem(VERSION_KEY) ?? VERSION);
      for (const upgrade of UPGRADES.slice(version - 1)) upgrade(this.#area);
      if (version <= VERSION) this.#area.setItem(VERSION_KEY, String(VERSION));
    } catch {
      // It is tried again when the page is loaded next.
    }
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && /quota/i.test(error.name + error.message);
}
