/** Texts are found in bytes however a file cuts, escapes or repeats them, and nothing else is. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { searchFolder, TraceFinder, tracesOf } from "../../src/jobs/traces.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(os.tmpdir(), "parley-traces-"))));
afterEach(() => rmSync(folder, { recursive: true }));

async function found(texts: readonly string[]): Promise<Record<string, string[]>> {
  const finder = new TraceFinder(tracesOf(texts).traces);
  const files: Record<string, string[]> = {};
  for await (const one of searchFolder(folder, finder, new AbortController().signal))
    if (one.found.size > 0) files[one.file] = [...one.found.values()].map(String).toSorted();
  return files;
}

const MIB = 1024 * 1024;
const SHORT = "a kettle";
const LONGEST = "the secret kettle of bo is behind the green door";

test.each([
  0,
  1,
  7,
  ...[1, 2].flatMap((n) => [-49, -48, -47, -20, -12, -9, -8, -7, -1, 0].map((by) => n * MIB + by)),
])(
  "a text is found that begins at byte %i of a file, be it the shortest or the longest that is looked for in one piece",
  async (at) => {
    mkdirSync(path.join(folder, "deep"));
    for (const text of [SHORT, LONGEST]) {
      const bytes = Buffer.alloc(at + 100, "x");
      bytes.write(text, at);
      writeFileSync(path.join(folder, "deep", "a.db"), bytes);
      writeFileSync(path.join(folder, "b.db"), Buffer.from(`${text.slice(0, -1)}_`));
      expect(await found([text])).toEqual({ "deep/a.db": [text] });
    }
  },
);

test("a text ends where a file ends", async () => {
  writeFileSync(path.join(folder, "a"), "and so: secret kettle");
  expect(await found(["secret kettle"])).toEqual({ a: ["secret kettle"] });
});

test("quotes, line breaks and markup are written in many ways, and the text between them is found in each", async () => {
  const text = 'she said "the secret\nkettle is green" & more';
  writeFileSync(path.join(folder, "json"), JSON.stringify({ body: JSON.stringify({ text }) }));
  writeFileSync(
    path.join(folder, "html"),
    "<p>she said &quot;the secret<br>kettle is green&quot; &amp; more</p>",
  );
  writeFileSync(path.join(folder, "plain"), text);
  const pieces = ["kettle is green", "she said", "the secret"];
  expect(await found([text])).toEqual({ html: pieces, json: pieces, plain: pieces });
});

test("a long text that a database has cut into pages is found by its parts", async () => {
  const text = Array.from({ length: 200 }, (_, n) => `word${n}`).join(" ");
  writeFileSync(path.join(folder, "begin"), text.slice(0, 60));
  writeFileSync(path.join(folder, "end"), text.slice(-60));
  expect(Object.keys(await found([text])).toSorted()).toEqual(["begin", "end"]);
});

test("texts of other scripts are found, and short ones are counted", async () => {
  writeFileSync(path.join(folder, "a"), "…我家在上海东边…");
  expect(await found(["我家在上海东边", "ok"])).toEqual({ a: ["我家在上海东边"] });
  expect(tracesOf(["ok", "ok", "no", "a longer text"])).toMatchObject({ short: 2 });
});
