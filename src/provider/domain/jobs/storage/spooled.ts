/** Statements over the files of exports and imports. */
import type { SpoolKind } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";

interface Spooled {
  kind: SpoolKind;
  name: string;
  remove_at: number;
}

export function insertSpooled(db: Database, kind: SpoolKind, name: string, removeAt: number): void {
  db.run("INSERT OR IGNORE INTO spooled (kind, name, remove_at) VALUES (?, ?, ?)", kind, name, removeAt);
}

export function isSpooled(db: Database, kind: SpoolKind, name: string): boolean {
  return db.has("SELECT 1 FROM spooled WHERE kind = ? AND name = ?", kind, name);
}

/** The file to remove first. */
export function firstSpooled(db: Database): Spooled | undefined {
  return db.get<Spooled>("SELECT * FROM spooled ORDER BY remove_at LIMIT 1");
}

export function removeSpooled(db: Database, { kind, name }: Spooled): void {
  db.run("DELETE FROM spooled WHERE kind = ? AND name = ?", kind, name);
}
