/** The list of a user's threads: filter and sort fields, and one page. */
import { threadBodies } from "../../../../wire/bodies/threads.ts";
import {
  ONE_OF,
  DATE_RANGE,
  boolField,
  customField,
  textField,
  timeField,
} from "../../query/filter-fields.ts";
import type { FieldLookup } from "../../query/filter.ts";
import { ownEntry, type ListDefinition } from "../../query/listing.ts";
import type { HeadRow } from "./rows.ts";

const builtIn = ownEntry({
  channel_cid: textField("h.cid", ONE_OF),
  "channel.team": textField("c.team", ONE_OF),
  "channel.disabled": { ...boolField("c.disabled"), ops: ["$eq"] as const },
  parent_message_id: textField("h.parent_id", ONE_OF),
  created_by_user_id: textField("h.created_by", ONE_OF),
  title: textField("h.title", ONE_OF),
  created_at: timeField("h.created_at", DATE_RANGE),
  updated_at: timeField("h.updated_at", DATE_RANGE),
  last_message_at: timeField("h.last_message_at", DATE_RANGE),
});
/** Built-in names that cannot be filtered by and must not be read as custom fields. */
const BUILT_IN =
  /^(?:channel|parent_message|created_by|read|draft|latest_replies|thread_participants)(?:\.|$)|_count$|^deleted_at$/;

const fieldOf: FieldLookup = (name) => {
  const field = builtIn(name);
  if (field) return field;
  const custom = BUILT_IN.test(name) ? undefined : customField("h.data", name);
  return custom && { ...custom, ops: ONE_OF };
};

const PARTICIPANTS = "(SELECT count(*) FROM threads x WHERE x.parent_id = h.parent_id)";
const ACTIVE = "(SELECT count(*) FROM threads x WHERE x.parent_id = h.parent_id AND x.left_at IS NULL)";
const UNREAD = "(t.unread > 0)";

const SINCE =
  "(SELECT coalesce(m.hide_before, 0) FROM members m WHERE m.cid = h.cid AND m.user_id = t.user_id)";

/** The threads a user takes part in. */
export const THREAD_LIST: ListDefinition<HeadRow> = {
  name: "threads",
  from: `threads t JOIN thread_heads h ON h.parent_id = t.parent_id JOIN messages p ON p.id = h.parent_id
    JOIN channels c ON c.cid = h.cid`,
  columns: "h.*",
  of: `t.user_id = ? AND t.left_at IS NULL AND p.created_at > coalesce(${SINCE}, 0)`,
  fields: fieldOf,
  orders: ownEntry({
    active_participant_count: ACTIVE,
    created_at: "h.created_at",
    has_unread: UNREAD,
    last_message_at: "h.last_message_at",
    parent_message_id: "h.parent_id",
    participant_count: PARTICIPANTS,
    reply_count: "p.reply_count",
    updated_at: "h.updated_at",
  }),
  // Threads with unread replies come first, then the newest.
  fallback: [
    { expression: UNREAD, direction: -1 },
    { expression: "h.last_message_at", direction: -1 },
  ],
  tie: { expression: "h.parent_id", direction: 1 },
  limit: threadBodies.queryThreads.limit,
};
