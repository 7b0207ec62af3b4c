/** The search index of an archive is made in steps: every message is in it once, or the index of before stays. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { archiveCounts, channelCounts } from "../../src/jobs/archive/counts.ts";
import { clearArchive, newDatabase, writeArchive } from "../../src/jobs/archive/open.ts";
import { fillWords, MIGRATIONS } from "../../src/jobs/archive/schema.ts";

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

test("only what was added or changed since is read again: a changed text is found by its new words alone", () => {
  for (const n of [1, 2, 3]) write(n, `kettle number${n}`);
  fillWords(db);
  const read: string[] = [];
  db.function("index_terms", (text) => {
    read.push(String(text));
    return String(text);
  });
  db.exec("UPDATE messages SET text = 'harbour' WHERE n = 2");
  db.exec("UPDATE messages SET text = text, updated_at = 'later'");
  write(4, "kettle number4");
  db.exec("UPDATE messages SET text = 'harbour four' WHERE n = 4");
  fillWords(db);
  expect(read).toEqual(["harbour", "harbour four"]);
  expect([found("kettle"), found("number2"), found("harbour"), found("number4")]).toEqual([
    [1, 3],
    [],
    [2, 4],
    [],
  ]);
  fillWords(db);
  expect(read).toHaveLength(2);
});

test("nothing of a cleared archive is found, also where its numbers are given again", () => {
  for (const n of [1, 2]) write(n, "kettle");
  fillWords(db);
  db.exec("UPDATE messages SET text = 'other' WHERE n = 1");
  clearArchive({ folder, db, close: () => {} });
  write(1, "harbour");
  fillWords(db);
  expect([found("kettle"), found("harbour"), found("other")]).toEqual([[], [1], []]);
});

test("counting reads no message, only indexes of them", () => {
  const plans: string[] = [];
  const watched = new Proxy(db, {
    get(target, name) {
      if (name !== "prepare") return Reflect.get(target, name) as unknown;
      return (sql: string) => {
        plans.push(
          ...target
            .prepare(`EXPLAIN QUERY PLAN ${sql}`)
            .all()
            .map(({ detail }) => String(detail)),
        );
        return target.prepare(sql);
      };
    },
  });
  archiveCounts(watched);
  expect([...channelCounts(watched)]).toEqual([]);
  const ofAll = plans.filter((line) => /^(SCAN|SEARCH) (m|messages)\b/.test(line) && !/\bid=\?/.test(line));
  expect(ofAll).toHaveLength(6);
  // The first and the last message of a channel are looked at for their time.
  expect(ofAll.filter((line) => !line.includes("COVERING INDEX"))).toHaveLength(2);
  expect(plans.filter((line) => /^SCAN (r|reacted)\b/.test(line))).toHaveLength(1);
});

test.each(MIGRATIONS.slice(0, -1).map((_, n) => n + 1))(
  "an archive of version %s is searched by all its words once it is written",
  (version) => {
    db.close();
    const file = path.join(folder, "archive.sqlite");
    rmSync(file);
    db = new DatabaseSync(file);
    for (const text of MIGRATIONS.slice(0, version)) db.exec(text);
    db.exec(`PRAGMA user_version = ${version}`);
    for (const n of [1, 2, 7]) write(n, `kettle 上海${n}`);
    db.exec(`INSERT INTO words(rowid, ${version < 3 ? "text" : "terms"}) VALUES (1, 'kettle')`);
    db.close();
    const archive = writeArchive(folder, { create: false });
    ({ db } = archive);
    expect([found("kettle"), found("上海")]).toEqual([
      [1, 2, 7],
      [1, 2, 7],
    ]);
    archive.close();
    db = new DatabaseSync(file);
  },
);
