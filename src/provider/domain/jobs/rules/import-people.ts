/** Stores users, devices and future bans of an import; nothing is told to anybody (specification/admin.md §10). */
import type { ImportItem } from "../../../../wire/import.ts";
import { customOfItem } from "../../../../wire/import-forms.ts";
import { timeToMicros } from "../../../../wire/time.ts";
import type { Fields } from "../../validation/check.ts";
import { putFutureBan } from "../../moderation/storage/future-bans.ts";
import { writeUser } from "../../users/rules/fields.ts";
import { findUser } from "../../users/storage/rows.ts";
import type { Ground } from "./import-apply.ts";

export const micros = (date: unknown): number | null =>
  typeof date === "string" ? timeToMicros(date) : null;

/** What stays of the old custom fields beside the new ones. */
export const mergedWith = (ground: Ground, old: string | undefined, custom: Fields): Fields =>
  ground.merge && old !== undefined ? { ...(JSON.parse(old) as Fields), ...custom } : custom;

export function putUser(ground: Ground, item: ImportItem): void {
  const { db, now } = ground;
  const { data } = item;
  const id = data.id as string;
  const before = findUser(db, id);
  if (before && ground.insertOnly) return;
  const custom = customOfItem(item);
  for (const key of ["image", "language"] as const) if (data[key] != null) custom[key] = data[key];
  // the status is the user's own word, no import writes it
  const status = before && (JSON.parse(before.data) as Fields).status;
  if (status !== undefined) custom.status ??= status;
  writeUser(
    db,
    id,
    before,
    {
      name: (data.name as string | null | undefined) ?? null,
      data: mergedWith(ground, before?.data, custom),
      ...(data.role == null ? {} : { role: data.role as string }),
      ...(data.teams == null ? {} : { teams: data.teams as string[] }),
      ...(data.teams_role == null ? {} : { teamsRole: data.teams_role as Record<string, string> }),
      ...(data.invisible == null ? {} : { invisible: data.invisible as boolean }),
      ...(data.privacy_settings == null ? {} : { privacy: data.privacy_settings as Fields }),
    },
    now,
  );
  db.run(
    `UPDATE users SET created_at = coalesce(?2, created_at), deactivated_at = ?3, deleted_at = ?4,
     push = coalesce(?5, push) WHERE id = ?1`,
    id,
    micros(data.created_at),
    micros(data.deactivated_at),
    micros(data.deleted_at),
    data.push_preferences == null ? null : JSON.stringify(data.push_preferences),
  );
  for (const other of (data.blocked_user_ids as string[] | undefined) ?? [])
    db.run("INSERT OR IGNORE INTO blocks (user_id, blocked_id, created_at) VALUES (?, ?, ?)", id, other, now);
  for (const other of (data.user_mutes as string[] | undefined) ?? [])
    db.run(
      "INSERT OR IGNORE INTO user_mutes (user_id, target_id, created_at, updated_at) VALUES (?, ?, ?, ?)",
      id,
      other,
      now,
      now,
    );
  for (const cid of (data.channel_mutes as string[] | undefined) ?? [])
    db.run(
      "INSERT OR IGNORE INTO channel_mutes (cid, user_id, created_at, updated_at) VALUES (?, ?, ?, ?)",
      cid,
      id,
      now,
      now,
    );
}

export function putDevice(ground: Ground, { data }: ImportItem): void {
  ground.db.run(
    `INSERT INTO devices (id, user_id, push_provider, push_provider_name, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT ${
       ground.insertOnly
         ? "DO NOTHING"
         : `DO UPDATE SET user_id = excluded.user_id, push_provider = excluded.push_provider,
            push_provider_name = excluded.push_provider_name`
     }`,
    data.id as string,
    data.user_id as string,
    data.push_provider_type as string,
    data.push_provider_name as string,
    micros(data.created_at) ?? ground.now,
  );
}

export function putBanOfFuture({ db, now, insertOnly }: Ground, { data }: ImportItem): void {
  const [by, target] = [data.created_by as string, data.target_id as string];
  if (
    insertOnly &&
    db.get("SELECT 1 FROM future_bans WHERE banned_by = ? AND target_id = ?", by, target) !== undefined
  )
    return;
  putFutureBan(db, {
    banned_by: by,
    target_id: target,
    reason: (data.reason as string | null | undefined) ?? null,
    shadow: Number(data.shadow === true),
    created_at: micros(data.created_at) ?? now,
    expires: null,
  });
}
