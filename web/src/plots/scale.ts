/** Where a value stands on an axis, and which values are written beside it. */

/** How much larger than usual the letters are: a plot grows with them. */
export function letterSize(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

/** Round values from 0 to at least `most`: about `wanted` steps of 1, 2, 2.5 or 5 times a power of ten. */
export function ticks(most: number, wanted = 4, whole = true): number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [1, 2, 2.5, 5, 10].map((factor) => factor * power);
  const fits = (step: number) => step >= rough * 0.999 && (!whole || Number.isInteger(step));
  const step = steps.find(fits) ?? 1;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** Every so many of `count` columns bears its number, so that they stand apart by at least `room`. */
export function spacing(count: number, width: number, room: number): number {
  const least = (room * count) / Math.max(width, 1);
  return [1, 2, 5, 10, 20, 50].find((step) => step >= least) ?? 100;
}
