/**
 * Games that come to this device: a running one from another device, and the record of a finished one.
 *
 * A running game travels as a file with every step that was kept of its table; from these all the rest follows.
 */
import { RequestFailed } from "../api";
import { sha256, toHex } from "../play/over/sha256";
import type { ReplayForm } from "../protocol";
import { say } from "../words";
import { failed } from "./opening";
import { ask } from "./pocket.svelte";
import { keepGame, localGames, stepsOf } from "./shelf";

/** What such a file says of itself; `src/phaseten/pocket/moving.py` reads it. */
const FORMAT = "phaseten-table-1";
const ID_LENGTH = 25;

/** The file of a running game. */
export async function packed(code: string): Promise<Blob> {
  const steps = (await stepsOf(code)).map(({ version, at, events, form }) => ({
    version,
    at,
    events,
    form,
  }));
  return new Blob([JSON.stringify({ format: FORMAT, code, steps })], { type: "application/json" });
}

/** Whether a file is one of a running game rather than a record. */
export function isPacked(text: string): boolean {
  return text.trimStart().startsWith("{");
}

/** Keep a running game from another device, and go on with it here; its code. */
export async function unpack(text: string): Promise<string> {
  const { code, problem } = await ask("adopt", { text }).catch((error: Error) => {
    throw failed(error);
  });
  if (problem) throw new RequestFailed(422, problem, say(`web_pocket.moving.${problem}`));
  return code;
}

/** Keep a record from elsewhere among the games of this device; its name there. */
export async function keepRecord(record: string, film: ReplayForm): Promise<string> {
  const known = (await localGames()).find((game) => game.record === record);
  if (known) return known.id;
  const id = `0${toHex(sha256(new TextEncoder().encode(record))).slice(0, ID_LENGTH)}`;
  try {
    // Who of them sat here, the record does not say.
    const game = { id, code: "", ended: Date.now(), seat: null, record, edition: "" };
    await keepGame({ ...game, about: aboutOf(film) });
  } catch {
    throw new RequestFailed(507, "full", say("web_pocket.full"));
  }
  return id;
}

function aboutOf({ names, rules, frames }: ReplayForm) {
  const { winner, left, totals, hands } = frames.at(-1)!.game;
  return {
    title: rules.title,
    variant: rules.variant,
    names,
    winner,
    phases: left.map((numbers) => rules.phases.length - numbers.length),
    totals,
    hands: hands.length,
    custom: Boolean(rules.custom),
  };
}
