/** Stores imported users, devices and future bans, without events (specification/admin.md §10). */
import type { ImportItem } from "../../../../wire/entities/import.ts";
import { customOfItem } from "../../../../wire/imports/forms.ts";
import { maybeTime, timeFromMicros, timeToMicros } from "../../../../wire/time.ts";
import type { Fields } from "../../validation/check.ts";
import { futureBans } from "../../moderation/storage/bans.ts";
import { writeUser } from "../../users/rules/fields.ts";
import { acceptOldTokens, findUser, type UserRow } from "../../users/storage/rows.ts";
import { combined, described } from "./import-combine.ts";
import { countUnused, isOfOwner, keepsExisting, type ImportContext } from "./import-context.ts";
import {
  importUserState,
  importBlock,
  importMute,
  importChannelMute,
  importDevice,
} from "../storage/imported.ts";

export const micros = (date: unknown): number | null =>
  typeof date === "string" ? timeToMicros(date) : null;

/** The new custom fields, merged into the stored ones if the import has `merge_custom`. */
export const mergeCustom = (context: ImportContext, storedJson: string | undefined, custom: Fields): Fields =>
  context.merge && storedJson !== undefined ? { ...(JSON.parse(storedJson) as Fields), ...custom } : custom;

/** A stored user in the form of an item; empty fields are left out, states are null. */
function storedUser(row: UserRow): Fields {
  const push = JSON.parse(row.push) as Fields;
  return {
    ...(JSON.parse(row.data) as Fields),
    name: row.name ?? "",
    role: row.role,
    teams: JSON.parse(row.teams) as string[],
    teams_role: JSON.parse(row.teams_role) as Fields,
    invisible: row.invisible === 1,
    privacy_settings: JSON.parse(row.privacy) as Fields,
    push_preferences: push,
    created_at: timeFromMicros(row.created_at),
    deactivated_at: maybeTime(row.deactivated_at) ?? null,
    deleted_at: maybeTime(row.deleted_at) ?? null,
  };
}

const LISTS_OF_USER = ["blocked_user_ids", "user_mutes", "channel_mutes"] as const;

export function putUser(context: ImportContext, item: ImportItem): void {
  const before = findUser(context.db, item.data.id as string);
  if (before && before.deleted_at !== null && isOfOwner(context))
    return countUnused(context, { kind: "person", reason: "deleted here, and stays deleted" });
  const stored = before && storedUser(before);
  const data = combined(context, "user", stored, described(item, "id", ...LISTS_OF_USER));
  if (data) writeUserItem(context, { type: "user", data: { ...data, id: item.data.id } }, before);
  if (!before || context.mode !== "insert") addToLists(context, item);
}

function writeUserItem(context: ImportContext, item: ImportItem, before: UserRow | undefined): void {
  const { db, now } = context;
  const { data } = item;
  const id = data.id as string;
  const custom = customOfItem(item);
  for (const key of ["image", "language"] as const) if (data[key] != null) custom[key] = data[key];
  // Imports do not contain the user's status, so it is kept.
  const status = before && (JSON.parse(before.data) as Fields).status;
  if (status !== undefined) custom.status ??= status;
  if (!before) acceptOldTokens(db, id);
  writeUser(
    db,
    id,
    before,
    {
      name: (data.name as string | null | undefined) ?? null,
      data: mergeCustom(context, before?.data, custom),
      ...(data.role == null ? {} : { role: data.role as string }),
      ...(data.teams == null ? {} : { teams: data.teams as string[] }),
      ...(data.teams_role == null ? {} : { teamsRole: data.teams_role as Record<string, string> }),
      ...(data.invisible == null ? {} : { invisible: data.invisible as boolean }),
      ...(data.privacy_settings == null ? {} : { privacy: data.privacy_settings as Fields }),
    },
    now,
  );
  importUserState(db, {
    id,
    created_at: micros(data.created_at),
    deactivated_at: micros(data.deactivated_at),
    deleted_at: micros(data.deleted_at),
    push: data.push_preferences == null ? null : JSON.stringify(data.push_preferences),
  });
}

/** People and channels that the user blocks or mutes. */
function addToLists({ db, now }: ImportContext, { data }: ImportItem): void {
  const id = data.id as string;
  for (const other of (data.blocked_user_ids as string[] | undefined) ?? []) importBlock(db, id, other, now);
  for (const other of (data.user_mutes as string[] | undefined) ?? []) importMute(db, id, other, now);
  for (const cid of (data.channel_mutes as string[] | undefined) ?? []) importChannelMute(db, id, cid, now);
}

export function putDevice(context: ImportContext, { data }: ImportItem): void {
  importDevice(context.db, keepsExisting(context), {
    id: data.id as string,
    user_id: data.user_id as string,
    push_provider: data.push_provider_type as string,
    push_provider_name: data.push_provider_name as string,
    created_at: micros(data.created_at) ?? context.now,
  });
}

export function putBanOfFuture(context: ImportContext, { data }: ImportItem): void {
  const { db, now } = context;
  const [bannedBy, target] = [data.created_by as string, data.target_id as string];
  if (keepsExisting(context) && futureBans.has(db, { banned_by: bannedBy, target_id: target })) return;
  futureBans.put(db, {
    banned_by: bannedBy,
    target_id: target,
    reason: (data.reason as string | null | undefined) ?? null,
    shadow: Number(data.shadow === true),
    created_at: micros(data.created_at) ?? now,
    expires: null,
  });
}
