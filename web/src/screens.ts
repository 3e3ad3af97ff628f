/** The screens, each loaded when it is first shown. */
import type { Component } from "svelte";

// A screen of any props: routes.svelte.ts gives each its own.
type Screen = Component<any>;

const FILES = import.meta.glob<{ default: Screen }>("./screens/*.svelte");

export async function loadScreen(name: string): Promise<Screen> {
  const load = FILES[`./screens/${name}.svelte`] ?? FILES["./screens/Missing.svelte"]!;
  return (await load()).default;
}
