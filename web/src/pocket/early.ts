/** Python takes a while to start: it begins as soon as it is likely to be needed, before somebody waits for it. */
import { ask } from "./pocket.svelte";
import { isKept } from "./runtime";

/** Only what is on the device already: nobody has asked for the rest. */
export async function startEarly(): Promise<void> {
  try {
    if (await isKept()) await ask("start", {});
  } catch {
    // Whoever needs it is told then.
  }
}
