/** Statements over push providers. */
import type { Database } from "../../../base/database.ts";

export interface ProviderRow {
  type: string;
  name: string;
  data: string;
  created_at: number;
  updated_at: number;
}

export function providerRows(db: Database): ProviderRow[] {
  return db.all<ProviderRow>("SELECT * FROM push_providers ORDER BY type, name");
}

export function findPushProvider(db: Database, type: string, name: string): ProviderRow | undefined {
  return db.get<ProviderRow>("SELECT * FROM push_providers WHERE type = ? AND name = ?", type, name);
}

export function countPushProviders(db: Database): number {
  return db.value<number>("SELECT count(*) FROM push_providers")!;
}

/** Inserts or replaces; `created_at` is kept. */
export function storePushProvider(db: Database, provider: Omit<ProviderRow, "created_at">): void {
  db.run(
    `INSERT INTO push_providers (type, name, data, created_at, updated_at)
     VALUES (:type, :name, :data, :updated_at, :updated_at)
     ON CONFLICT (type, name) DO UPDATE SET data = excluded.data, updated_at = excluded.updated_at`,
    provider,
  );
}

/** False when there was none. */
export function removePushProvider(db: Database, type: string, name: string): boolean {
  return db.run("DELETE FROM push_providers WHERE type = ? AND name = ?", type, name).changes > 0;
}

export function pushProviderNames(db: Database, type: string): string[] {
  return db.column<string>("SELECT name FROM push_providers WHERE type = ?", type);
}
