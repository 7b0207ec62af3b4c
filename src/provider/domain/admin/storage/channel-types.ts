/** Stored changes of channel types, and channels with overrides. */
import type { Database } from "../../../base/database.ts";

/** `settings`: JSON. */
export function storedTypes(db: Database): { name: string; settings: string }[] {
  return db.all("SELECT name, settings FROM channel_types");
}

/** JSON; undefined for a built-in type that was not changed. */
export function typeSettings(db: Database, name: string): string | undefined {
  return db.value<string>("SELECT settings FROM channel_types WHERE name = ?", name);
}

export function storeType(db: Database, name: string, settings: object, now: number): void {
  db.run(
    `INSERT INTO channel_types (name, settings, created_at, updated_at) VALUES (:name, :settings, :now, :now)
     ON CONFLICT (name) DO UPDATE SET settings = excluded.settings, updated_at = excluded.updated_at`,
    { name, settings: JSON.stringify(settings), now },
  );
}

/** `settings`: JSON. */
export function setTypeSettings(db: Database, name: string, settings: string, now: number): void {
  db.run("UPDATE channel_types SET settings = ?, updated_at = ? WHERE name = ?", settings, now, name);
}

export function removeType(db: Database, name: string): void {
  db.run("DELETE FROM channel_types WHERE name = ?", name);
}

/** Whether there is a channel of the type, even a deleted one. */
export function isUsedType(db: Database, name: string): boolean {
  return db.has("SELECT 1 FROM channels WHERE type = ? LIMIT 1", name);
}

/** `overrides`: JSON. */
export function channelsWithOverrides(db: Database): { cid: string; overrides: string }[] {
  return db.all("SELECT cid, overrides FROM channels WHERE overrides IS NOT NULL");
}

export function setOverrides(db: Database, cid: string, overrides: string | null): void {
  db.run("UPDATE channels SET overrides = ? WHERE cid = ?", overrides, cid);
}
