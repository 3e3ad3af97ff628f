/**
 * Web Push: the server tells this browser of one's turn also when no page is open, at tables where people come and go.
 *
 * The server keeps where to send to, and the browser that there is somebody to send. Both are asked again whenever
 * somebody sits down at such a table, because either may have forgotten.
 */
import { get, post, remove } from "../api";
import { IS_WITHOUT_SERVER } from "../place";
import type { PushAddress, PushKey, PushSubscriber } from "../protocol";

/** With which key one subscribes; empty where the browser cannot, or the server does not offer it. */
async function keyOfServer(): Promise<string> {
  const can = !IS_WITHOUT_SERVER && "serviceWorker" in navigator && "PushManager" in window;
  return can ? (await get<PushKey>("/push")).key : "";
}

export async function isOffered(): Promise<boolean> {
  return (await keyOfServer().catch(() => "")) !== "";
}

/** Let the server tell this browser of turns. The browser has been allowed to show it before. */
export async function subscribe(): Promise<void> {
  try {
    const key = await keyOfServer();
    if (!key) return;
    const { pushManager } = await navigator.serviceWorker.ready;
    const found = await pushManager.getSubscription();
    if (found && keyOf(found) !== key) await found.unsubscribe(); // to another server that was here before
    const options = { userVisibleOnly: true, applicationServerKey: key };
    const subscription = await pushManager.subscribe(options);
    const subscriber: PushSubscriber = {
      endpoint: subscription.endpoint,
      p256dh: written(subscription.getKey("p256dh")),
      auth: written(subscription.getKey("auth")),
    };
    await post("/push", subscriber);
  } catch {
    // No network, or a browser without a push service: an open page still tells it.
  }
}

export async function unsubscribe(): Promise<void> {
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    const found = await worker?.pushManager?.getSubscription();
    if (!found) return;
    const address: PushAddress = { endpoint: found.endpoint };
    await found.unsubscribe();
    await remove("/push", address);
  } catch {
    // The server hears it from the push service, when it sends the next time.
  }
}

function keyOf({ options }: PushSubscription): string {
  return written(options.applicationServerKey);
}

/** As base64url. */
function written(bytes: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
