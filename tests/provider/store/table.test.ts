/** Tables that are declared once: what they create, store, find, change and remove. */
import { afterAll, beforeEach, expect, test } from "vitest";
import { ApiProblem } from "../../../src/provider/base/handler.ts";
import { openDatabase } from "../../../src/provider/store/open.ts";
import { INTEGER, REAL, table, TEXT } from "../../../src/provider/store/table.ts";

const notes = table(
  "notes",
  {
    owner: TEXT.key,
    id: TEXT.key,
    place: TEXT.null,
    due: INTEGER.null,
    done: INTEGER.default(0),
    mood: TEXT.default("calm"),
    weight: REAL,
  },
  { noun: "Note", indexes: { notes_due: "(due) WHERE done = 0", notes_at: "UNIQUE (owner, place)" } },
);
const counted = table("counted", { seq: INTEGER.serial, word: TEXT.unique }, { rowid: true });
const later = table("later", { id: TEXT.key, more: TEXT.null }, { noun: "Thing", later: ["more"] });

const db = openDatabase(":memory:", [
  {
    name: "x",
    migrations: [notes.create, counted.create + later.create, "ALTER TABLE later ADD COLUMN more TEXT"],
  },
]);
afterAll(() => db.close());
beforeEach(() => void notes.remove(db, {}));

const note = { owner: "ann", id: "a", weight: 1.5 };

test("a declaration creates its columns, key and indexes", () => {
  expect(notes.create).toBe(`CREATE TABLE notes (
  owner TEXT NOT NULL,
  id TEXT NOT NULL,
  place TEXT,
  due INTEGER,
  done INTEGER NOT NULL DEFAULT 0,
  mood TEXT NOT NULL DEFAULT 'calm',
  weight REAL NOT NULL,
  PRIMARY KEY (owner, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX notes_due ON notes (due) WHERE done = 0;
CREATE UNIQUE INDEX notes_at ON notes (owner, place);
`);
  expect(counted.create).toBe(`CREATE TABLE counted (
  seq INTEGER PRIMARY KEY,
  word TEXT NOT NULL UNIQUE
) STRICT;
`);
});

test("a column of a later migration is not in the first statement, and is read and written like any other", () => {
  expect(later.create).not.toContain("more");
  later.insert(db, { id: "one", more: "milk" });
  expect(later.list(db)).toEqual([{ id: "one", more: "milk" }]);
});

test("what is left out of a new row gets its default or NULL, and keys that are no column are ignored", () => {
  notes.insert(db, Object.assign({ colour: "red" }, note));
  expect(notes.list(db)).toEqual([{ ...note, place: null, due: null, done: 0, mood: "calm" }]);
});

test("a second row with the key is refused, left out or put in its place", () => {
  notes.insert(db, note);
  expect(() => notes.insert(db, note)).toThrow("UNIQUE");
  expect(notes.add(db, { ...note, weight: 2 })).toBe(false);
  expect(notes.add(db, { ...note, id: "b" })).toBe(true);
  notes.put(db, { ...note, mood: "glad", weight: 3 }, ["weight"]);
  expect(notes.find(db, { id: "a" })).toMatchObject({ mood: "glad", weight: 1.5 });
  expect(notes.count(db)).toBe(2);
});

test("rows are found by values, lists and comparisons, in an order and in part", () => {
  for (const [id, due, place] of [
    ["a", 3, "x"],
    ["b", 5, null],
    ["c", null, "y"],
    ["d", 5, ""],
  ] as const)
    notes.insert(db, { ...note, id, due, place });
  const found = (match: Parameters<typeof notes.list>[1]): string[] =>
    notes.values(db, "id", match, { by: ["id"] });
  expect(found({ due: 5 })).toEqual(["b", "d"]);
  expect(found({ due: null })).toEqual(["c"]);
  expect(found({ due: { not: null } })).toEqual(["a", "b", "d"]);
  expect(found({ due: { upTo: 3 } })).toEqual(["a"]);
  expect(found({ due: { before: 3 } })).toEqual([]);
  expect(found({ due: { after: 3 }, place: null })).toEqual(["b"]);
  expect(found({ due: { after: 4, orNull: true } })).toEqual(["b", "c", "d"]);
  expect(found({ due: { after: 2, before: 5 } })).toEqual(["a"]);
  expect(found({ id: ["a", "c", "z"] })).toEqual(["a", "c"]);
  expect(found({ id: [] })).toEqual([]);
  expect(found({ place: { in: ["x", "y", ""], not: "" } })).toEqual(["a", "c"]);
  expect(found({ place: "" })).toEqual(["d"]);
  expect(notes.list(db, {}, { by: ["-due", "-id"], limit: 2, offset: 1 }).map(({ id }) => id)).toEqual([
    "b",
    "a",
  ]);
  expect(notes.min(db, "due")).toBe(3);
  expect(notes.min(db, "due", { owner: "bob" })).toBeUndefined();
  expect(notes.has(db, { owner: "ann", id: "a" })).toBe(true);
  expect(notes.has(db, { owner: "bob" })).toBe(false);
});

test("a row that is needed and missing is refused with code 16 and the name of its kind", () => {
  expect(later.need(db, { id: "one" })).toEqual({ id: "one", more: "milk" });
  const refused = (): unknown => later.need(db, { id: "x".repeat(300) });
  expect(refused).toThrow(`Thing ${"x".repeat(255)} does not exist`);
  expect(refused).toThrow(expect.objectContaining({ code: 16 }));
  expect(refused).toThrow(ApiProblem);
});

test("an update changes the row with the key alone, and returns it as it is now", () => {
  notes.insert(db, note);
  notes.insert(db, { ...note, id: "b" });
  const row = notes.find(db, { id: "a" })!;
  expect(notes.update(db, row, { done: 1, place: null })).toEqual({ ...row, done: 1 });
  expect(notes.values(db, "done", {}, { by: ["id"] })).toEqual([1, 0]);
  expect(notes.change(db, { owner: "ann" }, { mood: "glad" })).toBe(2);
  expect(notes.remove(db, { done: 1 })).toBe(1);
  expect(notes.values(db, "id")).toEqual(["b"]);
});

test("0, 1 and the empty text stand in the statement, so that a partial index serves them", () => {
  const statements: string[] = [];
  const seeing = { ...db, all: (sql: string) => (statements.push(sql), []) };
  notes.list(seeing, { done: 0, due: { upTo: 1 }, mood: { not: "" }, place: "x" });
  expect(statements).toEqual([
    "SELECT * FROM notes WHERE done = 0 AND due <= 1 AND mood <> '' AND place = ?",
  ]);
  const plan = db.all<{ detail: string }>(
    "EXPLAIN QUERY PLAN SELECT * FROM notes WHERE done = 0 AND due <= 5",
  );
  expect(plan.map(({ detail }) => detail)).toEqual(["SEARCH notes USING INDEX notes_due (due<?)"]);
});
