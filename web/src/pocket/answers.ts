/** What this device answers itself of what is otherwise asked of a server: its own games, and films of records. */
import { RequestFailed } from "../api";
import type { ListedGame } from "../protocol";
import { languageCode, say } from "../words";
import { ask } from "./pocket.svelte";
import { forgetGame, localGame, localGames, localTables, type LocalGame } from "./shelf";

/** The answer to a request; lists go through `withLocal` where there is a server too. */
export async function answerHere(method: string, path: string, body?: unknown): Promise<unknown> {
  const { pathname, searchParams } = new URL(path, "http://here");
  const [kind = "", id = "", what = ""] = pathname.slice(1).split("/");
  if (kind === "mine") return localTables().catch(() => []);
  if (kind === "games" && !id) return withLocal([]);
  if (kind === "replay") return film(String(body), searchParams.get("seat"), "");
  const game = kind === "games" ? await localGame(id) : undefined;
  if (!game) throw new RequestFailed(404, "no-page", say("web_pocket.needs_server"));
  if (method === "DELETE") return forgetGame(id);
  if (what === "record") return game.record;
  if (what === "replay") return film(game.record, searchParams.get("seat"), game.edition);
  return listed(game);
}

/** A list of the server's games with those of this device, the last one first. */
export async function withLocal(games: readonly ListedGame[]): Promise<readonly ListedGame[]> {
  const here = await localGames().catch(() => []);
  return [...games, ...here.map(listed)].sort((a, b) => b.ended - a.ended);
}

function listed({ id, code, ended, about }: LocalGame): ListedGame {
  return { id, code, ended, about, seat: 1, host: true };
}

async function film(record: string, seat: string | null, edition: string): Promise<unknown> {
  const eyes = Number(seat) || null;
  const told = await ask("film", { record, seat: eyes, language: languageCode(), edition });
  if (told.problem) throw new RequestFailed(422, "bad-record", told.problem);
  return told.film;
}
