/** Runs the commands of docs/protocol.md with curl, openssl and wscat: from a token to live events, a thread, a poll and a campaign. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProvider, type Provider } from "../../src/provider/provider.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SCRIPT = path.join(ROOT, "scripts/protocol/follow.sh");

let provider: Provider;
beforeAll(async () => {
  provider = createProvider({ data: ":memory:", stay: true });
  await provider.listen();
});
afterAll(() => provider.close());

/** Runs the script in a shell that is given only PATH, HOME and the provider's address, key and secret. */
async function follow(script: string): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn("sh", ["-c", script], {
    env: {
      PATH: `${path.join(ROOT, "node_modules/.bin")}:${process.env.PATH}`,
      HOME: process.env.HOME,
      URL: provider.url,
      KEY: provider.apiKey,
      SECRET: provider.secret,
    },
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const code = await new Promise<number | null>((end) => child.once("close", end));
  return { code, out, err };
}

test("the script uses no command and no file of the program", () => {
  const text = readFileSync(SCRIPT, "utf8");
  expect(text).not.toMatch(/\bparley\b|\bnode\b|dist\/|src\//);
});

test("the script printed in docs/protocol.md runs to its end: token, live events, thread, poll and campaign", async () => {
  const page = readFileSync(path.join(ROOT, "docs/protocol.md"), "utf8");
  const printed = page
    .split("```sh\n")
    .find((part) => part.startsWith("#!/bin/sh"))!
    .split("\n```")[0]!;
  expect(`${printed}\n`).toBe(readFileSync(SCRIPT, "utf8"));
  const { code, out, err } = await follow(printed);
  expect({ code, err: err.trim() }, out).toEqual({ code: 0, err: "" });
  const received = [...out.matchAll(/^heard (.*)$/gm)].map(([, text]) => text);
  expect(received).toEqual([
    '"type":"health.check"',
    '"type":"message.new".*ana-1',
    '"type":"reaction.new"',
    '"type":"message.read"',
    '"type":"poll.vote_casted"',
    '"type":"poll.closed"',
    "Hello Bo, the spring tea is here.",
  ]);
  expect(out.trimEnd().endsWith("done")).toBe(true);
});
