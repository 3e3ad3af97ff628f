/**
 * SHA-256 and HMAC, to check the shuffles. The browser's own are there on https pages only, and most
 * tables stand in a living room: http, on a laptop's address.
 */
const K = constants();

/** The first 32 bits of the fractions of the cube roots of the first 64 primes. */
function constants(): Uint32Array {
  const found: number[] = [];
  for (let candidate = 2; found.length < 64; candidate++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
      if (candidate % divisor === 0) isPrime = false;
    }
    if (isPrime) found.push(fraction(Math.cbrt(candidate)));
  }
  return Uint32Array.from(found);
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0;
}

const START = Uint32Array.from([2, 3, 5, 7, 11, 13, 17, 19], (prime) => fraction(Math.sqrt(prime)));

export function sha256(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = data.length;
  const padded = new Uint8Array(((length + 72) >> 6) << 6);
  padded.set(data);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(padded.length - 4, length << 3);
  const state = START.slice();
  const words = new Uint32Array(64);
  for (let start = 0; start < padded.length; start += 64) {
    for (let index = 0; index < 16; index++) words[index] = view.getUint32(start + index * 4);
    compress(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

function compress(state: Uint32Array, words: Uint32Array): void {
  for (let t = 16; t < 64; t++) {
    const near = words[t - 2]!;
    const far = words[t - 15]!;
    const s1 = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
    const s0 = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
    words[t] = s1 + words[t - 7]! + s0 + words[t - 16]!;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
  for (let t = 0; t < 64; t++) {
    const S1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + S1 + ((e & f) ^ (~e & g)) + K[t]! + words[t]!) | 0;
    const S0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (S0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = state[index]! + word));
}

type Eight = [number, number, number, number, number, number, number, number];

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(
    joined(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    joined(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
