/**
 * Marks what a finger or a mouse is on with `data-pressed`, in the moment it comes down. Browsers wait with
 * `:active` until they know that a finger does not want to scroll, which is too long to feel like an answer.
 */
export function markPressed(): void {
  let pressed: HTMLElement | null = null;

  function release(): void {
    delete pressed?.dataset["pressed"];
    pressed = null;
  }

  document.addEventListener("pointerdown", ({ target }) => {
    release();
    pressed = (target as Element).closest<HTMLElement>("button:enabled, a[href]");
    if (pressed) pressed.dataset["pressed"] = "";
  });
  document.addEventListener("pointerup", release);
  document.addEventListener("pointercancel", release);
}
