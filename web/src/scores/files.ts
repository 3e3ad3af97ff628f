/** A sheet as a file: a table for spreadsheets, or a picture. */

/** Let the browser keep something as a file. */
export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the address after this.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** `phaseten-2026-11-15.csv`. */
export function fileName(ending: string): string {
  return `phaseten-${new Date().toISOString().slice(0, 10)}.${ending}`;
}
