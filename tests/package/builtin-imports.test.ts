/** Built files take Node's modules without importing them. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { withoutBuiltinImports } from "../../scripts/builtin-imports.ts";

test("named, default and whole imports of a built-in module become constants of the same names", () => {
  const code = 'import fs,{readFileSync as r,statSync}from"node:fs";import*as p from"path";r(fs,p,statSync);';
  expect(withoutBuiltinImports(code)).toBe(
    'const {readFileSync:r,statSync:statSync}=process.getBuiltinModule("node:fs"),fs=process.getBuiltinModule("node:fs");' +
      'const p=process.getBuiltinModule("path");r(fs,p,statSync);',
  );
});

test("imports of other files, lazy imports, and texts that look like an import stay as they are", () => {
  const code =
    'import{a}from"./a.js";import"node:fs";const b=\'import c from"node:fs";\';a(b,import("node:fs"));';
  expect(withoutBuiltinImports(code)).toBe(code);
});

test("no built file imports a built-in module by a statement", () => {
  const dist = path.resolve(import.meta.dirname, "../../dist");
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".js"),
  );
  expect(files.length).toBeGreaterThan(300);
  const importing = files.filter((file) => /\bfrom"node:/.test(readFileSync(path.join(dist, file), "utf8")));
  expect(importing).toEqual([]);
});
