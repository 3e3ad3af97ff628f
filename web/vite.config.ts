import { editions } from "./make/editions.ts";
import { words } from "./make/plugin.ts";
import { pocket } from "./make/pocket.ts";
import { rulebook } from "./make/rulebook.ts";
import { worker } from "./make/worker.ts";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const BASE = new RegExp(
  [
    "node_modules|virtual:(editions|pocket)",
    "/web/src/(parts|words)/",
    "/web/src/(api|routes|settings|screens|address)\\.",
    "/web/src/start/(setup|tables|seating|GameChoices)\\.",
    "/web/src/pocket/(early|holder|Loading|opening|pocket|runtime|shelf|transport)\\.",
    "/web/src/play/(connection|leaving|memory|over/witness)",
    "/web/src/cards/Fan\\.",
  ].join("|"),
);
/** What tables, replays and lessons are made of; each screen gets what it needs of it, in pieces that are worth a request. */
const TABLE = /\/web\/src\/(cards|look|motion|play|sound)\//;

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
        // What nearly every screen needs comes in one piece instead of twenty, and what tables and replays share in few:
        // each piece costs its headers too, and what is small is packed badly.
        codeSplitting: {
          groups: [
            { name: "base", test: BASE, priority: 2 },
            { name: "plots", test: /\/web\/src\/plots\//, priority: 1, minShareCount: 2 },
            {
              name: "table",
              test: TABLE,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 12_000,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      "/api": { target: `http://127.0.0.1:${process.env["PHASETEN_PORT"] ?? "8010"}`, ws: true },
    },
  },
});
