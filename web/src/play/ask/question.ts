import type { DiscardForm, HitForm, LayForm } from "../../protocol";

/** Something that has to be chosen before it can be done. */
export type Question =
  | { readonly kind: "lay"; readonly ways: readonly LayForm[] }
  | { readonly kind: "hit"; readonly ways: readonly HitForm[] }
  | { readonly kind: "skip"; readonly ways: readonly DiscardForm[] }
  | { readonly kind: "wild"; readonly ways: readonly DiscardForm[] };
