/** The schema of a new database: what was released stays as it is, whatever its text is made of. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../domain/support.ts";

/** A `CREATE` statement without comments, and with one blank where it has several. */
const plain = (sql: string): string =>
  sql.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")").trim();

test("a new database has every table, index, view and trigger of the released schema, unchanged", () => {
  const released = readFileSync(path.join(import.meta.dirname, "released-schema.sql"), "utf8");
  const created = openDatabase().column<string>("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL");
  const now = new Set(created.map((sql) => `${plain(sql)};`));
  const statements = released.split("\n").filter((line) => line !== "");
  expect(statements.length).toBeGreaterThan(200);
  expect(statements.filter((statement) => !now.has(statement))).toEqual([]);
});
