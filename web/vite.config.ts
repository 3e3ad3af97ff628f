import { words } from "./make/plugin.ts";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte(), words()],
  build: {
    outDir: "../src/phaseten/server/site",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the content policy allows no data: scripts or styles
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { "/api": { target: `http://127.0.0.1:${process.env["PHASETEN_PORT"] ?? "8010"}`, ws: true } },
  },
});
