declare module "virtual:rulebook/*" {
  const sections: readonly import("../../make/rulebook").Section[];
  export default sections;
}
