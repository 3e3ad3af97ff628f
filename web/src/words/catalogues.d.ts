declare module "virtual:words/*" {
  const catalogue: {
    title: string;
    one: readonly number[];
    sentences: { readonly [name: string]: string | { one: string; other: string } };
  };
  export default catalogue;
}
