/**
 * Keeps the client on the device, so that it opens without a network.
 *
 * Pages are asked for at the server first: the client and the server it talks to are then of one
 * version. The other files bear a hash of their content in their name, and never change. What the
 * server knows about games is never kept. Python for browsers is kept when somebody has asked for it.
 *
 * The client may lie anywhere: at the root of a server, or in a folder of any web host.
 */
/// <reference lib="webworker" />

export {};
declare const self: ServiceWorkerGlobalScope;
/** Put here by the build: every file of the client, and a name that changes with them. */
declare const __FILES__: readonly string[];
declare const __VERSION__: string;

const CACHE = `phaseten-${__VERSION__}`;
const SHELL = new URL("./", self.location.href).href;
const FILES = __FILES__.map((name) => new URL(name, SHELL).href);
/** Python for browsers lies in folders of this name, and in caches of its own. */
const POCKET = "pocket-";
const PATIENCE = 3_000;

self.addEventListener("install", (event) => {
  const keep = async () => (await caches.open(CACHE)).addAll([SHELL, ...FILES]);
  event.waitUntil(keep().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const forget = async () => {
    const others = (await caches.keys()).filter(
      (name) => name !== CACHE && !name.startsWith(`phaseten-${POCKET}`),
    );
    // Pages of the last version may still be open, and ask for more of its files.
    await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  };
  event.waitUntil(forget().then(() => self.clients.claim()));
});

/** The server says whose turn it is where no page is open: the sentence and the table, and nothing else. */
self.addEventListener("push", (event) => {
  const { title, code } = event.data?.json() as { title: string; code: string };
  // As a page would show it: of one table there is one notification.
  const more = { tag: `turn-${code}`, icon: "/icon-192.png", data: { path: `/table/${code}` } };
  event.waitUntil(self.registration.showNotification(title, more));
});

/** Whoever taps a notification wants to be at that table, where it is open already if it is. */
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path } = event.notification.data as { path: string };
  const go = async () => {
    const pages = await self.clients.matchAll({ type: "window" });
    const open = pages.find(({ url }) => new URL(url).pathname === path);
    await (open ? open.focus() : self.clients.openWindow(path));
  };
  event.waitUntil(go());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, href } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    // What the client does not show itself is the server's: records, measures.
    if (!pathname.startsWith("/api/")) event.respondWith(page(request));
  } else if (FILES.includes(href) || href.startsWith(`${SHELL}assets/`))
    event.respondWith(file(request));
});

async function page(request: Request): Promise<Response> {
  const kept = (await caches.open(CACHE)).match(SHELL);
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const answer = await fetch(request.url, { credentials: "same-origin", signal });
    return answer.status < 500 ? answer : ((await kept) ?? answer);
  } catch {
    return (await kept) ?? Response.error();
  }
}

async function file(request: Request): Promise<Response> {
  const kept = await (await caches.open(CACHE)).match(request.url);
  return kept ?? (await caches.match(request.url)) ?? fetch(request);
}
