/** Copies the readable rows of a damaged database into a new one, table by table. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { openDamaged } from "../../model/files/damaged-database.ts";

export interface SalvageResult {
  rows: number;
  incomplete: string[];
}

/** Tables that the new database fills itself. */
const OWN_TABLES = new Set(["schema_part", "stamps"]);

interface Table {
  name: string;
  columns: string[];
  /** The columns its rows are stored by, for reading in either direction. */
  order: string[];
}

/**
 * `raw` has the newest schema; the damaged file may have an older one, then the common columns are copied. Triggers are dropped
 * meanwhile, because they ran when the rows were first written. Never throws for unreadable data.
 */
export function salvage(raw: DatabaseSync, from: string): SalvageResult {
  const result: SalvageResult = { rows: 0, incomplete: [] };
  let old: DatabaseSync;
  try {
    old = openDamaged(from, (...how) => new DatabaseSync(...how));
  } catch {
    return result;
  }
  raw.exec("BEGIN IMMEDIATE");
  try {
    const triggers = dropTriggers(raw);
    for (const table of tablesOf(raw)) copyTable(old, raw, table, result);
    for (const sql of triggers) raw.exec(sql);
    raw.exec("COMMIT");
  } catch (error) {
    if (raw.isTransaction) raw.exec("ROLLBACK");
    throw error;
  } finally {
    closeQuietly(old);
  }
  return result;
}

function dropTriggers(raw: DatabaseSync): string[] {
  const triggers = raw.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) raw.exec(`DROP TRIGGER "${name}"`);
  return triggers.map(({ sql }) => sql);
}

/** Ordinary tables only: the content of virtual tables is derived from them. */
function tablesOf(raw: DatabaseSync): Table[] {
  const list = raw
    .prepare("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    .all();
  return (list as { name: string; wr: number }[])
    .filter(({ name }) => !name.startsWith("sqlite_") && !OWN_TABLES.has(name))
    .map(({ name, wr }) => {
      const columns = raw.prepare("SELECT name, pk FROM pragma_table_info(?)").all(name) as {
        name: string;
        pk: number;
      }[];
      const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
      return { name, columns: columns.map((c) => c.name), order: wr ? key.map((c) => c.name) : ["rowid"] };
    });
}

/** Copies one table from its start up to the damage, then from its end as well. */
function copyTable(old: DatabaseSync, raw: DatabaseSync, table: Table, result: SalvageResult): void {
  const oldColumns = columnsOf(old, table.name);
  const columns = table.columns.filter((name) => oldColumns.has(name));
  if (columns.length === 0) return;
  const list = columns.map((name) => `"${name}"`).join(", ");
  const insert = raw.prepare(
    `INSERT OR REPLACE INTO "${table.name}" (${list}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  const read = (direction: string): boolean => {
    const order = table.order.map((name) => `${quoted(name)} ${direction}`).join(", ");
    return copyRows(old, `SELECT ${list} FROM "${table.name}" ORDER BY ${order}`, columns, insert);
  };
  if (!read("ASC")) {
    result.incomplete.push(table.name);
    read("DESC");
  }
  const { n } = raw.prepare(`SELECT count(*) AS n FROM "${table.name}"`).get() as { n: number };
  result.rows += n;
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

/** Inserts the rows of a query; false when reading failed before the end. */
function copyRows(old: DatabaseSync, sql: string, columns: string[], insert: StatementSync): boolean {
  try {
    for (const row of old.prepare(sql).iterate() as Iterable<Record<string, SQLInputValue>>) {
      try {
        insert.run(...columns.map((name) => row[name]!));
      } catch {
        // Skips a damaged row that violates the table's constraints.
      }
    }
    return true;
  } catch {
    return false;
  }
}

function closeQuietly(db: DatabaseSync): void {
  try {
    db.close();
  } catch {
    // The connection is not used any more.
  }
}
