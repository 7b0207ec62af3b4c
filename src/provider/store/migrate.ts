/** Brings a database to the newest schema: ordered SQL texts per part, each applied once, all in one transaction. */
import { DatabaseSync } from "node:sqlite";
import { StoreFailure, asItLies } from "../../model/files/storage.ts";
import type { SchemaPart } from "../base/database.ts";

/** Written to `user_version`; a file with a higher one was made by a newer program. */
const FORMAT = 1;

export class NewerSchema extends StoreFailure {
  constructor(file: string) {
    super(
      "newer",
      `${file} was written by a newer version of this program; update it, or use another data folder`,
    );
  }
}

/** Before anything else is done with a file: one that knows more than this program stays as it is to the last byte. */
export function refuseNewer(file: string, parts: readonly SchemaPart[]): void {
  let raw: DatabaseSync | undefined;
  let newer = false;
  try {
    raw = new DatabaseSync(asItLies(file), { readOnly: true });
    newer = knowsMore(raw, parts);
  } catch {
    // Not made yet, or damaged: whoever opens it in earnest finds out.
  } finally {
    raw?.close();
  }
  if (newer) throw new NewerSchema(file);
}

function knowsMore(raw: DatabaseSync, parts: readonly SchemaPart[]): boolean {
  const { user_version: format } = raw.prepare("PRAGMA user_version").get() as { user_version: number };
  if (format > FORMAT) return true;
  if (!raw.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schema_part'").get()) return false;
  const known = new Map(parts.map(({ name, migrations }) => [name, migrations.length]));
  const versions = raw.prepare("SELECT name, version FROM schema_part").all() as {
    name: string;
    version: number;
  }[];
  return versions.some(({ name, version }) => version > (known.get(name) ?? Infinity));
}

/**
 * Every part counts its own versions, so two parts can grow without agreeing on numbers.
 * Throws `NewerSchema` when the file knows more than this program, and leaves it untouched.
 */
export function migrate(raw: DatabaseSync, file: string, parts: readonly SchemaPart[]): void {
  const format = Number((raw.prepare("PRAGMA user_version").get() as { user_version: number }).user_version);
  if (format > FORMAT) throw new NewerSchema(file);
  raw.exec("BEGIN IMMEDIATE");
  try {
    raw.exec(
      "CREATE TABLE IF NOT EXISTS schema_part (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    );
    const read = raw.prepare("SELECT version FROM schema_part WHERE name = ?");
    const write = raw.prepare(
      "INSERT INTO schema_part (name, version) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET version = excluded.version",
    );
    for (const part of parts) {
      const at = Number((read.get(part.name) as { version: number } | undefined)?.version ?? 0);
      if (at > part.migrations.length) throw new NewerSchema(file);
      if (at === part.migrations.length) continue;
      for (const text of part.migrations.slice(at)) raw.exec(text);
      write.run(part.name, part.migrations.length);
    }
    raw.exec(`PRAGMA user_version = ${FORMAT}`);
    raw.exec("COMMIT");
  } catch (error) {
    if (raw.isTransaction) raw.exec("ROLLBACK");
    throw error;
  }
}
