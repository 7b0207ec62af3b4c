/** Named parameters of SQL statements: the values of one object are bound wherever the statement names them. */
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../../src/provider/store/open.ts";

const db = openDatabase(":memory:", [
  { name: "x", migrations: ["CREATE TABLE notes (id TEXT, at INTEGER, text TEXT)"] },
]);
afterAll(() => db.close());

const insert = "INSERT INTO notes (id, at, text) VALUES (:id, :at, :text)";

test("binds the named values of an object and ignores those that the statement does not name", () => {
  db.run(insert, { text: "milk", id: "a", more: true, at: 3 });
  expect(db.get("SELECT * FROM notes WHERE id = ?", "a")).toEqual({ id: "a", at: 3, text: "milk" });
});

test("one name may be used in several places, and text in quotes is not a name", () => {
  const sql = "SELECT :at AS at, ':at' AS quoted, at - :at AS rest, :id AS id FROM notes WHERE id = :id";
  expect(db.all(sql, { id: "a", at: 1 })).toEqual([{ at: 1, quoted: ":at", rest: 2, id: "a" }]);
});

test("a missing name is refused and not bound as NULL", () => {
  expect(() => db.run(insert, { id: "b", at: 4 })).toThrow();
  expect(db.get("SELECT 1 FROM notes WHERE id = 'b'")).toBeUndefined();
});

test("positional values are bound in their order", () => {
  db.run("UPDATE notes SET text = ?1, at = ?2 WHERE id = ?3 AND text <> ?1", "bread", 5, "a");
  expect(db.get("SELECT text, at FROM notes")).toEqual({ text: "bread", at: 5 });
});

test("a bound limit is one that SQLite makes no plan for, named or not, and limits the rows", () => {
  const rows = "SELECT value FROM json_each('[1,2,3]')";
  expect(db.prepare(`${rows} LIMIT ? OFFSET ?`).sourceSQL).toBe(`${rows} LIMIT +? OFFSET ?`);
  expect(db.all(`${rows} LIMIT ? OFFSET ?`, 1, 1)).toEqual([{ value: 2 }]);
  expect(db.all(`${rows} WHERE value > :from LIMIT :most`, { most: 1, from: 1 })).toEqual([{ value: 2 }]);
});
