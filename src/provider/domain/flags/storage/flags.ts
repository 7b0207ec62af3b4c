/** The table of flags and their list: at most one by each user on each message or user. */
import type { Database } from "../../../base/database.ts";
import { INTEGER, table, TEXT, type RowOf } from "../../../store/table.ts";
import { EQUAL, flagField, textField, timeField, type Sql } from "../../query/filter-fields.ts";
import { ownEntry, type OffsetListDefinition } from "../../query/listing.ts";

export const flags = table(
  "flags",
  {
    seq: INTEGER.serial,
    /** `""`: flagged by a blocklist. */
    user_id: TEXT,
    /** `""`: the user was flagged, not a message. */
    message_id: TEXT,
    target_id: TEXT,
    cid: TEXT.null,
    reason: TEXT.null,
    custom: TEXT.null,
    created_at: INTEGER,
    updated_at: INTEGER,
    reviewed_at: INTEGER.null,
    reviewed_by: TEXT.null,
    review_result: TEXT.null,
  },
  {
    rowid: true,
    indexes: {
      flags_one: "UNIQUE (user_id, message_id, target_id)",
      flags_of_message: "(message_id) WHERE message_id <> ''",
      flags_of_target: "(target_id)",
      flags_by_age: "(created_at DESC, seq DESC) WHERE message_id <> ''",
    },
  },
);
export type FlagRow = RowOf<typeof flags>;

/** Inserts a flag, or updates reason and custom data of the user's earlier flag. */
export function storeFlag(
  db: Database,
  flag: Pick<FlagRow, "user_id" | "message_id" | "target_id" | "cid" | "reason" | "custom" | "created_at">,
): FlagRow {
  return db.get<FlagRow>(
    `INSERT INTO flags (user_id, message_id, target_id, cid, reason, custom, created_at, updated_at)
     VALUES (:user_id, :message_id, :target_id, :cid, :reason, :custom, :created_at, :created_at)
     ON CONFLICT DO UPDATE SET reason = excluded.reason, custom = coalesce(excluded.custom, custom),
       updated_at = excluded.updated_at RETURNING *`,
    flag,
  )!;
}

export function flagCounts(db: Database, messageIds: readonly string[]): Map<string, number> {
  const rows = db.all<{ message_id: string; n: number }>(
    `SELECT message_id, count(*) AS n FROM flags WHERE message_id <> ''
     AND message_id IN (SELECT value FROM json_each(:ids)) GROUP BY message_id`,
    { ids: JSON.stringify(messageIds) },
  );
  return new Map(rows.map(({ message_id, n }) => [message_id, n]));
}

/** Flags on messages. */
export const FLAG_LIST: OffsetListDefinition<FlagRow> = {
  columns: "f.*",
  from: "flags f JOIN messages m ON m.id = f.message_id AND f.message_id <> ''",
  counted: "f.created_at",
  fields: ownEntry({
    reason: textField("f.reason", [...EQUAL, "$exists", "$autocomplete", "$q"]),
    channel_cid: textField("f.cid"),
    /** The author of the flagged message. */
    user_id: textField("f.target_id"),
    is_reviewed: flagField({ text: "f.reviewed_at IS NOT NULL", values: [] }),
    created_at: timeField("f.created_at"),
  }),
  sorts: ownEntry({ created_at: "f.created_at", updated_at: "f.updated_at" }),
  fallback: "f.created_at DESC",
  tie: "f.seq DESC",
};

/** A condition on the list of flags: without those on deleted messages. */
export const onShownMessages: Sql = { text: "m.type <> 'deleted'", values: [] };
