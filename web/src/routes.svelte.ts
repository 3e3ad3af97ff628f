/** Where in the client one is. Paths are real, so that links can be shared. */

export interface Place {
  readonly path: string;
  /** The parts of the path: `/table/ABC` is `["table", "ABC"]`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly hash: string;
}

function here(): Place {
  const { pathname, search, hash } = window.location;
  return {
    path: pathname,
    parts: pathname.split("/").filter(Boolean).map(decodeURIComponent),
    query: new URLSearchParams(search),
    hash: hash.slice(1),
  };
}

let place = $state.raw<Place>(here());

export function where(): Place {
  return place;
}

export function go(path: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", path);
  else history.replaceState(null, "", path);
  place = here();
  window.scrollTo(0, 0);
}

/** Follow the browser's back button, and links of the page without loading it again. */
export function followLinks(): void {
  window.addEventListener("popstate", () => (place = here()));
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest("a");
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (!link || !plain || event.defaultPrevented) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    if (link.pathname.startsWith("/api/")) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
