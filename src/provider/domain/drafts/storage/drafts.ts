/** Stored drafts: their table, the list of a user's (DR-4), and their short form in messages, threads and channel states. */
import type { Attachment } from "../../../../wire/entities/attachment.ts";
import type { Draft } from "../../../../wire/entities/draft.ts";
import { draftBodies } from "../../../../wire/bodies/drafts.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";
import { ONE_OF, DATE_RANGE, textField, timeField } from "../../query/filter-fields.ts";
import { ownEntry, type ListDefinition } from "../../query/listing.ts";
import type { Fields } from "../../validation/check.ts";
import type { People } from "../../users/view/users.ts";

export const drafts = table(
  "drafts",
  {
    user_id: TEXT.key,
    cid: TEXT.key,
    /** `""` for the draft of the channel itself. */
    parent_id: TEXT.default("").key,
    /** The last save. */
    created_at: INTEGER,
    quoted_id: TEXT.null,
    poll_id: TEXT.null,
    /** JSON of `DraftData`. */
    data: TEXT,
  },
  {
    indexes: {
      drafts_by_age: "(user_id, created_at)",
      drafts_of_channel: "(cid)",
      drafts_of_parent: "(parent_id, user_id) WHERE parent_id <> ''",
      drafts_asking: "(poll_id) WHERE poll_id IS NOT NULL",
      drafts_quoting: "(quoted_id) WHERE quoted_id IS NOT NULL",
    },
  },
);
export type DraftRow = RowOf<typeof drafts>;

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
  const rows = drafts.list(db, { parent_id: { in: parentIds, not: "" }, user_id: userId });
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
  const rows = drafts.list(db, { user_id: userId, cid: cids, parent_id: "" });
  return new Map(rows.map((row) => [row.cid, draftView(people, row)]));
}

export const DRAFT_LIST: ListDefinition<DraftRow> = {
  name: "drafts",
  from: "drafts d JOIN channels c ON c.cid = d.cid",
  columns: "d.*",
  of: "d.user_id = ?",
  fields: ownEntry({
    channel_cid: textField("d.cid", ONE_OF),
    // A draft without a parent has '' in the table and matches NULL in a filter.
    parent_id: textField("nullif(d.parent_id, '')", ["$eq", "$in", "$exists"]),
    created_at: timeField("d.created_at", DATE_RANGE),
  }),
  orders: ownEntry({ created_at: "d.created_at" }),
  fallback: [{ expression: "d.created_at", direction: -1 }],
  // A cid contains no space, so the space separates the two parts.
  tie: { expression: "d.cid || ' ' || d.parent_id", direction: 1 },
  limit: draftBodies.queryDrafts.limit,
};
