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
    const old = (await caches.keys()).filter(
      (name) => name !== CACHE && !name.startsWith(`phaseten-${POCKET}`),
    );
    await Promise.all(old.map((name) => caches.delete(name)));
  };
  event.waitUntil(forget().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, href } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    // What the client does not show itself is the server's: records, measures.
    if (!pathname.startsWith("/api/")) event.respondWith(page(request));
  } else if (FILES.includes(href)) event.respondWith(file(request));
  else if (href.startsWith(`${SHELL}assets/${POCKET}`)) event.respondWith(pocketFile(request));
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

async function pocketFile(request: Request): Promise<Response> {
  return (await caches.match(request.url)) ?? fetch(request);
}

async function file(request: Request): Promise<Response> {
  return (await (await caches.open(CACHE)).match(request.url)) ?? fetch(request);
}
