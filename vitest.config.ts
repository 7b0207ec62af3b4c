// Which tests run together: small ones beside the rules, sockets and SQLite next, real terminals last.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: "forks",
    maxWorkers: 2,
    include: ["tests/**/*.test.ts", "tests/**/*.test.tsx"],
    env: { FORCE_COLOR: "3", TZ: "UTC" },
  },
});
