/** Caches data of rarely changing tables until a trigger changes their stamp. */
import type { Database } from "../base/database.ts";

export const stampsTable =
  "CREATE TABLE stamps (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;";

/**
 * Triggers that give `name` a new stamp with every change of the tables. Stamps are random and not counted: a rollback restores
 * the old stamp, and a later change must not get the stamp of the change that was rolled back.
 */
export function stampOn(name: string, tables: readonly string[]): string {
  const newStamp = `UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = '${name}';`;
  return [
    `INSERT INTO stamps (name, value) VALUES ('${name}', 0);`,
    ...tables.flatMap((table) =>
      ["INSERT", "UPDATE", "DELETE"].map(
        (change) =>
          `CREATE TRIGGER ${table}_${change.toLowerCase()}_stamp AFTER ${change} ON ${table} BEGIN ${newStamp} END;`,
      ),
    ),
  ].join("\n");
}

/** A reader that calls `read` again only when the stamp of its tables differs, also after a rollback. */
export function cachedByStamp<T>(name: string, read: (db: Database) => T): (db: Database) => T {
  const cache = new WeakMap<Database, { stamp: number; value: T }>();
  return (db) => {
    const stamp = db.get<{ value: number }>("SELECT value FROM stamps WHERE name = ?", name)!.value;
    const cached = cache.get(db);
    if (cached && cached.stamp === stamp) return cached.value;
    const value = read(db);
    cache.set(db, { stamp, value });
    return value;
  };
}
