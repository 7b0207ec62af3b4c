/** What a newcomer types first: each line runs, or is answered by one that does. The answers stand in printed/first-guesses.txt. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

const TABLE = path.join(import.meta.dirname, "printed/first-guesses.txt");
/** `guess` alone runs as it is; `guess => line` is answered by that line. */
const rows = readFileSync(TABLE, "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("# "))
  .map((line) => line.split(" => ", 2) as [guess: string, answer?: string]);

let home: Home;
const run = (line: string) => home.sh(`parley ${line}`);

beforeAll(async () => {
  home = makeHome({ here: true });
  await run("user upsert ana bo root");
  await run("channel create messaging:general --name General --member ana --member bo");
  await run("channel create messaging:random --member ana");
  await run("send '#general' --id msg-1 hello");
  await run("poll create -c messaging:general 'Lunch?' -o a -o b --id lunch");
  await run("archive create arch messaging:general");
  await run("segment create user --id vip");
  await run("role create editor");
  await run("blocklist create rude mud");
  await run("campaign create --id spring --sender ana --text hi --to bo --channel-type messaging");
  await home.sh(
    "printf 'id: c\\nsender_id: ana\\nmessage_template: {text: hi}\\ncreate_channels: true\\nuser_ids: [bo]\\n' > c.yaml",
  );
  await home.sh("parley app backup --out app.yaml; printf x > pic.png; printf '{}' > slack.zip");
});
afterAll(() => home.end());

/** The line that a guess is answered with; undefined if it runs. */
async function answerTo(guess: string): Promise<string | undefined> {
  const { code, err } = await run(guess);
  const hint = /^hint: parley (.*)$/m.exec(err)?.[1];
  // It would only ask first.
  if (err.includes("Cannot prompt")) return undefined;
  return code === 2 ? (hint ?? "nothing") : undefined;
}

test("the table holds more than a hundred guesses, each once", () => {
  expect(rows.length).toBeGreaterThan(140);
  expect(new Set(rows.map(([guess]) => guess)).size).toBe(rows.length);
});

test.each(rows)("parley %s", async (guess, answer) => {
  expect(await answerTo(guess)).toBe(answer);
});

/** Lines that wait, open a terminal, or are answered by the help of the command. */
const LASTING =
  /^(?:tail|login|serve|webhook listen|event listen|campaign watch|local (?:start|stop)|--version|.*--help$)/;

test("what a guess is answered with is accepted, in a dry run", async () => {
  const refused: string[] = [];
  for (const line of new Set(rows.flatMap(([, answer]) => answer?.split(", or parley ") ?? []))) {
    if (LASTING.test(line)) continue;
    const { code, err } = await run(`${line} --dry-run`);
    if (code === 2 && !err.includes("does not support --dry-run")) refused.push(`${line}: ${err}`);
  }
  expect(refused).toEqual([]);
});

test.each(["user create zoe --name Zoe", "new user zoe --name Zoe", "-p local user add zoe --name Zoe"])(
  "the flags of `%s` are kept",
  async (line) => {
    expect(await answerTo(line)).toContain("user upsert zoe --name Zoe");
  },
);

test("nothing is guessed for words that mean nothing, and nothing is run for a guess that changes something", async () => {
  expect(await answerTo("frobnicate the splines")).toBe("--help");
  await answerTo("delete message msg-1");
  expect((await run("message get msg-1 --jq .text")).out).toBe("hello\n");
});
