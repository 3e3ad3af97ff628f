/** Where the client lies, and whether there is a server behind it. */

/** Whether these are files on any web host (`phaseten pages`): everything happens on this device then. */
export const IS_WITHOUT_SERVER = document.querySelector('meta[name="phaseten-pages"]') !== null;

/** The folder of the first page, with a slash at its end. */
export const ROOT = IS_WITHOUT_SERVER
  ? new URL("./", document.baseURI).href
  : `${window.location.origin}/`;
