/** Stores imported channels and members, without events (specification/admin.md §10). */
import type { ImportItem } from "../../../../wire/entities/import.ts";
import { customOfItem } from "../../../../wire/imports/forms.ts";
import { splitCid } from "../../../../wire/ids.ts";
import { eraseChannel } from "../../channels/storage/erase.ts";
import { findChannel, memberRow } from "../../channels/storage/rows.ts";
import type { ImportContext } from "./import-context.ts";
import { cidOfItem } from "./import-check.ts";
import { mergeCustom, micros } from "./import-people.ts";
import { storeJobKey } from "../storage/job-keys.ts";
import {
  updateImportedChannel,
  importChannel,
  importBan,
  importMember,
  updateImportedMember,
  setLastRead,
} from "../storage/imported.ts";

export function putChannel(context: ImportContext, item: ImportItem): void {
  const { db, now } = context;
  const { data } = item;
  const cid = cidOfItem(item);
  const before = findChannel(db, cid);
  if (before && context.insertOnly) return;
  const { type, id } = splitCid(cid)!;
  const columns = {
    cid,
    created_by: data.created_by as string,
    created_at: micros(data.created_at) ?? before?.created_at ?? now,
    frozen: Number(data.frozen === true),
    disabled: Number(data.disabled === true),
    team: (data.team as string | null | undefined) ?? null,
    truncated_at: micros(data.truncated_at),
    data: JSON.stringify(mergeCustom(context, before?.data, customOfItem(item))),
    updated_at: now,
  };
  if (before) updateImportedChannel(db, columns);
  else {
    // Erases a soft-deleted channel with this id, as creating the channel would.
    eraseChannel(db, cid);
    importChannel(db, { ...columns, type, id, is_distinct: Number(id.startsWith("!members-")) });
  }
  storeJobKey(db, context.importId, "channel", cid);
  for (const userId of new Set((data.member_ids as string[] | undefined) ?? []))
    if (!memberRow(db, cid, userId)) addMember(context, cid, userId, columns.created_at);
  for (const userId of (data.banned_users as string[] | undefined) ?? [])
    importBan(db, userId, cid, data.created_by as string, now);
}

/** Adds a member who has read everything in the channel. */
const addMember = ({ db, now }: ImportContext, cid: string, userId: string, created: number): void =>
  importMember(db, cid, userId, created, Math.max(now, findChannel(db, cid)?.last_stamp ?? 0));

export function putMember(context: ImportContext, item: ImportItem): void {
  const { db, now } = context;
  const { data } = item;
  const cid = cidOfItem(item);
  const userId = data.user_id as string;
  const before = memberRow(db, cid, userId);
  if (before && context.insertOnly) return;
  const created = micros(data.created_at) ?? before?.created_at ?? now;
  if (!before) addMember(context, cid, userId, created);
  const role =
    (data.channel_role as string | null | undefined) ??
    (data.is_moderator === true ? "channel_moderator" : "channel_member");
  const accepted = micros(data.invited_accepted_at);
  const rejected = micros(data.invited_rejected_at);
  updateImportedMember(db, {
    cid,
    user_id: userId,
    channel_role: role,
    created_at: created,
    archived_at: micros(data.archived_at),
    invited: Number(data.invited === true || accepted !== null || rejected !== null),
    invite_accepted_at: accepted,
    invite_rejected_at: rejected,
    hidden_at: data.hide_channel === true ? now : null,
    hide_before: micros(data.hide_messages_before),
    data: JSON.stringify(mergeCustom(context, before?.data, customOfItem(item))),
  });
  storeJobKey(db, context.importId, "channel", cid);
  const read = micros(data.last_read);
  if (read === null) return;
  setLastRead(db, cid, userId, read);
  storeJobKey(db, context.importId, "unread", `${cid} ${userId}`);
}
