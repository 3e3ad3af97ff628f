/**
 * Where in the client one is. Paths are real, so that links can be shared; without a server behind them a web host
 * knows only the first page, and the path stands in its query: `…/?/learn/rules#M-RUN`.
 */
import { IS_WITHOUT_SERVER, ROOT } from "./place";

export interface Place {
  readonly path: string;
  /** The parts of the path: `/table/ABC` is `["table", "ABC"]`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly hash: string;
}

function here(): Place {
  const { hash } = window.location;
  const { pathname, search } = IS_WITHOUT_SERVER
    ? inQuery(window.location.search)
    : window.location;
  return {
    path: pathname,
    parts: pathname.split("/").filter(Boolean).map(decoded),
    query: new URLSearchParams(search),
    hash: hash.slice(1),
  };
}

function inQuery(text: string): { pathname: string; search: string } {
  if (!text.startsWith("?/")) return { pathname: "/", search: text };
  const [pathname = "/", search = ""] = text.slice(1).split("?");
  return { pathname, search };
}

/** The address of a path in the client, such as `/learn`, as the browser's bar shows it. */
export function addressOf(path: string): string {
  if (!IS_WITHOUT_SERVER) return path;
  return path === "/" ? ROOT : `${ROOT}?${path}`;
}

/** What cannot be decoded leads to the page that says so. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

let place = $state.raw<Place>(here());

export function where(): Place {
  return place;
}

export function go(path: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", addressOf(path));
  else history.replaceState(null, "", addressOf(path));
  place = here();
  window.scrollTo(0, 0);
}

/** Go there when what is needed for it has come, unless somebody has gone elsewhere meanwhile. */
export function goLater(): typeof go {
  const here = place;
  return (path, how) => {
    if (place === here) go(path, how);
  };
}

/** Follow the browser's back button, and links of the page without loading it again. */
export function followLinks(): void {
  window.addEventListener("popstate", () => (place = here()));
  if (IS_WITHOUT_SERVER) {
    // So that a link can be opened in another tab, or copied.
    document.addEventListener("pointerover", lead);
    document.addEventListener("focusin", lead);
  }
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest("a");
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (!link || !plain || event.defaultPrevented) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    if (link.pathname.startsWith("/api/")) return;
    if (IS_WITHOUT_SERVER) {
      lead(event);
      if (!link.href.startsWith(ROOT)) return;
      event.preventDefault();
      const { pathname, search } = inQuery(link.search);
      go(pathname + search + link.hash);
      return;
    }
    // Within the page the browser itself goes to the place, and says so by `popstate`.
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}

/** Let a link of the client lead to where the client lies. */
function lead(event: Event): void {
  const link = (event.target as Element | null)?.closest?.("a");
  const path = link?.getAttribute("href");
  if (link && path?.startsWith("/")) link.href = addressOf(path);
}

/** The screens by their files in `screens/`, and what they are given. */
export interface Route {
  readonly screen: string;
  /** The sentence `web.title.…` that names the page. */
  readonly title: string;
  readonly props: { readonly [name: string]: unknown };
}

const PARTED: { readonly [first: string]: string } = {
  replay: "Replay",
  scores: "Scores",
  learn: "Learn",
  me: "Mine",
};
const MODES: { readonly [first: string]: string } = { table: "play", watch: "watch", tv: "tv" };

export function routeOf({ parts }: Place): Route {
  const [first = "", second = "", ...more] = parts;
  const parted = PARTED[first];
  if (parted) return { screen: parted, title: first, props: { parts } };
  if (more.length === 0) {
    const mode = MODES[first];
    if (mode && second)
      return { screen: "Table", title: "table", props: { code: tidyCode(second), mode } };
    if (first === "editions" && !second)
      return { screen: "Editions", title: "editions", props: {} };
    if (first === "watch") return { screen: "Watch", title: "watch", props: {} };
    if (first === "join") return { screen: "Join", title: "join", props: { code: second } };
    if (first === "move" && second)
      return { screen: "Move", title: "move", props: { ticket: second } };
    if (!first) return { screen: "Start", title: "start", props: {} };
  }
  return { screen: "Missing", title: "missing", props: {} };
}

/** A table's code as it is read aloud: two halves are easier. */
export function readableCode(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}

/** A table's code as somebody types it: spaces, hyphens, small letters and a whole link are forgiven. */
export function tidyCode(text: string): string {
  const code =
    text
      .replace(/[?#].*/, "")
      .split("/")
      .findLast((part) => part.trim()) ?? "";
  return code.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
}
