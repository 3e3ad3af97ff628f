import { editions } from "./make/editions.ts";
import { words } from "./make/plugin.ts";
import { rulebook } from "./make/rulebook.ts";
import { worker } from "./make/worker.ts";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const BASE =
  /node_modules|\/web\/src\/(parts|words)\/|\/web\/src\/(api|routes|settings|screens)\.|setup\.svelte\.ts|virtual:editions/;

export default defineConfig({
  plugins: [svelte(), words(), editions(), rulebook(), worker()],
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
