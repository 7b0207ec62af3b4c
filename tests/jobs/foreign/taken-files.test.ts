/** Files that an import takes along: named by its items, and copied beside it by each conversion anew. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takenFile, TakenFiles } from "../../../src/jobs/foreign/base/taken-files.ts";

let importFile: string;
beforeEach(() => {
  importFile = path.join(mkdtempSync(path.join(os.tmpdir(), "parley-taken-")), "items.jsonl");
});
afterEach(() => rmSync(path.dirname(importFile), { recursive: true }));

async function convert(files: Readonly<Record<string, string>>): Promise<string[]> {
  const taken = new TakenFiles(importFile);
  const addresses = Object.entries(files).map(([name, text]) => {
    const bytes = Buffer.from(text);
    const read = async function* (): AsyncIterable<Uint8Array> {
      yield bytes;
    };
    return taken.address({ name: `export/${name}`, size: bytes.length, read }, name);
  });
  await taken.copy(new AbortController().signal);
  return addresses;
}

test("a second conversion overwrites what the first has copied", async () => {
  await convert({ "cup.txt": "a long text about tea", "pot.txt": "pot" });
  const addresses = await convert({ "cup.txt": "tea", "pot.txt": "pot" });
  const texts = addresses.map((address) => readFileSync(takenFile(address, importFile)!, "utf8"));
  expect(texts).toEqual(["tea", "pot"]);
});

test("files whose names become the same are different copies, also where case and composition do not count", async () => {
  const files = {
    "a?b.txt": "one",
    "a_b.txt": "two",
    "A_B.TXT": "three",
    "../x": "four",
    x: "five",
    "caf\u00e9": "six",
    "cafe\u0301": "seven",
  };
  const addresses = await convert(files);
  const texts = addresses.map((address) => readFileSync(takenFile(address, importFile)!, "utf8"));
  expect(texts).toEqual(Object.values(files));
  expect(new Set(addresses.map((address) => address.normalize("NFC").toLowerCase())).size).toBe(7);
});
