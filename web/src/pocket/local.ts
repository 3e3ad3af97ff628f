/** By what tables and games of this device are known from a server's: their names begin with a 0, which those never have. */
import { IS_WITHOUT_SERVER } from "../place";

const LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const LENGTH = 7;

/** Whether a table of that code, or a game of that name, is on this device alone. */
export function isLocal(name: string): boolean {
  return name.startsWith("0");
}

export function newLocalCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  return `0${[...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join("")}`;
}

/** Whether this device answers what is asked there: no server has to. */
export function isAnsweredHere(path: string): boolean {
  const [, kind = "", name = ""] = path.split(/[/?]/);
  return IS_WITHOUT_SERVER || (kind === "games" && isLocal(name));
}
