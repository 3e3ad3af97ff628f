declare module "virtual:editions" {
  const editions: readonly {
    readonly name: string;
    readonly title: string;
    /** The fewest and the most players. */
    readonly players: readonly [number, number];
    readonly variations: readonly string[];
    readonly phases: readonly string[];
  }[];
  export default editions;
}
