/** What reading costs in a workspace of 1,000 channels: switching channels, scrolling a page, searching, visible pictures. */
import type { Pty } from "../support/pty.ts";
import { png } from "../support/picture-files.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { UNTIL_IDLE, median, sleep } from "./measure.ts";
import type { Figure } from "./report.ts";
import { Stage, type Stats } from "./stage.ts";
import { localUser } from "./typing.bench.ts";

const CHANNELS = 1000;
const MESSAGES = 20_000;
const ROUNDS = 20;

export async function run(): Promise<Figure[]> {
  const stage = new Stage().start();
  try {
    const me = localUser(stage);
    await workspace(stage, me);
    const pictures = await withPictures(stage, me);
    // What is unread would open at its first message, not at the newest one.
    stage.parley("channel", "read", "messaging:bench-a", "messaging:bench-b", pictures);
    const screen = stage.screen(["chat", "messaging:bench-b"]);
    await screen.waitFor("the last of bench-b");
    await screen.settle(400);
    await sleep(UNTIL_IDLE);
    const idle = await stage.stats(screen);
    const switched = await switching(screen);
    const scrolled = await scrolling(stage, screen);
    const found = await searching(screen);
    await screen.close();
    const seen = await besidePictures(stage, pictures);
    return [
      {
        name: "1,000 channels: resident memory, idle",
        unit: "MiB",
        measured: idle.rss / 2 ** 20,
        budget: 110,
      },
      { name: "to another channel, median", unit: "ms", measured: switched, budget: 40, scaled: true },
      { name: "a page of scrolling: own CPU", unit: "ms", measured: scrolled.cpu, budget: 8, scaled: true },
      { name: "a page of scrolling: bytes", unit: "bytes", measured: scrolled.bytes, budget: 6000 },
      { name: "search: the first results, median", unit: "ms", measured: found, budget: 60, scaled: true },
      {
        name: "typed character beside three pictures: own CPU, median",
        unit: "ms",
        measured: seen.typed,
        budget: 4,
        scaled: true,
      },
      {
        name: "a page of scrolling over pictures: own CPU",
        unit: "ms",
        measured: seen.scrolled,
        budget: 30,
        scaled: true,
      },
    ];
  } finally {
    await stage.end();
  }
}

/** Creates a thousand channels; two of them have messages to read, the first has many. */
async function workspace(stage: Stage, me: string): Promise<void> {
  await stage.call("POST", "/users", { users: { flooder: { id: "flooder" } } });
  for (let at = 0; at < CHANNELS; at += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => stage.channel(`bench-${at + n}`, [me, "flooder"])),
    );
  for (const id of ["bench-a", "bench-b"]) await stage.channel(id, [me, "flooder"]);
  await stage.control("flood", { cid: "messaging:bench-a", user_id: "flooder", count: MESSAGES });
  for (const id of ["bench-a", "bench-b"]) await say(stage, id, `the last of ${id}`);
}

const say = (stage: Stage, id: string, text: string): Promise<unknown> =>
  stage.call("POST", `/channels/messaging/${id}/message`, { message: { text, user_id: "flooder" } });

/** A channel with three visible pictures and text above them. */
async function withPictures(stage: Stage, me: string): Promise<string> {
  const cid = await stage.channel("bench-pictures", [me]);
  await stage.control("flood", { cid, user_id: "flooder", count: 200 });
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-bench-pictures-"));
  for (const [n, size] of [300, 400, 500].entries()) {
    const file = path.join(folder, `${n}.png`);
    writeFileSync(file, png(size, 300));
    stage.parley("upload", "--message", file, "--channel", cid);
  }
  rmSync(folder, { recursive: true });
  return cid;
}

/** Milliseconds until the terminal shows what is expected. */
async function until(screen: Pty, shown: () => boolean): Promise<number> {
  const began = performance.now();
  while (!shown()) {
    if (performance.now() - began > 5000) throw new Error(`it never came:\n${screen.text()}`);
    await sleep(1);
  }
  return screen.startedAt + screen.chunks.at(-1)!.at - began;
}

/** Switches back and forth between two loaded channels. */
async function switching(screen: Pty): Promise<number> {
  screen.key("C-k");
  await sleep(300);
  screen.type("bench-a");
  await sleep(500);
  screen.key("enter");
  await screen.waitFor("the last of bench-a");
  const times: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    await sleep(200);
    screen.key("A-s");
    const to = n % 2 === 0 ? "bench-b" : "bench-a";
    times.push(await until(screen, () => screen.text().includes(`the last of ${to}`)));
  }
  return median(times);
}

const share = (after: Stats, before: Stats, pages: number): { cpu: number; bytes: number } => ({
  cpu: (after.cpu - before.cpu) / pages / 1000,
  bytes: (after.units - before.units) / pages,
});

/** Scrolls up and down over loaded messages, ten pages a round. */
async function scrolling(stage: Stage, screen: Pty): Promise<{ cpu: number; bytes: number }> {
  const pages = async (key: string): Promise<void> => {
    for (let n = 0; n < 5; n++) {
      screen.key(key);
      await sleep(60);
    }
  };
  screen.key("esc");
  await sleep(300);
  // Warm-up: the first scroll up wraps the rows.
  await pages("pageup");
  await pages("pagedown");
  const rounds: { cpu: number; bytes: number }[] = [];
  for (let n = 0; n < 6; n++) {
    const before = await stage.stats(screen);
    await pages("pageup");
    await pages("pagedown");
    rounds.push(share(await stage.stats(screen), before, 10));
  }
  return { cpu: median(rounds.map(({ cpu }) => cpu)), bytes: median(rounds.map(({ bytes }) => bytes)) };
}

/** Milliseconds from typing a word to the first results, which come from loaded messages. */
async function searching(screen: Pty): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < ROUNDS / 2; n++) {
    screen.key("C-f");
    await screen.waitFor("Narrow it with");
    screen.type("last");
    times.push(await until(screen, () => /[1-9]\d* message/.test(screen.text())));
    screen.key("C-u");
    await sleep(200);
    screen.key("esc");
    await sleep(300);
  }
  return median(times);
}

/** Typing and scrolling while three pictures are drawn in half blocks. */
async function besidePictures(stage: Stage, cid: string): Promise<{ typed: number; scrolled: number }> {
  const screen = stage.screen(["chat", cid], { rows: 50 });
  await screen.waitFor((s) => s.text().split("▀").length > 100 || s.text().split("▄").length > 100, 20_000);
  await screen.settle(1500);
  const typed: number[] = [];
  for (let n = 0; n < 8; n++) {
    screen.type("a");
    await sleep(150);
    const before = await stage.stats(screen);
    for (const letter of "bcdefghijk") {
      screen.type(letter);
      await sleep(25);
    }
    typed.push(share(await stage.stats(screen), before, 10).cpu);
    screen.key("C-u");
    await sleep(150);
  }
  const { cpu } = await scrolling(stage, screen);
  await screen.close();
  return { typed: median(typed), scrolled: cpu };
}
