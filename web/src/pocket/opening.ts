/** Opening a table on this device. */
import { RequestFailed } from "../api";
import { Memory } from "../play/memory";
import type { MomentForm, Options } from "../protocol";
import { LEVELS_HERE, ownFace } from "../start/setup.svelte";
import { languageCode, say } from "../words";
import { newLocalCode } from "./local";
import { ask } from "./pocket.svelte";
import { OUTDATED } from "./runtime";

/** Why the worker could not do something, in a sentence. */
export function failed(error: Error): RequestFailed {
  const name = error.message.includes(OUTDATED) ? "outdated" : "failed";
  return new RequestFailed(0, "offline", say(`web_pocket.${name}`));
}

/** Open a table for these people and deal; its code. */
export async function openLocal(
  names: readonly string[],
  options: Options,
  moment?: MomentForm,
): Promise<string> {
  const code = newLocalCode();
  const memory = new Memory(code);
  const here: readonly string[] = LEVELS_HERE;
  const isElsewhere = options.stand_in !== undefined && !here.includes(options.stand_in);
  const level = isElsewhere ? { stand_in: LEVELS_HERE.at(-1)! } : {};
  const asked = {
    names,
    faces: names.length === 1 ? [ownFace().face ?? ""] : [],
    seeds: names.map(() => memory.newSeed()),
    options: { ...options, ...level },
    ...moment,
    code,
    language: languageCode(),
  };
  const { problem } = await ask("open", asked).catch((error: Error) => {
    console.error(error);
    throw failed(error);
  });
  if (problem) throw new RequestFailed(409, "refused", problem);
  return code;
}
