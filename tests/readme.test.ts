/** The lines of the README work when pasted: in a clone, with an empty home and whatever Node is first in PATH. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "./support/remove-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const readme = readFileSync(path.join(ROOT, "README.md"), "utf8");
const run = promisify(execFile);
const home = mkdtempSync(path.join(os.tmpdir(), "parley-readme-"));
const env = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8" };
const shell = (line: string): Promise<{ stdout: string; stderr: string }> =>
  run("sh", ["-c", line], { cwd: ROOT, env, timeout: 15_000 });

const block = /## In scripts[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
const lines = block.trim().split("\n");

beforeAll(async () => {
  await shell("./bin/parley.js local start");
});
afterAll(async () => {
  await shell("./bin/parley.js local stop");
  removeFolder(home);
});

describe("the README", () => {
  test("has five one-shot lines", () => expect(lines).toHaveLength(5));

  test.for(lines)("%s", async (line) => {
    const { stdout } = await shell(line);
    expect(stdout.trim()).not.toBe("");
  });

  test("and what they sent is there once", async () => {
    const { stdout } = await shell("./bin/parley.js message list -c messaging:general --json=text");
    const texts = (JSON.parse(stdout) as { text: string }[]).map((m) => m.text);
    expect(texts.filter((t) => t === "build ok")).toHaveLength(1);
    expect(texts.filter((t) => t === "from inside")).toHaveLength(1);
  });

  test("names only files that exist", () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((m) => m[1]!);
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) expect(() => readFileSync(path.join(ROOT, link)), link).not.toThrow();
  });
});
