/** Stores imported channels and members, without events (specification/admin.md §10). */
import type { ImportItem } from "../../../../wire/entities/import.ts";
import { customOfItem } from "../../../../wire/imports/forms.ts";
import { splitCid } from "../../../../wire/ids.ts";
import { maybeTime, timeFromMicros } from "../../../../wire/time.ts";
import { eraseChannel } from "../../channels/storage/erase.ts";
import {
  findChannel,
  memberRow,
  readRow,
  type ChannelRow,
  type MemberRow,
} from "../../channels/storage/rows.ts";
import type { Fields } from "../../validation/check.ts";
import { combined, described } from "./import-combine.ts";
import { isOfOwner, type ImportContext } from "./import-context.ts";
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

/** A stored channel in the form of an item. */
const storedChannel = (row: ChannelRow): Fields => ({
  ...(JSON.parse(row.data) as Fields),
  created_at: timeFromMicros(row.created_at),
  frozen: row.frozen === 1,
  disabled: row.disabled === 1,
  team: row.team,
  truncated_at: maybeTime(row.truncated_at) ?? null,
});

const KEYS_OF_CHANNEL = ["type", "id", "member_ids", "created_by", "banned_users"] as const;

export function putChannel(context: ImportContext, item: ImportItem): void {
  const { db, now } = context;
  const cid = cidOfItem(item);
  const before = findChannel(db, cid);
  if (before && context.mode === "insert") return;
  const data = combined(
    context,
    "channel",
    before && storedChannel(before),
    described(item, ...KEYS_OF_CHANNEL),
  );
  // The creator of an existing channel is changed by the protocol's mode only: converters name somebody because one is required.
  const createdBy = before && isOfOwner(context) ? before.created_by : (item.data.created_by as string);
  if (data)
    writeChannelItem(context, { type: "channel", data: { ...data, created_by: createdBy } }, cid, before);
  storeJobKey(db, context.importId, "channel", cid);
  const created = findChannel(db, cid)!.created_at;
  for (const userId of new Set((item.data.member_ids as string[] | undefined) ?? []))
    if (!memberRow(db, cid, userId)) addMember(context, cid, userId, created);
  for (const userId of (item.data.banned_users as string[] | undefined) ?? [])
    importBan(db, userId, cid, item.data.created_by as string, now);
}

function writeChannelItem(
  context: ImportContext,
  item: ImportItem,
  cid: string,
  before: ChannelRow | undefined,
): void {
  const { db, now } = context;
  const { data } = item;
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
    eraseChannel(db, cid, now);
    importChannel(db, { ...columns, type, id, is_distinct: Number(id.startsWith("!members-")) });
  }
}

/** Adds a member who has read everything in the channel. */
const addMember = ({ db, now }: ImportContext, cid: string, userId: string, created: number): void =>
  importMember(db, cid, userId, created, Math.max(now, findChannel(db, cid)?.last_stamp ?? 0));

/** A stored membership in the form of an item. */
const storedMember = (row: MemberRow, lastRead: number | undefined): Fields => ({
  ...(JSON.parse(row.data) as Fields),
  channel_role: row.channel_role,
  created_at: timeFromMicros(row.created_at),
  archived_at: maybeTime(row.archived_at) ?? null,
  invited: row.invited === 1,
  invited_accepted_at: maybeTime(row.invite_accepted_at) ?? null,
  invited_rejected_at: maybeTime(row.invite_rejected_at) ?? null,
  hide_channel: row.hidden_at !== null,
  hide_messages_before: maybeTime(row.hide_before) ?? null,
  last_read: maybeTime(lastRead ?? null) ?? null,
});

/** The membership that an item describes: `is_moderator` is an older way to write a role. */
function describedMember(item: ImportItem): Fields {
  const { is_moderator: isModerator, ...data } = described(
    item,
    "channel_type",
    "channel_id",
    "channel_member_ids",
    "user_id",
  );
  const role = data.channel_role ?? (isModerator === true ? "channel_moderator" : undefined);
  return { ...data, ...(role === undefined ? {} : { channel_role: role }) };
}

export function putMember(context: ImportContext, item: ImportItem): void {
  const { db } = context;
  const cid = cidOfItem(item);
  const userId = item.data.user_id as string;
  const before = memberRow(db, cid, userId);
  const stored = before && storedMember(before, readRow(db, cid, userId)?.last_read);
  const data = combined(context, "member", stored, describedMember(item));
  if (data) writeMemberItem(context, { type: "member", data: { ...data, user_id: userId } }, cid, before);
}

function writeMemberItem(
  context: ImportContext,
  item: ImportItem,
  cid: string,
  before: MemberRow | undefined,
): void {
  const { db, now } = context;
  const { data } = item;
  const userId = data.user_id as string;
  const created = micros(data.created_at) ?? before?.created_at ?? now;
  if (!before) addMember(context, cid, userId, created);
  const role = (data.channel_role as string | null | undefined) ?? "channel_member";
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
    hidden_at: data.hide_channel === true ? (before?.hidden_at ?? now) : null,
    hide_before: micros(data.hide_messages_before),
    data: JSON.stringify(mergeCustom(context, before?.data, customOfItem(item))),
  });
  storeJobKey(db, context.importId, "channel", cid);
  const read = micros(data.last_read);
  if (read === null) return;
  setLastRead(db, cid, userId, read);
  storeJobKey(db, context.importId, "unread", `${cid} ${userId}`);
}
