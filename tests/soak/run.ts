/** The soak: provider, screen, long-poll screen and tail under a steady load for an hour; exits with 1 when one of them keeps growing. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ONE_ARENA } from "../../src/provider/lifecycle/start.ts";
import { Home, PARLEY, until } from "../support/home.ts";
import { CHANNELS, Load, PEOPLE } from "./load.ts";
import { lows, readSamples, slope, type Sample } from "./slope.ts";

const MINUTES = Number(process.env.PARLEY_SOAK_MINUTES ?? 60);
/** Rounds per second; each sends a message and related calls. */
const RATE = Number(process.env.PARLEY_SOAK_RATE ?? 5);
/** Growth is measured from this minute on, when caches are full. */
const FROM = Math.min(15, MINUTES / 4);
/** Allowed growth in bytes per ten minutes. */
const ALLOWED = 0.5 * 1024 * 1024;
/** The memory of a program: outside V8, the heap of its main thread, and the heaps of its other threads. */
const HELD = ["outside", "heapUsed", "threads"] as const;
const PROBE = path.join(import.meta.dirname, "probe.mjs");
/** Folder where V8 writes the heap snapshots requested with `kill -USR2 <pid>`. */
const OUT = process.env.PARLEY_SOAK_OUT ?? process.cwd();

const home = new Home();
const file = (name: string): string => path.join(home.folder, `${name}.csv`);
const flags = ["--expose-gc", "--import", PROBE, "--heapsnapshot-signal=SIGUSR2", `--diagnostic-dir=${OUT}`];
const watched = (name: string): Record<string, string> => ({
  PARLEY_SOAK_FILE: file(name),
  NODE_OPTIONS: flags.join(" "),
});

const names = ["provider", "screen", "long-poll screen", "tail"] as const;
// Started like the background provider.
const provider = spawn(process.execPath, [PARLEY, "serve"], {
  env: { ...ONE_ARENA, ...home.env, ...watched("provider") },
  stdio: "ignore",
});
await until("the provider", () => home.provider(), 20_000);
for (const channel of CHANNELS) await home.channel(channel, PEOPLE);
const screens = [
  home.screen(["chat", "messaging:general"], { env: watched("screen") }),
  home.screen(["chat", "messaging:general", "--as", "bob", "--transport", "longpoll"], {
    env: watched("long-poll screen"),
  }),
];
const tail = spawn(process.execPath, [PARLEY, "tail", "#general", "--as", "cy"], {
  env: { ...home.env, ...watched("tail") },
  stdio: "ignore",
});
for (const screen of screens) await screen.waitFor("● online", 20_000);
console.log(`provider ${provider.pid}, tail ${tail.pid}; ${MINUTES} minutes, ${RATE} turns a second`);

const load = new Load(home);
const started = performance.now();
const end = started + MINUTES * 60_000;
let said = started;
for (let next = started; next < end; next += 1000 / RATE) {
  const left = next - performance.now();
  if (left > 0) await new Promise((done) => setTimeout(done, left));
  await load.step();
  if (performance.now() - said > 60_000) {
    said = performance.now();
    report(0);
  }
}
const worst = report(FROM);
await Promise.all(screens.map((screen) => screen.close()));
tail.kill();
provider.kill();
await home.end();
console.log(
  `${load.sent} messages; the steepest program grows ${(worst / 1024 / 1024).toFixed(2)} MiB in ten minutes`,
);
process.exit(worst > ALLOWED ? 1 : 0);

/**
 * Prints one line per program and returns the steepest growth of its memory, in bytes per ten minutes. V8 reserves and
 * releases pages depending on the load of the machine, and each thread collects at its own time: so the lowest values of
 * each part are used, and pages that V8 keeps free are printed as resident memory but do not count.
 */
function report(from: number): number {
  let steepest = -Infinity;
  const mib = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
  for (const name of names) {
    if (!existsSync(file(name))) continue;
    const samples = readSamples(readFileSync(file(name), "utf8"));
    const last = samples.at(-1);
    if (!last) continue;
    const rise = (of: keyof Sample): number => slope(lows(samples, of, from * 60)) * 10;
    const held = HELD.reduce((sum, of) => sum + rise(of), 0);
    const parts = [...HELD, "rss" as const].map((of) => `${of} ${mib(last[of])} (${mib(rise(of))})`);
    console.log(
      `${(last.at / 60).toFixed(1)} min  ${name.padEnd(16)} grows by ${mib(held)} MiB in ten minutes: ${parts.join(", ")}`,
    );
    if (held > steepest) steepest = held;
  }
  return steepest;
}
