/** Gets the game onto the device when nobody waits for it: after a game, and only where that costs nothing. */
import { IS_WITHOUT_SERVER } from "../place";
import { recall, remember } from "../storage/storage.svelte";
import { fetchRuntime, isKept } from "./runtime";

const KEY = "phaseten.offline";

/** What browsers say of the network, where they do. */
interface Network {
  readonly saveData?: boolean;
  readonly type?: string;
}

/** Whether somebody wants the game here; who has removed it does not get it again unasked. */
export function wantOffline(wanted: boolean): void {
  remember(KEY, { wanted });
}

/** Fetch what is not there yet; on a network that is paid by the byte, only the settings do that. */
export async function fetchInBackground(): Promise<void> {
  const { wanted } = recall(KEY, { wanted: true });
  const network = (navigator as { connection?: Network }).connection;
  if (IS_WITHOUT_SERVER || !wanted || network?.saveData || network?.type === "cellular") return;
  try {
    if ("caches" in window && !(await isKept())) await fetchRuntime();
  } catch {
    // Another time.
  }
}
