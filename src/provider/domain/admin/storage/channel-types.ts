/** Channels of a type, and channels with overrides. */
import type { Database } from "../../../base/database.ts";

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
