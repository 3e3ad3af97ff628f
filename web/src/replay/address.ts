/** A moment in an address: `/replay/ID?seat=2#step-120`. Steps count from 1, as they are shown. */
import type { Place } from "../routes.svelte";
import type { Eyes } from "./source";

/** `/replay/ID?coach` opens what the coach says. */
export const COACH = "coach";

export function momentOf(path: string, eyes: Eyes, index: number): string {
  return `${path}?seat=${eyes ?? "all"}#step-${index + 1}`;
}

export function eyesIn({ query }: Place): Eyes {
  return Number(query.get("seat")) || null;
}

export function indexIn({ hash }: Place): number {
  const step = /^step-(\d{1,6})$/.exec(hash)?.[1];
  return step ? Number(step) - 1 : 0;
}
