/** Drafts as rows, and as they ride on messages, threads and channel states: without the objects around them. */
import type { Attachment } from "../../../../wire/attachment.ts";
import type { Draft } from "../../../../wire/draft.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Database } from "../../../store/database.ts";
import type { Fields } from "../../validation/check.ts";
import type { People } from "../../users/view/users.ts";

export interface DraftRow {
  user_id: string;
  cid: string;
  /** `""` for the channel's own. */
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

/** The user's thread drafts by parent message (DR-5); nobody's without a user. */
export function draftsUnder(
  db: Database,
  people: People,
  userId: string | undefined,
  parentIds: readonly string[],
): Map<string, Draft> {
  const found = new Map<string, Draft>();
  if (userId === undefined || parentIds.length === 0) return found;
  for (const row of db.all<DraftRow>(
    `SELECT * FROM drafts WHERE parent_id IN (SELECT value FROM json_each(?)) AND parent_id <> '' AND user_id = ?`,
    JSON.stringify(parentIds),
    userId,
  ))
    found.set(row.parent_id, draftView(people, row));
  return found;
}

/** The user's own draft of each channel by cid (DR-5). */
export function draftsIn(
  db: Database,
  people: People,
  userId: string | undefined,
  cids: readonly string[],
): Map<string, Draft> {
  const found = new Map<string, Draft>();
  if (userId === undefined || cids.length === 0) return found;
  for (const row of db.all<DraftRow>(
    `SELECT * FROM drafts WHERE user_id = ? AND cid IN (SELECT value FROM json_each(?)) AND parent_id = ''`,
    userId,
    JSON.stringify(cids),
  ))
    found.set(row.cid, draftView(people, row));
  return found;
}
