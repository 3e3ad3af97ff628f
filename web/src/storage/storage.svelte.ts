/** What this browser keeps for us: see `keeper.ts`. */
import { Keeper, PREFIX, type Problem } from "./keeper";

function area(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null; // the browser allows none
  }
}

const keeper = new Keeper(area());

/** Why something could not be kept, as long as nobody has taken note of it. */
export const trouble = $state<{ problem: Problem | null }>({ problem: null });

/** What nobody wants to lose; that other things last as long as the page is not worth a word. */
const PRECIOUS = "phaseten.scores.";

keeper.onproblem = (problem, key) => {
  if (problem === "full" || key.startsWith(PRECIOUS)) trouble.problem = problem;
};
window.addEventListener("storage", ({ key, storageArea }) => {
  if (storageArea === area() && (key === null || key.startsWith(PREFIX))) keeper.heard(key);
});

export const recall: Keeper["recall"] = (key, usual) => keeper.recall(key, usual);
export const remember: Keeper["remember"] = (key, value) => keeper.remember(key, value);
export const forget: Keeper["forget"] = (key) => keeper.forget(key);
export const find: Keeper["find"] = (key) => keeper.find(key);
export const keys: Keeper["keys"] = (prefix) => keeper.keys(prefix);
export const follow: Keeper["follow"] = (prefix, act) => keeper.follow(prefix, act);
