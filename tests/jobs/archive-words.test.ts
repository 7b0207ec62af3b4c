/** The search index of an archive is made in steps: every message is in it once, or the index of before stays. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newDatabase } from "../../src/jobs/archive/open.ts";
import { fillWords } from "../../src/jobs/archive/schema.ts";

let folder: string;
let db: DatabaseSync;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parley-words-"));
  ({ db } = newDatabase(path.join(folder, "archive.sqlite")));
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

function write(n: number, text: string): void {
  db.prepare(
    "INSERT INTO messages(n, id, cid, user_id, type, text, at, updated_at, run, raw) VALUES (?, ?, 'team:ops', 'ana', 'regular', ?, '', '', 1, '{}')",
  ).run(n, `m${n}`, text);
}

const found = (word: string): number[] =>
  db
    .prepare("SELECT rowid AS n FROM words WHERE words MATCH ? ORDER BY rowid")
    .all(word)
    .map(({ n }) => Number(n));

test("messages on both sides of a step, and behind a wide gap, are found once each, however often it is made", () => {
  const places = [1, 4999, 5000, 5001, 10_000, 10_001, 60_000];
  for (const n of places) write(n, `kettle number${n}`);
  for (let time = 0; time < 2; time++) {
    fillWords(db);
    expect(found("kettle")).toEqual(places);
    for (const n of places) expect(found(`number${n}`)).toEqual([n]);
  }
});

test("a failure in a later step leaves the index as it was, also within a transaction", () => {
  write(1, "kettle");
  fillWords(db);
  write(5001, "harbour");
  db.function("index_terms", (text) => {
    if (text === "harbour") throw new Error("broken");
    return "changed";
  });
  expect(() => fillWords(db)).toThrow("broken");
  expect([found("kettle"), found("changed"), db.isTransaction]).toEqual([[1], [], false]);
  db.exec("BEGIN");
  expect(() => fillWords(db)).toThrow("broken");
  expect([found("kettle"), db.isTransaction]).toEqual([[1], true]);
  db.exec("COMMIT");
});
