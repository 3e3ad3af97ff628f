import { editions } from "./make/editions.ts";
import { words } from "./make/plugin.ts";
import { pocket } from "./make/pocket.ts";
import { rulebook } from "./make/rulebook.ts";
import { worker } from "./make/worker.ts";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const BASE =
  /node_modules|\/web\/src\/(parts|words)\/|\/web\/src\/(api|routes|settings|screens)\.|setup\.svelte\.ts|virtual:editions/;

export default defineConfig({
  experimental: {
    // Scripts find each other wherever the site lies; only its first page says where that is.
    renderBuiltUrl: (_file, { hostType }) => (hostType === "html" ? undefined : { relative: true }),
  },
  plugins: [svelte(), words(), editions(), rulebook(), pocket(), worker()],
  worker: {
    format: "es",
    plugins: () => [pocket()],
    // By its name the server knows for which script WebAssembly is allowed.
    rolldownOptions: { output: { entryFileNames: "assets/pocket-[hash].js" } },
  },
  build: {
    outDir: "../src/phaseten/server/site",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the content policy allows no data: scripts or styles
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ["index.html", "src/worker/worker.ts"],
      // A service worker serves what lies below it, under a name that stays.
      output: {
        entryFileNames: ({ name }) => (name === "worker" ? "worker.js" : "assets/[name]-[hash].js"),
        // What nearly every screen needs comes in one piece instead of twenty.
        codeSplitting: { groups: [{ name: "base", test: BASE }] },
      },
    },
  },
  server: {
    proxy: {
      "/api": { target: `http://127.0.0.1:${process.env["PHASETEN_PORT"] ?? "8010"}`, ws: true },
    },
  },
});
