/** Writes imported rows into the tables of other subjects, with dates and states that no other call can set. */
import type { Database } from "../../../base/database.ts";
import type { ChannelRow, MemberRow } from "../../channels/storage/rows.ts";
import type { DeviceRow } from "../../devices/storage/devices.ts";
import type { ReactionRow } from "../../messages/storage/reactions.ts";
import type { MessageRow } from "../../messages/storage/rows.ts";
import type { UserRow } from "../../users/storage/rows.ts";

const TABLE_BY_KIND = {
  user: "users WHERE id",
  channel: "channels WHERE deleted_at IS NULL AND cid",
  message: "messages WHERE id",
  device: "devices WHERE id",
} as const;

export function isStored(db: Database, kind: keyof typeof TABLE_BY_KIND, key: string): boolean {
  return db.has(`SELECT 1 FROM ${TABLE_BY_KIND[kind]} = ?`, key);
}

/** Null keeps `created_at` and `push`. */
export function importUserState(
  db: Database,
  user: Pick<UserRow, "id" | "deactivated_at" | "deleted_at"> & {
    created_at: number | null;
    push: string | null;
  },
): void {
  db.run(
    `UPDATE users SET created_at = coalesce(:created_at, created_at), deactivated_at = :deactivated_at,
     deleted_at = :deleted_at, push = coalesce(:push, push) WHERE id = :id`,
    user,
  );
}

export function importBlock(db: Database, userId: string, blockedId: string, now: number): void {
  db.run(
    "INSERT OR IGNORE INTO blocks (user_id, blocked_id, created_at) VALUES (?, ?, ?)",
    userId,
    blockedId,
    now,
  );
}

export function importMute(db: Database, userId: string, targetId: string, now: number): void {
  db.run(
    "INSERT OR IGNORE INTO user_mutes (user_id, target_id, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)",
    userId,
    targetId,
    now,
  );
}

export function importChannelMute(db: Database, userId: string, cid: string, now: number): void {
  db.run(
    "INSERT OR IGNORE INTO channel_mutes (cid, user_id, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)",
    cid,
    userId,
    now,
  );
}

/** `insertOnly`: an existing device is not changed. */
export function importDevice(
  db: Database,
  insertOnly: boolean,
  device: Pick<DeviceRow, "id" | "user_id" | "push_provider" | "push_provider_name" | "created_at">,
): void {
  const onConflict = insertOnly
    ? "DO NOTHING"
    : `DO UPDATE SET user_id = excluded.user_id, push_provider = excluded.push_provider,
       push_provider_name = excluded.push_provider_name`;
  db.run(
    `INSERT INTO devices (id, user_id, push_provider, push_provider_name, created_at)
     VALUES (:id, :user_id, :push_provider, :push_provider_name, :created_at) ON CONFLICT ${onConflict}`,
    device,
  );
}

type ImportedChannel = Pick<
  ChannelRow,
  | "cid"
  | "created_by"
  | "created_at"
  | "frozen"
  | "disabled"
  | "team"
  | "truncated_at"
  | "data"
  | "updated_at"
>;

export function updateImportedChannel(db: Database, channel: ImportedChannel): void {
  db.run(
    `UPDATE channels SET created_by = :created_by, created_at = :created_at, frozen = :frozen, disabled = :disabled,
     team = :team, truncated_at = :truncated_at, data = :data, updated_at = :updated_at WHERE cid = :cid`,
    channel,
  );
}

export function importChannel(
  db: Database,
  channel: ImportedChannel & Pick<ChannelRow, "type" | "id" | "is_distinct">,
): void {
  db.run(
    `INSERT INTO channels (cid, type, id, created_at, updated_at, created_by, frozen, disabled, is_distinct, team,
     truncated_at, data) VALUES (:cid, :type, :id, :created_at, :updated_at, :created_by, :frozen, :disabled,
     :is_distinct, :team, :truncated_at, :data)`,
    channel,
  );
}

export function importBan(db: Database, userId: string, cid: string, by: string, now: number): void {
  db.run(
    "INSERT OR IGNORE INTO bans (target_id, cid, banned_by, shadow, created_at) VALUES (:userId, :cid, :by, 0, :now)",
    { userId, cid, by, now },
  );
}

/** Inserts a member, and a read state where everything up to `lastRead` is read. */
export function importMember(
  db: Database,
  cid: string,
  userId: string,
  created: number,
  lastRead: number,
): void {
  const member = { cid, userId, created, lastRead };
  db.run(
    `INSERT INTO members (cid, user_id, created_at, updated_at, banned) VALUES (:cid, :userId, :created, :created,
     EXISTS (SELECT 1 FROM bans WHERE target_id = :userId AND cid = :cid))`,
    member,
  );
  db.run(
    "INSERT OR IGNORE INTO reads (cid, user_id, unread, last_read) VALUES (:cid, :userId, 0, :lastRead)",
    member,
  );
}

export function updateImportedMember(
  db: Database,
  member: Pick<
    MemberRow,
    | "cid"
    | "user_id"
    | "channel_role"
    | "created_at"
    | "archived_at"
    | "invited"
    | "invite_accepted_at"
    | "invite_rejected_at"
    | "hidden_at"
    | "hide_before"
    | "data"
  >,
): void {
  db.run(
    `UPDATE members SET channel_role = :channel_role, created_at = :created_at, updated_at = :created_at,
     archived_at = :archived_at, invited = :invited, invite_accepted_at = :invite_accepted_at,
     invite_rejected_at = :invite_rejected_at, hidden_at = :hidden_at, hide_before = :hide_before, data = :data
     WHERE cid = :cid AND user_id = :user_id`,
    member,
  );
}

export function setLastRead(db: Database, cid: string, userId: string, lastRead: number): void {
  db.run("UPDATE reads SET last_read = ? WHERE cid = ? AND user_id = ?", lastRead, cid, userId);
}

const MESSAGE_COLUMNS = [
  "created_at",
  "updated_at",
  "user_id",
  "type",
  "listed",
  "counts",
  "parent_id",
  "quoted_id",
  "text",
  "restricted",
  "uncounted",
  "pinned_at",
  "pin_expires",
  "pinned_by",
  "deleted_at",
  "was",
  "data",
] as const;
export type ImportedMessage = Pick<MessageRow, (typeof MESSAGE_COLUMNS)[number] | "id" | "cid">;

const UPDATE_MESSAGE = `UPDATE message_rows SET ${MESSAGE_COLUMNS.map((name) => `${name} = :${name}`).join(", ")} WHERE id = :id`;
const INSERT_MESSAGE = `INSERT INTO message_rows (${MESSAGE_COLUMNS.join(", ")}, id, cid)
  VALUES (${MESSAGE_COLUMNS.map((name) => `:${name}`).join(", ")}, :id, :cid)`;

/** `exists`: updates the stored message. */
export function importMessage(db: Database, message: ImportedMessage, exists: boolean): void {
  db.run(exists ? UPDATE_MESSAGE : INSERT_MESSAGE, message);
}

/** Adds `delta` to the reply count of a message, and to the author's own count in the thread unless the reply is deleted. */
export function countImportedReply(
  db: Database,
  parentId: string,
  author: string,
  notDeleted: boolean,
  delta: 1 | -1,
): void {
  const column = notDeleted ? "reply_count" : "deleted_reply_count";
  db.run(`UPDATE message_rows SET ${column} = max(0, ${column} + ?) WHERE id = ?`, delta, parentId);
  if (notDeleted)
    db.run(
      "UPDATE threads SET written = max(0, written + ?) WHERE parent_id = ? AND user_id = ?",
      delta,
      parentId,
      author,
    );
}

/** Adds a thread participant who has read everything up to `created`. */
export function importParticipant(
  db: Database,
  participant: { parentId: string; userId: string; cid: string; created: number },
): void {
  db.run(
    `INSERT INTO threads (parent_id, user_id, cid, created_at, last_read)
     VALUES (:parentId, :userId, :cid, :created, :created)
     ON CONFLICT DO UPDATE SET last_read = max(last_read, excluded.last_read)`,
    participant,
  );
}

/** `insertOnly`: an existing reaction is not changed. False when nothing was written. */
export function importReaction(
  db: Database,
  insertOnly: boolean,
  reaction: Omit<ReactionRow, "updated_at">,
): boolean {
  const onConflict = insertOnly
    ? "DO NOTHING"
    : `DO UPDATE SET score = excluded.score, created_at = excluded.created_at, updated_at = excluded.updated_at,
       data = excluded.data`;
  return (
    db.run(
      `INSERT INTO reactions (message_id, user_id, type, score, created_at, updated_at, data)
       VALUES (:message_id, :user_id, :type, :score, :created_at, :created_at, :data) ON CONFLICT ${onConflict}`,
      reaction,
    ).changes > 0
  );
}

/** Whether the stored reaction has the same score and fields. */
export const isStoredReaction = (db: Database, reaction: Omit<ReactionRow, "updated_at">): boolean =>
  db.has(
    "SELECT 1 FROM reactions WHERE message_id = :message_id AND user_id = :user_id AND type = :type AND score = :score AND data = :data",
    reaction,
  );

/** Recounts the members and messages of a channel, and finds its newest message. */
export function recountChannel(db: Database, cid: string): void {
  db.run(
    `UPDATE channels SET
       member_count = (SELECT count(*) FROM members WHERE cid = ?1),
       message_count = (SELECT count(*) FROM messages WHERE cid = ?1),
       last_message_at = (SELECT created_at FROM messages WHERE cid = ?1 AND listed = 1 ORDER BY created_at DESC LIMIT 1),
       last_stamp = max(last_stamp, coalesce((SELECT max(created_at) FROM messages WHERE cid = ?1), 0))
     WHERE cid = ?1`,
    cid,
  );
}
