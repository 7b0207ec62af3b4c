/** Archives and exports: messages with threads and reactions read from a provider into an archive, and written from it into files. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { NODE, PARLEY } from "./measure.ts";
import type { Figure } from "./report.ts";
import { Stage } from "./stage.ts";

/** One in ten is a reply, one in five has a reaction. */
const MESSAGES = 60_000;
const PEOPLE = 200;
const START = Date.UTC(2026, 0, 1);

export async function run(): Promise<Figure[]> {
  const stage = new Stage().start();
  try {
    const items = path.join(stage.env.HOME!, "items.jsonl");
    writeFileSync(items, [...lines()].join("\n"));
    stage.parley("import", "upload", items, "--yes", "--within", "10m", "--timeout", "2m");
    const kept = path.join(stage.env.HOME!, "kept");
    const read = await timed(stage, ["--as", "p0", "archive", "create", kept, "--timeout", "2m"]);
    const out = path.join(stage.env.HOME!, "out.ndjson");
    const written = await timed(stage, ["export", "--from", kept, "--out", out]);
    const html = await timed(stage, ["export", "--from", kept, "--format", "html", "--out", `${out}.html`]);
    const shown = await opening(stage, kept);
    const memory = Math.max(read.memory, written.memory, html.memory);
    return [
      rate("messages a second from a provider into an archive", read.ms),
      rate("messages a second from an archive into ndjson", written.ms),
      rate("messages a second from an archive into HTML (informative)", html.ms),
      {
        name: "archive view until its newest message is shown",
        unit: "ms",
        measured: shown,
        budget: 500,
        scaled: true,
      },
      { name: "memory of an archive or export at its most", unit: "MiB", measured: memory, budget: 150 },
    ];
  } finally {
    await stage.end();
  }
}

/** Milliseconds from the start of the program until the screen shows the newest message. */
async function opening(stage: Stage, folder: string): Promise<number> {
  const screen = stage.screen(["archive", "view", folder]);
  const ms = await screen.waitFor(`message number ${MESSAGES - 1} `);
  screen.type("\x03\x03");
  await screen.exited;
  return ms;
}

const rate = (name: string, ms: number): Figure => ({
  name,
  unit: "/s",
  measured: (MESSAGES / ms) * 1000,
  budget: 20_000,
  scaled: true,
  atLeast: true,
});

function* lines(): Iterable<string> {
  const item = (type: string, data: object): string => JSON.stringify({ type, data });
  for (let n = 0; n < PEOPLE; n++) yield item("user", { id: `p${n}`, name: `Person ${n}` });
  const place = { channel_type: "messaging", channel_id: "big" };
  yield item("channel", { type: "messaging", id: "big", created_by: "p0" });
  for (let n = 0; n < PEOPLE; n++) yield item("member", { ...place, user_id: `p${n}` });
  for (let n = 0; n < MESSAGES; n++) {
    const created_at = new Date(START + n * 1000).toISOString();
    // Threads of thirty replies, sent after their parent message.
    const parent = n % 300 > 0 && n % 300 <= 30 ? `m${n - (n % 300)}` : undefined;
    yield item("message", {
      ...place,
      id: `m${n}`,
      user: `p${n % PEOPLE}`,
      type: parent ? "reply" : "regular",
      ...(parent ? { parent_id: parent } : {}),
      text: `message number ${n} of a steady stream of eighty characters, give or take a few.`,
      created_at,
    });
  }
  for (let n = 0; n < MESSAGES; n += 5)
    yield item("reaction", {
      message_id: `m${n}`,
      type: "like",
      user_id: `p${(n + 1) % PEOPLE}`,
      created_at: new Date(START + n * 1000).toISOString(),
    });
}

/** Duration of a whole run in milliseconds, start-up included, and its peak memory in MiB. */
function timed(stage: Stage, args: string[]): Promise<{ ms: number; memory: number }> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(NODE, [PARLEY, ...args], { env: stage.env, stdio: ["ignore", "ignore", "inherit"] });
    let memory = 0;
    const look = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
        memory = Math.max(memory, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      } catch {
        // The process has ended.
      }
    }, 20);
    child.once("error", reject);
    child.once("close", (code) => {
      clearInterval(look);
      if (code === 0) resolve({ ms: performance.now() - began, memory });
      else reject(new Error(`parley ${args.join(" ")} ended with ${code}`));
    });
  });
}
