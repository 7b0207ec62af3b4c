/** The commands in the README and the other documents work when pasted: in a clone, with an empty home and whatever Node is first in PATH. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "./support/remove-folder.ts";
import { PATIENCE } from "./support/patience.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const readme = readFileSync(path.join(ROOT, "README.md"), "utf8");
const run = promisify(execFile);
const home = mkdtempSync(path.join(os.tmpdir(), "parley-readme-"));
const env = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8" };
const shell = (line: string, cwd = ROOT): Promise<{ stdout: string; stderr: string }> =>
  run("sh", ["-c", line], { cwd, env, timeout: PATIENCE });

const block = /## In scripts[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
const lines = block.trim().split("\n");

/** Lines that are not run here, with the reason. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^npm /, "installs, builds or tests what is being tested, or opens the screen"],
  [/^parley (login|--profile work)/, "is about a hosted account"],
  [/^parley serve /, "goes on until it is stopped: the test below starts and stops it"],
  [/^cat workspace/, "reads what that one makes: the test below, too"],
];
const PAGES = ["README.md", "CONTRIBUTING.md", "docs/protocol.md"];
const shellLines = PAGES.flatMap((page) =>
  [...readFileSync(path.join(ROOT, page), "utf8").matchAll(/```sh\n([\s\S]*?)```/g)]
    .map((found) => found[1]!)
    // tests/contract/follow.test.ts runs the script.
    .filter((text) => text !== block && !text.startsWith("#!"))
    .flatMap((text) => text.trim().split("\n")),
);

beforeAll(async () => {
  await shell("./bin/parley.js local start");
});
afterAll(async () => {
  await shell("./bin/parley.js local stop");
  removeFolder(home);
});

/** An installed package provides `parley`; here it is `./bin/parley.js`. */
const asInstalled = (line: string): string => line.replace(/^parley /, "./bin/parley.js ");

describe("the documents", () => {
  test("every exception matches a line that exists", () =>
    expect(NOT_RUN.filter(([fits]) => !shellLines.some((line) => fits.test(line)))).toEqual([]));

  test.for(shellLines.filter((line) => !NOT_RUN.some(([fits]) => fits.test(line))))("%s", async (line) => {
    expect((await shell(asInstalled(line))).stderr).toBe("");
  });

  test("`parley serve` stores its key and secret where docs/protocol.md says", async () => {
    const [serve, show] = shellLines.filter((line) => /^parley serve |^cat workspace/.test(line));
    const port = / --port \d+/;
    expect([serve, show]).toEqual([expect.stringMatching(port), expect.any(String)]);
    const parley = `'${path.join(ROOT, "bin/parley.js")}'`;
    const script = `${serve!.replace(port, " --port 0").replace("parley", parley).replace(/#.*/, "")} & pid=$!
for n in $(seq 100); do [ -s workspace/provider.json ] && break; sleep 0.1; done
${show}
kill $pid; wait $pid || true`;
    const { stdout } = await shell(script, home);
    expect(stdout).toContain("http://127.0.0.1:");
    expect(stdout).toMatch(/local_[0-9a-f]+/);
  });
});

describe("the README", () => {
  test("has five one-shot lines", () => expect(lines).toHaveLength(5));

  test.for(lines)("%s", async (line) => {
    const { stdout } = await shell(line);
    expect(stdout.trim()).not.toBe("");
  });

  test("its messages are sent once", async () => {
    const { stdout } = await shell("./bin/parley.js message list -c messaging:general --json=text");
    const texts = (JSON.parse(stdout) as { text: string }[]).map((m) => m.text);
    expect(texts.filter((t) => t === "build ok")).toHaveLength(1);
    expect(texts.filter((t) => t === "from inside")).toHaveLength(1);
  });

  test("links only to files that exist", () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((m) => m[1]!);
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) expect(() => readFileSync(path.join(ROOT, link)), link).not.toThrow();
  });
});
