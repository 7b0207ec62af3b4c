/** Archives and exports killed at random moments and restarted with the same line: no message is lost or duplicated. */
import { readFileSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { BIG_ROOM, makeBigRoom } from "../support/big-room.ts";
import { Home } from "../support/home.ts";
import { drawnSeed, runs } from "../support/proof.ts";
import { dice } from "../support/seeded.ts";
import { TEST_PATIENCE } from "../support/patience.ts";

vi.setConfig({ testTimeout: runs(600_000, TEST_PATIENCE) });

const MESSAGES = runs(40_000, 4000);
const KILLS = runs(12, 3);
const THREADS = 20;

const seed = drawnSeed("archives that are killed");
const chance = dice(seed);
let home: Home;
/** The text of an undisturbed export, and the milliseconds its archive took. */
let wholeExport: string;
let archiveMs: number;

const text = (file: string): string => readFileSync(path.join(home.folder, file), "utf8");
async function ok(line: string): Promise<string> {
  const { code, out, err } = await home.run(line.split(" "));
  expect([line, code, err]).toEqual([line, 0, expect.not.stringContaining("error:")]);
  return out;
}

/** Kills the run at random moments until one run completes; returns the number of kills. */
async function runWithKills(line: string, retryLine = line): Promise<number> {
  for (let killed = 0; killed < KILLS; killed++) {
    const running = home.start((killed === 0 ? line : retryLine).split(" "));
    const timer = setTimeout(() => running.child.kill("SIGKILL"), archiveMs * (0.15 + 0.7 * chance.float()));
    const code = await running.ended;
    clearTimeout(timer);
    if (code === 0 || wasDone(killed, code, running.err)) return killed;
    expect([code, running.err]).toEqual([null, expect.not.stringContaining("error:")]);
  }
  const last = await home.run(retryLine.split(" "));
  expect(last.code === 0 || wasDone(KILLS, last.code, last.err)).toBe(true);
  return KILLS;
}

/** A kill may come after the last line was written but before the process ended: the next run then finds the work done. */
const wasDone = (killed: number, code: number | null, err: string): boolean =>
  killed > 0 && code === 6 && err.includes("holds an archive already");

beforeAll(async () => {
  home = new Home({ user: "ada" });
  makeBigRoom(home.data, MESSAGES);
  await home.up();
  for (let n = 1; n <= THREADS; n++) {
    const parent = `m${Math.ceil((n * MESSAGES) / THREADS)}`;
    for (const who of ["bob", "cyd"]) {
      await home.say(BIG_ROOM, who, { id: `r-${who}-${n}`, text: `to ${parent}`, parent_id: parent });
      await home.call("POST", `/messages/${parent}/reaction`, { reaction: { type: "like" } }, who);
    }
  }
  const began = performance.now();
  await ok("archive create whole");
  archiveMs = performance.now() - began;
  await ok("export --from whole --out whole.ndjson");
  wholeExport = text("whole.ndjson");
}, 600_000);
afterAll(() => home.end());

test(`an export contains every message and every reply exactly once (seed ${seed})`, () => {
  const ids = wholeExport
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; replies?: { id: string }[] })
    .flatMap(({ id, replies = [] }) => [id, ...replies.map((reply) => reply.id)]);
  const expected = [
    ...Array.from({ length: MESSAGES }, (_, n) => `m${n + 1}`),
    ...Array.from({ length: THREADS }, (_, n) => [`r-bob-${n + 1}`, `r-cyd-${n + 1}`]).flat(),
  ];
  expect(ids.toSorted()).toEqual(expected.toSorted());
});

test("an archive killed at random moments is completed by running the same command again, and equals an undisturbed one", async () => {
  // If the run is now faster than the first one and ends before the kill, kill the next one sooner.
  while ((await runWithKills("archive create kept")) === 0) {
    rmSync(path.join(home.folder, "kept"), { recursive: true });
    archiveMs *= 0.7;
  }
  await ok("archive verify kept");
  await ok("export --from kept --out kept.ndjson");
  expect(text("kept.ndjson") === wholeExport).toBe(true);
});

test("an archive killed after its messages but before its manifest was written is completed by the same command", async () => {
  await ok("archive create ended");
  rmSync(path.join(home.folder, "ended", "manifest.json"));
  await ok("archive create ended");
  await ok("archive verify ended");
  expect(await home.run(["archive", "create", "ended"])).toMatchObject({ code: 6 });
  await ok("export --from ended --out ended.ndjson");
  expect(text("ended.ndjson") === wholeExport).toBe(true);
});

test("a killed export leaves no partial file, and --resume completes it", async () => {
  const line = "export --out direct.ndjson";
  // A run that had written everything before the kill has left a whole file: then the next one is killed sooner.
  for (let wait = archiveMs * 0.6; ; wait *= 0.7) {
    const first = home.start(line.split(" "));
    await new Promise((resolve) => setTimeout(resolve, wait));
    first.child.kill("SIGKILL");
    await first.ended;
    if (!readdirSync(home.folder).includes("direct.ndjson")) break;
    expect(text("direct.ndjson") === wholeExport).toBe(true);
    rmSync(path.join(home.folder, "direct.ndjson"));
  }
  await runWithKills(`${line} --resume`);
  expect(text("direct.ndjson") === wholeExport).toBe(true);
});

test("a killed archive update, when repeated, adds new and changed messages exactly once", async () => {
  await home.call("POST", "/messages/m4", { message: { text: "changed" } }, "bob");
  for (let n = 1; n <= 150; n++) await home.say(BIG_ROOM, "bob", { id: `new-${n}`, text: `new ${n}` });
  await runWithKills("archive update kept --look-back 3650d");
  await ok("archive verify kept");
  await ok("archive create fresh");
  await ok("export --from kept --out updated.ndjson");
  await ok("export --from fresh --out fresh.ndjson");
  expect(text("updated.ndjson").match(/"id":"new-\d+"/g)).toHaveLength(150);
  expect(text("updated.ndjson") === text("fresh.ndjson")).toBe(true);
});
