/** The contents of the package that `npm pack` makes: launcher, built program with licences, pages cited by its types, and no sources. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ensureBuilt } from "../support/home.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

test("the package contains the listed files and no others", () => {
  ensureBuilt();
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const [{ files }] = JSON.parse(output) as [{ files: { path: string; mode: number }[] }];
  const names = files.map((file) => file.path);
  const below = (folder: string): string[] =>
    readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"));
  const [chunks, types, man] = [below("dist/chunks"), below("dist/types"), below("dist/man")];
  const many = (name: string): boolean => /^dist\/(chunks|types|man)\//.test(name);
  expect(types.every((name) => name.endsWith(".d.ts"))).toBe(true);
  expect(chunks.every((name) => name.endsWith(".js"))).toBe(true);
  expect(names.filter((name) => !many(name)).toSorted()).toEqual(
    [
      "LICENSE",
      "README.md",
      "bin/ahead.cjs",
      "bin/parley",
      "bin/parley.js",
      "dist/THIRD-PARTY-LICENSES.txt",
      "dist/atlas.bin",
      "dist/bundled.spdx.json",
      "dist/core.js",
      "dist/main.js",
      "dist/pictures.js",
      "dist/reader.js",
      "package.json",
      // npm runs it in an unpacked package, too, where it finds nothing to build.
      "scripts/prepare.mjs",
      ...below("docs/specification"),
    ].toSorted(),
  );
  expect(names.filter(many).toSorted()).toEqual([...chunks, ...types, ...man].toSorted());
  expect(man.every((name) => /^dist\/man\/parley[\w-]*\.1$/.test(name))).toBe(true);
  // The file that npm links into PATH must be executable.
  for (const name of ["bin/parley", "bin/parley.js"])
    expect(files.find((file) => file.path === name)!.mode & 0o111, name).toBe(0o111);
});

test("every script that npm runs at an install of the unpacked package is in it", () => {
  ensureBuilt();
  const folder = mkdtempSync(path.join(tmpdir(), "parley-unpacked-"));
  try {
    const quiet = { cwd: folder, stdio: "pipe" } as const;
    const file = execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    execFileSync("tar", ["xf", file], quiet);
    const unpacked = path.join(folder, "package");
    for (const name of ["preinstall", "install", "postinstall", "prepare"])
      execFileSync("npm", ["run", "--if-present", name], { ...quiet, cwd: unpacked });
    expect(existsSync(path.join(unpacked, "dist/main.js"))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
