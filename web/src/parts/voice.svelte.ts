/** What is spoken to those who listen to the page. A dialog silences the rest of the page, so it has a region of its own. */
export const voice = $state({ spoken: "" });
