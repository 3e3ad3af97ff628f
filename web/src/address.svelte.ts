/** Where others find this server. Who sits at its own machine calls it localhost, and that is wrong for them. */
import { get } from "./api";
import type { Address } from "./protocol";

const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;

let base = $state(location.origin);
let isAsked = false;

/** The link to a page of ours, to be given away. */
export function linkTo(path: string): string {
  if (!isAsked && LOOPBACK.test(location.hostname)) void ask();
  return base + path;
}

async function ask(): Promise<void> {
  isAsked = true;
  try {
    base = (await get<Address>("/address")).base;
  } catch {
    isAsked = false; // without the network nothing is given away either
  }
}
