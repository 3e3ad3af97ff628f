import type { DiscardData, HitData, LayData } from "../../protocol";

/** Something that has to be chosen before it can be done. */
export type Question =
  | { readonly kind: "lay"; readonly ways: readonly LayData[] }
  | { readonly kind: "hit"; readonly ways: readonly HitData[] }
  | { readonly kind: "skip"; readonly ways: readonly DiscardData[] }
  | { readonly kind: "wild"; readonly ways: readonly DiscardData[] };
