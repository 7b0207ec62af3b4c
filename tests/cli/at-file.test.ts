/** Values of arguments that are read from files and standard input: `--filter @who.json`, `--custom notes=@notes.txt`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expandFileValues } from "../../src/cli/run/at-file.ts";
import type { Args } from "../../src/commands/base/define-command.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parley-at-file-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const ARGS = {
  filter: { kind: "json", value: "json", help: "" },
  custom: { kind: "list", value: "name=value", help: "" },
  text: { kind: "text", help: "" },
} as unknown as Args;

async function expanded(raw: Record<string, unknown>, input = ""): Promise<Record<string, unknown>> {
  const shell = { in: Readable.from([Buffer.from(input)]), signal: new AbortController().signal };
  await expandFileValues(shell as never, ARGS, raw as never, []);
  return raw;
}
const fileWith = (text: string): string => {
  const file = path.join(folder, "value");
  writeFileSync(file, text);
  return `@${file}`;
};

test.each([
  ["one\ntwo\n", "one\ntwo"],
  ["one\r\ntwo\r\n", "one\r\ntwo"],
  ["one\n\n", "one\n"],
  ["one", "one"],
])("a file's value is its text without the last line break: %j", async (text, value) => {
  const file = fileWith(text);
  expect(await expanded({ filter: file, custom: [`notes=${file}`, "a=b"] })).toEqual({
    filter: value,
    custom: [`notes=${value}`, "a=b"],
  });
});

test("standard input is read once for all values, and @@ begins a text with @", async () => {
  const raw = { filter: "@-", custom: ["notes=@-", "name=@@ana"], text: "@ana" };
  expect(await expanded(raw, "tea")).toEqual({
    filter: "tea",
    custom: ["notes=tea", "name=@ana"],
    text: "@ana",
  });
});
