import { mount } from "svelte";
import App from "./App.svelte";
import "./look/look.css";
import { markPressed } from "./parts/pressed";
import { ROOT } from "./place";
import { isLocal } from "./pocket/local";
import { followLinks, routeOf, where } from "./routes.svelte";
import { loadScreen } from "./screens";
import { leaving } from "./start/tables";
import { followSettings, settings } from "./settings.svelte";
import { preferred, speak } from "./words";
import { sayWithoutWords } from "./words/without";

followSettings();
// The words and the first screen travel at the same time; App says what to do if the latter fails.
const first = loadScreen(routeOf(where()).screen).catch(() => null);
const [kind, code = ""] = where().parts;
if (kind === "table" && isLocal(code))
  void import("./pocket/early").then(({ startEarly }) => startEarly());
try {
  await speak(settings.language || preferred());
  followLinks();
  markPressed();
  mount(App, { target: document.getElementById("app")!, props: { first: await first } });
} catch {
  sayWithoutWords();
}

if (leaving().length) void import("./play/leaving").then(({ goOnLeaving }) => goOnLeaving());

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  const keep = () => void navigator.serviceWorker.register(`${ROOT}worker.js`);
  window.addEventListener("load", keep);
  if (document.readyState === "complete") keep();
}
