/** What tells somebody who looks elsewhere that it is their turn. */
import { settings } from "../settings.svelte";
import { recall, remember } from "../storage/storage.svelte";
import { say } from "../words";
import { isOffered, subscribe, unsubscribe } from "./push";

const ASKED = "phaseten.notify";
const NEVER = { asked: false };

export const attention = $state({
  /** Whether somebody is waited for here: the page's title and icon say so. */
  isWanted: false,
  /**
   * Why to ask if the browser may tell it, where nobody was ever asked: a turn has just been missed; or the others
   * take their time, and one could close the page meanwhile.
   */
  asking: null as "missed" | "long" | null,
});

function canNotify(): boolean {
  return "Notification" in window;
}

/** The player's turn has begun. */
export function turnBegan(code: string): void {
  if (!document.hidden || !canNotify()) return;
  if (Notification.permission === "granted" && settings.notify) void notify(code);
  if (Notification.permission === "default" && !recall(ASKED, NEVER).asked)
    document.addEventListener("visibilitychange", () => (attention.asking = "missed"), {
      once: true,
    });
}

/** The player has sat down at a table where people come and go between their turns. */
export function tableIsSlow(): void {
  if (canNotify() && Notification.permission === "granted" && settings.notify) void subscribe();
}

/** The player's turn is over, at such a table: now one can close the page, if somebody tells when to come back. */
export async function longWaitBegan(): Promise<void> {
  if (!mayAsk() || settings.notify || recall(ASKED, NEVER).asked) return;
  if (await isOffered()) attention.asking ??= "long";
}

/** Whether the browser may be asked, and has not said no for good. */
export function mayAsk(): boolean {
  return canNotify() && Notification.permission !== "denied";
}

/** Ask, after somebody has said yes to us; never at first. */
export async function ask(): Promise<void> {
  answered();
  settings.notify = (await Notification.requestPermission()) === "granted";
  if (settings.notify) await subscribe();
}

/** Tell nothing any more, here or through the server. */
export function stopTelling(): void {
  void unsubscribe();
}

export function answered(): void {
  attention.asking = null;
  remember(ASKED, { asked: true });
}

async function notify(code: string): Promise<void> {
  const title = say("web_table.your_turn");
  const more = { tag: `turn-${code}`, icon: "/icon-192.png", data: { path: `/table/${code}` } };
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker) return await worker.showNotification(title, more);
    const shown = new Notification(title, more);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // A browser that has changed its mind: the title still says it.
  }
}
