/** Bulk work of scripts: one message for each line of standard input, and a list of all channels. */
import { spawn } from "node:child_process";
import { openSync, writeFileSync } from "node:fs";
import path from "node:path";
import { NODE, PARLEY } from "./measure.ts";
import type { Figure } from "./report.ts";
import { Stage } from "./stage.ts";

const LINES = 3000;
const CHANNELS = 10_000;
const START = Date.UTC(2026, 0, 1);

export async function run(): Promise<Figure[]> {
  const stage = new Stage().start();
  const file = (name: string, lines: readonly string[]): string => {
    const at = path.join(stage.env.HOME!, name);
    writeFileSync(at, `${lines.join("\n")}\n`);
    return at;
  };
  try {
    stage.parley("channel", "create", "messaging:lines");
    const lines = file(
      "lines.txt",
      Array.from({ length: LINES }, (_, n) => `line number ${n}`),
    );
    const sent = await timed(stage, ["send", "messaging:lines", "--lines", "-"], lines);
    const items = file("items.jsonl", [...channelItems()]);
    stage.parley("import", "upload", items, "--yes", "--within", "10m", "--timeout", "2m");
    const listed = await timed(stage, ["--as", "reader", "channel", "list", "--all", "--json"]);
    return [
      {
        name: "send --lines: messages a second",
        unit: "/s",
        measured: (LINES / sent) * 1000,
        budget: 300,
        scaled: true,
        atLeast: true,
      },
      { name: "channel list --all of 10,000", unit: "s", measured: listed / 1000, budget: 3, scaled: true },
    ];
  } finally {
    await stage.end();
  }
}

function* channelItems(): Iterable<string> {
  const item = (type: string, data: object): string => JSON.stringify({ type, data });
  yield item("user", { id: "reader" });
  for (let n = 0; n < CHANNELS; n++)
    yield item("channel", {
      type: "messaging",
      id: `c${n}`,
      created_by: "reader",
      name: `Channel ${n}`,
      // Lists are paged by this time.
      created_at: new Date(START + n * 1000).toISOString(),
    });
  for (let n = 0; n < CHANNELS; n++)
    yield item("member", { channel_type: "messaging", channel_id: `c${n}`, user_id: "reader" });
}

/** Duration of a whole run in milliseconds, start-up included. */
function timed(stage: Stage, args: string[], input?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(NODE, [PARLEY, ...args], {
      env: stage.env,
      stdio: [input === undefined ? "ignore" : openSync(input, "r"), "ignore", "inherit"],
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(performance.now() - began);
      else reject(new Error(`parley ${args.join(" ")} ended with ${code}`));
    });
  });
}
