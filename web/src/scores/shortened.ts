/** As much of a name as there is room for; a letter or an emoji of several signs is never cut in half. */
export function shortened(name: string, room: number): string {
  const most = Math.max(3, Math.floor(room / 12));
  const letters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : name;
}
