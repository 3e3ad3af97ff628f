/** What tells somebody who looks elsewhere that it is their turn. */
import { settings } from "../settings.svelte";
import { recall, remember } from "../storage/storage.svelte";
import { say } from "../words";

const ASKED = "phaseten.notify";

export const attention = $state({
  /** Whether somebody is waited for here: the page's title and icon say so. */
  isWanted: false,
  /** Whether to ask if the browser may tell it: somebody has just missed a turn, and was never asked. */
  isAsking: false,
});

function canNotify(): boolean {
  return "Notification" in window;
}

/** The player's turn has begun. */
export function turnBegan(code: string): void {
  if (!document.hidden || !canNotify()) return;
  if (Notification.permission === "granted" && settings.notify) void notify(code);
  if (Notification.permission === "default" && !recall(ASKED, { asked: false }).asked)
    document.addEventListener("visibilitychange", () => (attention.isAsking = true), {
      once: true,
    });
}

/** Whether the browser may be asked, and has not said no for good. */
export function mayAsk(): boolean {
  return canNotify() && Notification.permission !== "denied";
}

/** Ask, after somebody has said yes to us; never at first. */
export async function ask(): Promise<void> {
  answered();
  settings.notify = (await Notification.requestPermission()) === "granted";
}

export function answered(): void {
  attention.isAsking = false;
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
