/** Draft rows, and drafts as a part of messages, threads and channel states: without channel, parent and quoted message. */
import type { Attachment } from "../../../../wire/entities/attachment.ts";
import type { Draft } from "../../../../wire/entities/draft.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Database } from "../../../base/database.ts";
import type { Fields } from "../../validation/check.ts";
import type { People } from "../../users/view/users.ts";

export interface DraftRow {
  user_id: string;
  cid: string;
  /** `""` for the draft of the channel itself. */
  parent_id: string;
  created_at: number;
  quoted_id: string | null;
  poll_id: string | null;
  data: string;
}

/** The JSON of `data`. */
export interface DraftData {
  id: string;
  text: string;
  attachments?: Attachment[];
  /** Mentioned user ids. */
  mentioned?: string[];
  show_in_channel?: true;
  silent?: true;
  type?: "regular" | "system";
  html?: string;
  mml?: string;
  custom?: Fields;
}

export function draftView(people: People, row: DraftRow): Draft {
  const { custom, mentioned = [], attachments = [], ...data } = JSON.parse(row.data) as DraftData;
  people.load(mentioned);
  const thread = row.parent_id === "" ? {} : { parent_id: row.parent_id };
  return {
    channel_cid: row.cid,
    ...thread,
    message: {
      ...custom,
      ...data,
      attachments,
      mentioned_users: mentioned.map((id) => people.get(id)),
      ...thread,
      ...(row.quoted_id === null ? {} : { quoted_message_id: row.quoted_id }),
      ...(row.poll_id === null ? {} : { poll_id: row.poll_id }),
    },
    created_at: timeFromMicros(row.created_at),
  };
}

/** The user's thread drafts by parent message id (DR-5); empty without a user. */
export function threadDraftsOf(
  db: Database,
  people: People,
  userId: string | undefined,
  parentIds: readonly string[],
): Map<string, Draft> {
  if (userId === undefined || parentIds.length === 0) return new Map();
  const rows = db.all<DraftRow>(
    `SELECT * FROM drafts WHERE parent_id IN (SELECT value FROM json_each(?)) AND parent_id <> '' AND user_id = ?`,
    JSON.stringify(parentIds),
    userId,
  );
  return new Map(rows.map((row) => [row.parent_id, draftView(people, row)]));
}

/** The user's channel drafts by cid, without thread drafts (DR-5); empty without a user. */
export function channelDraftsOf(
  db: Database,
  people: People,
  userId: string | undefined,
  cids: readonly string[],
): Map<string, Draft> {
  if (userId === undefined || cids.length === 0) return new Map();
  const rows = db.all<DraftRow>(
    `SELECT * FROM drafts WHERE user_id = ? AND cid IN (SELECT value FROM json_each(?)) AND parent_id = ''`,
    userId,
    JSON.stringify(cids),
  );
  return new Map(rows.map((row) => [row.cid, draftView(people, row)]));
}

/** `parentId` is `""` for the draft of the channel itself. */
export function findDraft(db: Database, userId: string, cid: string, parentId: string): DraftRow | undefined {
  return db.get<DraftRow>(
    "SELECT * FROM drafts WHERE user_id = ? AND cid = ? AND parent_id = ?",
    userId,
    cid,
    parentId,
  );
}

/** All users' drafts in a channel and its threads. */
export function draftsOfChannel(db: Database, cid: string): DraftRow[] {
  return db.all<DraftRow>("SELECT * FROM drafts WHERE cid = ?", cid);
}

/** All users' drafts in the threads of these messages. */
export function draftsUnderMessages(db: Database, messageIds: readonly string[]): DraftRow[] {
  return db.all<DraftRow>(
    "SELECT * FROM drafts WHERE parent_id IN (SELECT value FROM json_each(?)) AND parent_id <> ''",
    JSON.stringify(messageIds),
  );
}

export function draftsQuoting(db: Database, messageIds: readonly string[]): DraftRow[] {
  return db.all<DraftRow>(
    "SELECT * FROM drafts WHERE quoted_id IN (SELECT value FROM json_each(?)) AND quoted_id IS NOT NULL",
    JSON.stringify(messageIds),
  );
}

export function draftsWithPoll(db: Database, pollId: string): DraftRow[] {
  return db.all<DraftRow>("SELECT * FROM drafts WHERE poll_id = ?", pollId);
}

/** Inserts or replaces. */
export function storeDraft(db: Database, row: DraftRow): void {
  db.run(
    `INSERT INTO drafts (user_id, cid, parent_id, created_at, quoted_id, poll_id, data)
     VALUES (:user_id, :cid, :parent_id, :created_at, :quoted_id, :poll_id, :data)
     ON CONFLICT DO UPDATE SET created_at = excluded.created_at, quoted_id = excluded.quoted_id,
     poll_id = excluded.poll_id, data = excluded.data`,
    row,
  );
}

/** Updates the quote and the poll of an existing draft. */
export function storeDraftLinks(db: Database, row: DraftRow): void {
  db.run(
    `UPDATE drafts SET quoted_id = :quoted_id, poll_id = :poll_id
     WHERE user_id = :user_id AND cid = :cid AND parent_id = :parent_id`,
    row,
  );
}

export function removeDraft(db: Database, { user_id, cid, parent_id }: DraftRow): void {
  db.run("DELETE FROM drafts WHERE user_id = ? AND cid = ? AND parent_id = ?", user_id, cid, parent_id);
}
