/** Migrates a database to the newest schema: ordered SQL texts per part, each applied once, all in one transaction. */
import { DatabaseSync } from "node:sqlite";
import { StoreFailure, immutableUrl } from "../../model/files/storage.ts";
import type { SchemaPart } from "../base/database.ts";

/** Written to `user_version`; a file with a higher one was written by a newer program. */
const FORMAT = 1;

export class NewerSchema extends StoreFailure {
  constructor(file: string) {
    super(
      "newer",
      `${file} was written by a newer version of this program; update it, or use another data folder`,
    );
  }
}

/** Throws `NewerSchema` for a file with a newer schema, before anything is written to it. */
export function refuseNewer(file: string, parts: readonly SchemaPart[]): void {
  let raw: DatabaseSync | undefined;
  let newer = false;
  try {
    raw = new DatabaseSync(immutableUrl(file), { readOnly: true });
    newer = hasNewerSchema(raw, parts);
  } catch {
    // The file does not exist yet or is damaged; opening it for use will report that.
  } finally {
    raw?.close();
  }
  if (newer) throw new NewerSchema(file);
}

function hasNewerSchema(raw: DatabaseSync, parts: readonly SchemaPart[]): boolean {
  const { user_version: format } = raw.prepare("PRAGMA user_version").get() as { user_version: number };
  if (format > FORMAT) return true;
  if (!raw.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schema_part'").get()) return false;
  const ownVersions = new Map(parts.map(({ name, migrations }) => [name, migrations.length]));
  const versions = raw.prepare("SELECT name, version FROM schema_part").all() as {
    name: string;
    version: number;
  }[];
  return versions.some(({ name, version }) => version > (ownVersions.get(name) ?? Infinity));
}

/**
 * Applies the missing migrations; each part has its own version number.
 * Throws `NewerSchema` when the file has a newer schema, and leaves it untouched.
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
      const version = Number((read.get(part.name) as { version: number } | undefined)?.version ?? 0);
      if (version > part.migrations.length) throw new NewerSchema(file);
      if (version === part.migrations.length) continue;
      for (const text of part.migrations.slice(version)) raw.exec(text);
      write.run(part.name, part.migrations.length);
    }
    raw.exec(`PRAGMA user_version = ${FORMAT}`);
    raw.exec("COMMIT");
  } catch (error) {
    if (raw.isTransaction) raw.exec("ROLLBACK");
    throw error;
  }
}
