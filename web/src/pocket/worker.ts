/**
 * Runs tables of this device: Python in a worker of the browser, which never blocks the page.
 *
 * It does one thing after the other. A step is kept before it is shown; where it cannot be kept, it has not happened.
 */
import type { Calls, Told, ToPage, ToWorker, Trouble } from "./calls";
import { Network, unpackWeights, type NetworkNote } from "./network";
import { release, startProgram } from "./python";
import { fetchRuntime, fetchWeights } from "./runtime";
import { keepSteps, Overtaken, stepsOf, type StepToKeep } from "./shelf";

interface Device {
  open(text: string, code: string, language: string): string;
  load(code: string, text: string): Exclude<Trouble, "parted">;
  adopt(text: string): string;
  answer(path: string, text: string, language: string): string;
  join(number: number, language: string, after?: number): string;
  hear(text: string): string;
  act(): string;
  kept(): string;
  not_kept(): string;
  film(record: string, seat: number | undefined, language: string, edition: string): string;
  readonly due: number | undefined;
  readonly lacks_network: boolean;
  use_network(weigh: (features: PythonBytes, mask: PythonBytes) => number[]): void;
}

interface PythonBytes {
  toJs(): Uint8Array;
}

interface Answer {
  readonly keep: StepToKeep | null;
  readonly messages: readonly string[];
}

/** Who plays by the trained network, and who plays instead where it cannot be fetched. */
const LEARNED = "deep";
const WITHOUT_NETWORK = "sharp";
/** Bots that cannot act, because nothing can be kept, try again after so many milliseconds. */
const TRY_AGAIN = 3_000;

let device: Promise<Device> | null = null;
/** Whether the trained network is there; where it could not be fetched, that is tried again at the next table. */
let network: Promise<boolean> | null = null;
let note: NetworkNote | undefined;
/** Who plays here, and where. */
let joined: { code: string; person: number; language: string } | null = null;
/** Whether the last step could not be kept. */
let isFull = false;
let timer: ReturnType<typeof setTimeout> | undefined;
/** What is done before is done. */
let last: Promise<unknown> = Promise.resolve();

function tell(message: ToPage): void {
  postMessage(message);
}

async function start(): Promise<Device> {
  const program = await fetchRuntime((bytes, total) => tell({ kind: "progress", bytes, total }));
  note = program.network;
  return startProgram(program);
}

/** Have the trained network here; whether it is. */
function bringNetwork(python: Device): Promise<boolean> {
  network ??= loadNetwork(python).catch((error: unknown) => {
    console.warn(error);
    return false;
  });
  return network;
}

async function loadNetwork(python: Device): Promise<boolean> {
  if (!note) return false;
  const packed = await fetchWeights(note, (bytes, total) =>
    tell({ kind: "progress", bytes, total }),
  );
  const data = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const halves = await new Response(data).arrayBuffer();
  const made = new Network(unpackWeights(halves), note);
  release(halves);
  python.use_network((features, mask) => made.weigh(features.toJs(), mask.toJs()));
  return true;
}

function ready(): Promise<Device> {
  device ??= start();
  device.catch(() => (device = null));
  return device;
}

const CALLS: { [Name in keyof Calls]: (asked: Calls[Name][0]) => Promise<Calls[Name][1]> } = {
  async start() {
    await ready();
  },

  async open({ code, language, ...table }) {
    const python = await ready();
    leave();
    const { options } = table;
    if (options.stand_in === LEARNED && !(await bringNetwork(python)))
      table.options = { ...options, stand_in: WITHOUT_NETWORK };
    const answer = JSON.parse(python.open(JSON.stringify(table), code, language)) as {
      keep: StepToKeep[];
      problem: string;
    };
    if (answer.problem) return { problem: answer.problem };
    await keepSteps(code, answer.keep);
    return { problem: "" };
  },

  async join({ code, person, language, after }) {
    const python = await ready();
    leave();
    const steps = await stepsOf(code);
    if (!steps.length) return { problem: "gone" };
    const problem = python.load(code, JSON.stringify(steps));
    if (problem) return { problem };
    joined = { code, person, language };
    await carryOut(python, python.join(person, language, after ?? undefined));
    return { problem: "" };
  },

  async adopt({ text }) {
    const python = await ready();
    const { code, keep, problem } = JSON.parse(python.adopt(text)) as {
      code: string;
      keep: readonly StepToKeep[];
      problem: Trouble;
    };
    if (problem) return { code, problem };
    const here = await stepsOf(code);
    const isSame = here
      .slice(0, keep.length)
      .every(({ at, events }, index) => at === keep[index]!.at && events === keep[index]!.events);
    if (!isSame) return { code, problem: "parted" };
    if (joined?.code === code) leave();
    await keepSteps(code, keep.slice(here.length));
    return { code, problem: "" };
  },

  async answer({ path, text, language }) {
    const python = await ready();
    return JSON.parse(python.answer(path, text, language)) as { value: unknown; problem: string };
  },

  async hear({ text }) {
    const python = await ready();
    if (joined) await carryOut(python, python.hear(text));
  },

  async leave() {
    leave();
  },

  async film({ record, seat, language, edition }) {
    const python = await ready();
    return JSON.parse(python.film(record, seat ?? undefined, language, edition)) as Told;
  },
};

async function act(python: Device): Promise<void> {
  if (python.lacks_network) await bringNetwork(python);
  if (joined) await carryOut(python, python.act());
}

function leave(): void {
  clearTimeout(timer);
  void network?.then((isThere) => isThere || (network = null));
  joined = null;
}

/** Keep what is to be kept, and then show what may be shown. */
async function carryOut(python: Device, text: string): Promise<void> {
  const answer = JSON.parse(text) as Answer;
  for (const message of answer.messages) tell({ kind: "message", text: message });
  if (answer.keep && joined) {
    try {
      await keepSteps(joined.code, [answer.keep]);
    } catch (error) {
      return recover(python, error);
    }
    if (isFull) tell({ kind: "full", isFull: (isFull = false) });
    return carryOut(python, python.kept());
  }
  setTimer(python);
}

async function recover(python: Device, error: unknown): Promise<void> {
  const answer = JSON.parse(python.not_kept()) as Answer;
  for (const message of answer.messages) tell({ kind: "message", text: message });
  if (error instanceof Overtaken && joined) {
    // Another tab was faster: see what has happened there.
    const { code, person, language } = joined;
    python.load(code, JSON.stringify(await stepsOf(code)));
    return carryOut(python, python.join(person, language));
  }
  isFull = true;
  tell({ kind: "full", isFull });
  setTimer(python, TRY_AGAIN);
}

function setTimer(python: Device, least = 0): void {
  clearTimeout(timer);
  const due = python.due;
  if (due === undefined || due === null || !joined) return;
  timer = setTimeout(() => void inTurn(() => act(python)), Math.max(least, due - Date.now()));
}

function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  const done = last.then(work, work);
  last = done.catch(() => undefined);
  return done;
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  const { id, call, asked } = data;
  const work = CALLS[call] as (asked: unknown) => Promise<unknown>;
  inTurn(() => work(asked)).then(
    (answer) => tell({ kind: "answer", id, answer }),
    (error: unknown) => tell({ kind: "failed", id, why: String(error) }),
  );
});
