/** Caches what was read from rarely changing tables until their change number moves. */
import type { Database } from "../base/database.ts";

export const stampsTable =
  "CREATE TABLE stamps (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;";

/**
 * Triggers that give `name` a new stamp with every change of the tables. A stamp is drawn, not counted: when a change is
 * undone the old one is back with it, and no later change can get the number of the one that was undone.
 */
export function stampOn(name: string, tables: readonly string[]): string {
  const draw = `UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = '${name}';`;
  return [
    `INSERT INTO stamps (name, value) VALUES ('${name}', 0);`,
    ...tables.flatMap((table) =>
      ["INSERT", "UPDATE", "DELETE"].map(
        (change) =>
          `CREATE TRIGGER ${table}_${change.toLowerCase()}_stamp AFTER ${change} ON ${table} BEGIN ${draw} END;`,
      ),
    ),
  ].join("\n");
}

/** A reader that reads anew only when the stamp of its tables is another one: also after a change was undone. */
export function cachedByStamp<T>(name: string, read: (db: Database) => T): (db: Database) => T {
  const known = new WeakMap<Database, { stamp: number; value: T }>();
  return (db) => {
    const stamp = db.get<{ value: number }>("SELECT value FROM stamps WHERE name = ?", name)!.value;
    const found = known.get(db);
    if (found && found.stamp === stamp) return found.value;
    const value = read(db);
    known.set(db, { stamp, value });
    return value;
  };
}
