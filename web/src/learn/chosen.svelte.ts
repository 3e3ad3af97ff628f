/** The editions that were chosen on the pages of this screen. */
import { recall, remember } from "../storage/storage.svelte";

const KEY = "phaseten.learn";

export const chosen = $state(recall(KEY, { rules: "all", edition: "classic" }));

$effect.root(() => {
  $effect(() => remember(KEY, chosen));
});
