/** A packed folder is unpacked as it was, in each form that tar writes: names of any length and files of any size. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { unpackTar } from "../../../src/jobs/foreign/base/tar.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(os.tmpdir(), "parley-tar-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Every file below a folder with its content. */
function filesIn(top: string): Record<string, string> {
  const names = readdirSync(top, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(path.join(top, name)).isFile()).toSorted();
  return Object.fromEntries(files.map((name) => [name, readFileSync(path.join(top, name), "latin1")]));
}

function pack(files: Readonly<Record<string, string>>, form: string): string {
  const top = path.join(folder, "packed");
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(top, name)), { recursive: true });
    writeFileSync(path.join(top, name), content, "latin1");
  }
  const file = path.join(folder, "packed.tgz");
  execFileSync("tar", ["czf", file, `--format=${form}`, "-C", top, ...Object.keys(files)]);
  return file;
}

test.each(["ustar", "gnu", "pax", "posix"])(
  "names of any length in the form %s, each of its own file",
  async (form) => {
    const deep = ["a", "b"].map((letter) => letter.repeat(70)).join("/");
    const files = {
      "short.json": "1",
      [`${"c".repeat(95)}.json`]: "2",
      [`${deep}/first.json`]: "3",
      "after.json": "4",
      [`${deep}/${"d".repeat(90)}.json`]: "5",
      "last.json": "6",
    };
    expect(await unpackTar(pack(files, form), path.join(folder, "out"))).toBe(true);
    expect(filesIn(path.join(folder, "out"))).toEqual(files);
  },
);

test("files of any size, also none, and what comes after them", async () => {
  const sizes = [0, 1, 511, 512, 513, 1024, 64 * 1024, 64 * 1024 + 1, 200_000];
  const contents = sizes.map((size, n) => [`${n}`, String(n).repeat(size)] as const);
  expect(await unpackTar(pack(Object.fromEntries(contents), "gnu"), path.join(folder, "out"))).toBe(true);
  expect(filesIn(path.join(folder, "out"))).toEqual(Object.fromEntries(contents));
});

test("a file that ends too early is refused, and one that is no tar is not one", async () => {
  const whole = pack({ a: "x".repeat(5000) }, "gnu");
  const cut = path.join(folder, "cut.tgz");
  writeFileSync(
    cut,
    execFileSync("gzip", ["-c"], { input: execFileSync("gzip", ["-dc", whole]).subarray(0, 3000) }),
  );
  await expect(unpackTar(cut, path.join(folder, "out"))).rejects.toThrow("it ends in the middle of a file");
  const text = path.join(folder, "text.gz");
  writeFileSync(text, execFileSync("gzip", ["-c"], { input: "no tar ".repeat(200) }));
  expect(await unpackTar(text, path.join(folder, "none"))).toBe(false);
});
