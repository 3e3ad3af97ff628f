/** The screen stays on while somebody plays, where the browser can do that. */

export class Wake {
  #lock: WakeLockSentinel | null = null;
  #isWanted = false;

  constructor() {
    document.addEventListener("visibilitychange", this.#hold);
  }

  keep(isWanted: boolean): void {
    this.#isWanted = isWanted;
    void this.#hold();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#hold);
    this.keep(false);
  }

  /** A page that is hidden loses it. */
  #hold = async (): Promise<void> => {
    if (!this.#isWanted) {
      const lock = this.#lock;
      this.#lock = null;
      await lock?.release();
      return;
    }
    if (document.hidden || (this.#lock && !this.#lock.released) || !navigator.wakeLock) return;
    try {
      const lock = await navigator.wakeLock.request("screen");
      if (this.#isWanted) this.#lock = lock;
      else await lock.release();
    } catch {
      // The battery is low, or the browser does not want to.
    }
  };
}
