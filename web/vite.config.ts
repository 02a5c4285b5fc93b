import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const SERVER = process.env.ODDSMITH_URL ?? "http://127.0.0.1:8077";

export default defineConfig({
  plugins: [svelte()],
  base: "./", // files name each other relatively, and the page has a <base>: the server may be mounted under any prefix
  build: {
    outDir: "../src/oddsmith/pages",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { "/api": { target: SERVER, ws: true } } },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  test: {
    environment: "node", // a file that needs a page says so in its first line: making one takes longer than most tests
    include: ["src/**/*.test.ts"],
    restoreMocks: true,
  },
});
