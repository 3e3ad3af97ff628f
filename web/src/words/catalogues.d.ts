declare module "virtual:words/*" {
  const catalogue: {
    title: string;
    sentences: { readonly [name: string]: string | { one: string; other: string } };
  };
  export default catalogue;
}
