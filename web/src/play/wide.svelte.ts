/** Whether there is room to sit around the table: a wide screen that is not a phone on its side. */
import { MediaQuery } from "svelte/reactivity";

export const wide = new MediaQuery("(width >= 64rem) and (height >= 34rem)");
