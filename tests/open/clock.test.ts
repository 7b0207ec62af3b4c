/** The clock of the host: the machine's, and what the embedded provider's is ahead, without a look at files for each question. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createHost } from "../../src/open.ts";
import { writeClockOffset } from "../../src/provider/lifecycle/identity.ts";

const NOW = Date.UTC(2026, 10, 30);
const AHEAD = 86_400_000;

let home: string;
const config = (): string => path.join(home, "config", "parley", "config.json");

beforeEach(() => {
  vi.spyOn(Date, "now").mockReturnValue(NOW);
  home = mkdtempSync(path.join(os.tmpdir(), "parley-clock-"));
  mkdirSync(path.dirname(config()), { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, { recursive: true });
});

const host = (flags: Record<string, unknown> = {}) =>
  createHost({
    flags,
    env: { HOME: home, XDG_CONFIG_HOME: path.join(home, "config"), XDG_DATA_HOME: path.join(home, "data") },
    cwd: home,
    version: "0.0.0",
    launcher: "",
  });

test("reads no configuration to tell the time while no clock is ahead", () => {
  const { now } = host();
  writeFileSync(config(), "{ not JSON");
  expect(now()).toBe(NOW);
});

test("adds what the embedded provider's clock is ahead, and nothing for a hosted one", () => {
  const folder = path.join(home, "data", "parley", "local");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeClockOffset(folder, AHEAD);
  const work = { kind: "command", command: "true", url: "https://chat.example.org", key: "k", user: "ana" };
  writeFileSync(config(), JSON.stringify({ profiles: { work } }));
  expect([host().now(), host({ profile: "work" }).now()]).toEqual([NOW + AHEAD, NOW]);
});
