/** The page on the whole screen, where the browser allows it. */
export function canFillScreen(): boolean {
  return document.fullscreenEnabled;
}

export async function toggleFullScreen(): Promise<void> {
  if (!canFillScreen()) return;
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await document.documentElement.requestFullscreen();
  } catch {
    // The browser has its reasons: the page stays as large as it is.
  }
}
