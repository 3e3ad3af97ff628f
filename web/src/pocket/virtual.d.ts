declare module "virtual:pocket" {
  const pocket: {
    /** In the site, such as `assets/pocket-…`. */
    readonly folder: string;
    readonly files: readonly { readonly name: string; readonly bytes: number }[];
    /** What Pyodide wants to know of itself. */
    readonly info: object;
  };
  export default pocket;
}
