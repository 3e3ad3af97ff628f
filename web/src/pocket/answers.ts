/** What this device answers itself of what is otherwise asked of a server: its own games, and films of records. */
import { post, RequestFailed } from "../api";
import { IS_WITHOUT_SERVER } from "../place";
import type { ListedGame } from "../protocol";
import { languageCode, say } from "../words";
import { failed } from "./opening";
import { ask } from "./pocket.svelte";
import { isKept } from "./runtime";
import { forgetGame, localGame, localGames, localTables, type LocalGame } from "./shelf";

/** The answer to a request; lists go through `withLocal` where there is a server too. */
export async function answerHere(method: string, path: string, body?: unknown): Promise<unknown> {
  const { pathname, searchParams } = new URL(path, "http://here");
  const [kind = "", id = "", what = ""] = pathname.slice(1).split("/");
  if (kind === "mine") return localTables().catch(() => []);
  if (kind === "games" && !id) return withLocal([]);
  if (kind === "replay") return film(String(body), searchParams.get("seat"), "");
  if (["statistics", "editions", "puzzles"].includes(kind)) return worked(kind, pathname, body);
  if (["moment", "position"].includes(kind)) return worked(kind, path, body);
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

function listed({ id, code, ended, about, seat = 1 }: LocalGame): ListedGame {
  return { id, code, ended, about, seat, host: true };
}

/** What the worker makes of what is kept here, or of what is sent. */
async function worked(kind: string, path: string, body: unknown): Promise<unknown> {
  const games = (await localGames().catch(() => [])).map(({ record: _, ...game }) => game);
  const text = kind === "statistics" ? JSON.stringify(games) : String(body ?? "");
  const { value, problem } = await ask("answer", { path, text, language: languageCode() }).catch(
    (error: Error) => {
      throw failed(error);
    },
  );
  if (problem) throw new RequestFailed(422, "refused", problem);
  return value;
}

async function film(record: string, seat: string | null, edition: string): Promise<unknown> {
  // Where there is a server, nobody waits for Python on this device only to watch.
  if (!IS_WITHOUT_SERVER && !(await isKept())) return post(`/replay?seat=${seat ?? "all"}`, record);
  const eyes = Number(seat) || null;
  const told = await ask("film", { record, seat: eyes, language: languageCode(), edition });
  if (told.problem) throw new RequestFailed(422, "bad-record", told.problem);
  return told.film;
}
