/** What `npm pack` puts into the package: the launcher, the built program with its licences, and no sources. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ensureBuilt } from "../support/home.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

test("the package holds what it should and nothing else", () => {
  ensureBuilt();
  const told = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const [{ files }] = JSON.parse(told) as [{ files: { path: string; mode: number }[] }];
  const names = files.map((file) => file.path);
  const chunks = readdirSync(path.join(ROOT, "dist/chunks")).map((name) => `dist/chunks/${name}`);
  expect(chunks.every((name) => /\.js(\.LEGAL\.txt)?$/.test(name))).toBe(true);
  expect(names.filter((name) => !name.startsWith("dist/chunks/")).toSorted()).toEqual(
    [
      "LICENSE",
      "README.md",
      "bin/parley",
      "bin/parley.js",
      "dist/THIRD-PARTY-LICENSES.txt",
      "dist/bundled.spdx.json",
      "dist/main.js",
      "dist/reader.js",
      "package.json",
    ].toSorted(),
  );
  expect(names.filter((name) => name.startsWith("dist/chunks/")).toSorted()).toEqual(chunks.toSorted());
  // what npm links into the path can be run
  for (const name of ["bin/parley", "bin/parley.js"])
    expect(files.find((file) => file.path === name)!.mode & 0o111, name).toBe(0o111);
}, 60_000);
