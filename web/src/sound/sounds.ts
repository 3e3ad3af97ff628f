/** Paper, wood and one soft chime, made by the browser itself. Nothing is loaded. */
import { settings } from "../settings.svelte";

export type Sound = "paper" | "wood" | "chime" | "glad";

let context: AudioContext | null = null;

/** Sounds may begin only after a first touch; before that there is silence. */
function open(): AudioContext | null {
  if (!settings.sound) return null;
  const touched = navigator.userActivation?.hasBeenActive ?? true;
  if (!context && touched) context = new AudioContext();
  if (context?.state === "suspended") void context.resume();
  return context;
}

/** Heard when the next frame has been shown: what is seen comes first, and audio takes long to open. */
export function sound(name: Sound): void {
  // A page that nobody sees has no frames, and only what calls somebody back is heard from it.
  if (document.hidden) {
    if (name === "chime") make(name);
    return;
  }
  requestAnimationFrame(() => window.setTimeout(() => make(name)));
}

function make(name: Sound): void {
  const audio = open();
  if (!audio) return;
  if (name === "paper") rustle(audio, 2600, 0.09, 0.1);
  else if (name === "wood") knock(audio);
  else if (name === "chime") [660, 880].forEach((tone, index) => ring(audio, tone, index * 0.12));
  else [523, 659, 784, 1047].forEach((tone, index) => ring(audio, tone, index * 0.14));
}

/** Some cards are put down, one by one. */
export function knocks(count: number): void {
  for (let number = 0; number < Math.min(count, 10); number++)
    window.setTimeout(() => sound("wood"), number * 70);
}

/** A short tremble where the device can. */
export function tremble(pattern: number | number[]): void {
  if (settings.vibration && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

/** A breath of filtered noise: a card slides over another. */
function rustle(audio: AudioContext, tone: number, length: number, volume: number): void {
  const samples = Math.ceil(audio.sampleRate * length);
  const buffer = audio.createBuffer(1, samples, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let index = 0; index < samples; index++) data[index] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: tone, Q: 0.8 });
  source.connect(filter).connect(fade(audio, volume, 0, length));
  source.start();
}

/** A card is put down on the table. */
function knock(audio: AudioContext): void {
  rustle(audio, 900, 0.05, 0.14);
  const tone = new OscillatorNode(audio, { type: "sine", frequency: 170 });
  tone.frequency.exponentialRampToValueAtTime(80, audio.currentTime + 0.08);
  tone.connect(fade(audio, 0.16, 0, 0.1));
  tone.start();
  tone.stop(audio.currentTime + 0.12);
}

function ring(audio: AudioContext, frequency: number, after: number): void {
  const tone = new OscillatorNode(audio, { type: "sine", frequency });
  tone.connect(fade(audio, 0.07, after, 0.7));
  tone.start(audio.currentTime + after);
  tone.stop(audio.currentTime + after + 0.75);
}

function fade(audio: AudioContext, volume: number, after: number, length: number): GainNode {
  const gain = new GainNode(audio, { gain: 0 });
  const start = audio.currentTime + after;
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  gain.connect(audio.destination);
  return gain;
}
