/**
 * A look of the trained network, with typed arrays: some hundred times faster than Python in a browser.
 *
 * Python writes what a seat sees and which actions it has, and takes what is liked best (`network.py`). What lies where among
 * the weights, and what is done with them, `look.py` tells; the same numbers come out as there.
 */

/** What the build wrote about the weights. */
export interface NetworkNote {
  readonly sha256: string;
  readonly bytes: number;
  readonly width: number;
  readonly layers: number;
}

/** Added to a variance, as in training. */
const SMALLEST = 1e-5;

/** The weights as they are kept: numbers of two bytes each. */
export function unpackWeights(data: ArrayBuffer): Float32Array {
  const halves = new Uint16Array(data);
  const values = Float32Array.from({ length: 1 << 16 }, (_, half) => ofHalf(half));
  const weights = new Float32Array(halves.length);
  for (let at = 0; at < halves.length; at++) weights[at] = values[halves[at]!]!;
  return weights;
}

function ofHalf(half: number): number {
  const sign = half >> 15 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction);
}

export class Network {
  readonly #weights: Float32Array;
  readonly #width: number;
  readonly #layers: number;

  constructor(weights: Float32Array, { width, layers }: Pick<NetworkNote, "width" | "layers">) {
    this.#weights = weights;
    this.#width = width;
    this.#layers = layers;
  }

  /** How much each action of the mask is liked; of the others it is not asked. */
  weigh(features: Uint8Array, mask: Uint8Array): number[] {
    const width = this.#width;
    const x = Float64Array.from(this.#weights.subarray(0, width));
    features.forEach((much, row) => much && this.#add(x, width * (1 + row), much));
    let at = width * (1 + features.length);
    for (let layer = 0; layer < this.#layers; layer++) {
      const y = normalised(x);
      const sums = Float64Array.from(this.#weights.subarray(at + width * width).subarray(0, width));
      for (let row = 0; row < width; row++) this.#add(sums, at + width * row, y[row]!);
      for (let i = 0; i < width; i++) x[i]! += Math.max(0, sums[i]!);
      at += width * (width + 1);
    }
    const y = normalised(x);
    return Array.from(mask, (can, action) => {
      let liked = can ? this.#weights[at + width * mask.length + action]! : 0;
      if (can)
        for (let i = 0; i < width; i++) liked += this.#weights[at + width * action + i]! * y[i]!;
      return liked;
    });
  }

  /** Add so much of the row that begins there. */
  #add(sums: Float64Array, at: number, much: number): void {
    const weights = this.#weights;
    for (let i = 0; i < sums.length; i++) sums[i]! += much * weights[at + i]!;
  }
}

/** The numbers moved and stretched to a mean of 0 and a variance of 1. */
function normalised(x: Float64Array): Float64Array {
  const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
  const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
  const stretch = 1 / Math.sqrt(variance + SMALLEST);
  return x.map((value) => (value - mean) * stretch);
}
