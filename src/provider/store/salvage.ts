/** Copies what can still be read of a damaged database into a fresh one, table by table. */
import { existsSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { asItLies } from "../../model/files/storage.ts";

export interface Saved {
  rows: number;
  /** Tables of which something could not be read. */
  broken: string[];
}

/** What is drawn or counted anew by the fresh database itself. */
const OWN = new Set(["schema_part", "stamps"]);

interface Table {
  name: string;
  columns: string[];
  /** What its rows are stored by, for reading from the other end. */
  order: string[];
}

/**
 * `raw` has the newest schema; the damaged file may have an older one, then the columns both know are copied. Triggers
 * rest meanwhile: what they would do was done when the rows were new. Never throws for what cannot be read.
 */
export function salvage(raw: DatabaseSync, from: string): Saved {
  const saved: Saved = { rows: 0, broken: [] };
  let old: DatabaseSync;
  try {
    // A log that was left holds the newest rows.
    old = new DatabaseSync(existsSync(`${from}-wal`) ? from : asItLies(from), { readOnly: true });
    old.prepare("SELECT count(*) FROM sqlite_master").get();
  } catch {
    return saved;
  }
  raw.exec("PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE");
  try {
    const triggers = restingTriggers(raw);
    for (const table of tablesOf(raw)) copy(old, raw, table, saved);
    for (const sql of triggers) raw.exec(sql);
    dropOrphans(raw);
    raw.exec("COMMIT");
  } catch (error) {
    if (raw.isTransaction) raw.exec("ROLLBACK");
    throw error;
  } finally {
    raw.exec("PRAGMA foreign_keys = ON");
    closeQuietly(old);
  }
  return saved;
}

function restingTriggers(raw: DatabaseSync): string[] {
  const found = raw.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of found) raw.exec(`DROP TRIGGER "${name}"`);
  return found.map(({ sql }) => sql);
}

/** Plain tables only: what a virtual table keeps is derived from them. */
function tablesOf(raw: DatabaseSync): Table[] {
  const list = raw
    .prepare("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    .all();
  return (list as { name: string; wr: number }[])
    .filter(({ name }) => !name.startsWith("sqlite_") && !OWN.has(name))
    .map(({ name, wr }) => {
      const columns = raw.prepare("SELECT name, pk FROM pragma_table_info(?)").all(name) as {
        name: string;
        pk: number;
      }[];
      const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
      return { name, columns: columns.map((c) => c.name), order: wr ? key.map((c) => c.name) : ["rowid"] };
    });
}

/** From the front as far as it goes; where that breaks off, from the back as well. */
function copy(old: DatabaseSync, raw: DatabaseSync, table: Table, saved: Saved): void {
  const known = columnsOf(old, table.name);
  const columns = table.columns.filter((name) => known.has(name));
  if (columns.length === 0) return;
  const list = columns.map((name) => `"${name}"`).join(", ");
  const insert = raw.prepare(
    `INSERT OR REPLACE INTO "${table.name}" (${list}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  const read = (direction: string): boolean => {
    const order = table.order.map((name) => `${quoted(name)} ${direction}`).join(", ");
    return take(old, `SELECT ${list} FROM "${table.name}" ORDER BY ${order}`, columns, insert);
  };
  if (!read("ASC")) {
    saved.broken.push(table.name);
    read("DESC");
  }
  const { n } = raw.prepare(`SELECT count(*) AS n FROM "${table.name}"`).get() as { n: number };
  saved.rows += n;
}

const quoted = (name: string): string => (name === "rowid" ? name : `"${name}"`);

function columnsOf(old: DatabaseSync, table: string): Set<string> {
  try {
    const rows = old.prepare("SELECT name FROM pragma_table_info(?)").all(table) as { name: string }[];
    return new Set(rows.map(({ name }) => name));
  } catch {
    return new Set();
  }
}

/** False when the table broke off before its end. */
function take(old: DatabaseSync, sql: string, columns: string[], insert: StatementSync): boolean {
  try {
    for (const row of old.prepare(sql).iterate() as Iterable<Record<string, SQLInputValue>>) {
      try {
        insert.run(...columns.map((name) => row[name]!));
      } catch {
        // A damaged row that breaks the rules of its table is not worth the others.
      }
    }
    return true;
  } catch {
    return false;
  }
}

/** Rows whose parent was lost would be refused by nobody and found by nobody. */
function dropOrphans(raw: DatabaseSync): void {
  for (let round = 0; round < 10; round++) {
    const orphans = raw.prepare("PRAGMA foreign_key_check").all() as {
      table: string;
      rowid: number | null;
    }[];
    const known = orphans.filter(({ rowid }) => rowid !== null);
    if (known.length === 0) return;
    for (const { table, rowid } of known) raw.prepare(`DELETE FROM "${table}" WHERE rowid = ?`).run(rowid);
  }
}

function closeQuietly(db: DatabaseSync): void {
  try {
    db.close();
  } catch {
    // Nothing depends on it any more.
  }
}
