/** The package installs from its tarball into an empty folder, without a network, and runs in an empty home. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "../support/home.ts";
import { removeFolder } from "../support/remove-folder.ts";
import { PATIENCE } from "../support/patience.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const own = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  version: string;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};
const folder = mkdtempSync(path.join(os.tmpdir(), "parley-package-"));
const app = path.join(folder, "app");
const home = path.join(folder, "home");
/** A minimal environment, so that no setting of npm or Parley leaks in. */
const env = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8" };

const run = promisify(execFile);
const parley = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
  run(path.join(app, "node_modules/.bin/parley"), args, { cwd: app, env, timeout: PATIENCE });

beforeAll(async () => {
  ensureBuilt();
  for (const place of [app, home]) mkdirSync(place);
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: ROOT, env });
  // Offline, the two packages that are not bundled are taken from this clone, at the versions it was tested with.
  const overrides = Object.fromEntries(
    Object.keys({ ...own.dependencies, ...own.optionalDependencies }).map((name) => [
      name,
      `file:${path.join(ROOT, "node_modules", name)}`,
    ]),
  );
  const tarball = `file:${path.join(folder, `parley-chat-${own.version}.tgz`)}`;
  writeFileSync(
    path.join(app, "package.json"),
    JSON.stringify({ private: true, dependencies: { "parley-chat": tarball }, overrides }),
  );
  await run("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: app,
    env,
  });
});
afterAll(async () => {
  await parley("local", "stop").catch(() => {});
  removeFolder(folder);
});

test("parley --version prints the version of the package", async () => {
  expect((await parley("--version")).stdout).toBe(`${own.version}\n`);
});

test("a message sent to the embedded provider is listed, also with jq, which is not bundled", async () => {
  await parley("send", "#general", "from the package");
  const { stdout } = await parley("message", "list", "-c", "messaging:general", "--jq", ".text");
  expect(stdout.split("\n")).toContain("from the package");
});

test("the licences of bundled packages are included", () => {
  const there = path.join(app, "node_modules/parley-chat/dist/THIRD-PARTY-LICENSES.txt");
  expect(readFileSync(there, "utf8")).toContain("highlight.js");
});
