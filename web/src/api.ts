/** The server's HTTP interface. */
import { isAnsweredHere } from "./pocket/local";
import { languageCode, say } from "./words";

/** Why a request was not carried out, in a sentence for the player. */
export class RequestFailed extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

export function get<Answer>(path: string): Promise<Answer> {
  return request<Answer>("GET", path);
}

export function post<Answer>(path: string, body?: object | string): Promise<Answer> {
  return request<Answer>("POST", path, body);
}

export function put<Answer>(path: string, body: object): Promise<Answer> {
  return request<Answer>("PUT", path, body);
}

export function remove(path: string, body?: object): Promise<void> {
  return request<void>("DELETE", path, body);
}

/** An answer that comes line by line, until it is whole or the signal says that nobody waits for it. */
export async function* lines<Line>(
  method: string,
  path: string,
  body: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Line> {
  const answer = await ask(method, path, body, signal);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const whole = (rest + value).split("\n");
      rest = whole.pop()!;
      for (const line of whole) yield JSON.parse(line) as Line;
    }
  } catch (error) {
    if (signal.aborted) return;
    throw error instanceof RequestFailed
      ? error
      : new RequestFailed(0, "offline", say("web.problem.offline")); // it broke off on the way
  }
}

/** A file of the server's, such as a record. */
export async function getText(path: string): Promise<string> {
  if (isAnsweredHere(path)) return here<string>("GET", path);
  return (await ask("GET", path)).text();
}

async function request<Answer>(
  method: string,
  path: string,
  body?: object | string,
): Promise<Answer> {
  if (isAnsweredHere(path)) return here<Answer>(method, path, body);
  const answer = await ask(method, path, body);
  if (answer.status === 204) return undefined as Answer;
  return answer.json().catch(() => {
    throw new RequestFailed(0, "offline", say("web.problem.offline")); // it broke off on the way
  }) as Promise<Answer>;
}

/** Ask this device itself. */
async function here<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const { answerHere } = await import("./pocket/answers");
  return (await answerHere(method, path, body)) as Answer;
}

async function ask(
  method: string,
  path: string,
  body?: object | string,
  signal: AbortSignal | null = null,
): Promise<Response> {
  const isText = typeof body === "string";
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, {
      method,
      headers: {
        "accept-language": languageCode(),
        ...(body && { "content-type": isText ? "text/plain" : "application/json" }),
      },
      body: body === undefined ? null : isText ? body : JSON.stringify(body),
      signal,
    });
  } catch {
    throw new RequestFailed(0, "offline", say("web.problem.offline"));
  }
  if (answer.ok) return answer;
  const found: unknown = await answer.json().catch(() => ({}));
  const { reason = "failure", sentence = say("web.problem.failure") } = found as {
    reason?: string;
    sentence?: string;
  };
  throw new RequestFailed(answer.status, reason, sentence);
}
