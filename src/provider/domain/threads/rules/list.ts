/** Threads of one user: the list by filter and sort, and one of them by its parent message (specification/threads.md §2). */
import { threadBodies } from "../../../../wire/bodies/threads.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { readableChannel } from "../../access/view/readable.ts";
import { permissionsOf, type Permissions } from "../../access/view/policy.ts";
import { actor } from "../../users/rules/acting.ts";
import { BodyReader } from "../../validation/check.ts";
import { channelRow } from "../../channels/storage/rows.ts";
import { startWatching } from "../../watching/rules/watching.ts";
import { requireConnection } from "../../validation/connection.ts";
import { lookingFor, messageFor } from "../../messages/view/reading.ts";
import { messageRow } from "../../messages/storage/rows.ts";
import { viewContext } from "../../messages/view/messages.ts";
import { listPage, type OrderKey } from "../../query/cursor.ts";
import { join, type FieldLookup } from "../../query/filter.ts";
import { boolField, customField, textField, timeField, type Field } from "../../query/filter-fields.ts";
import { named, readListing } from "../../query/listing.ts";
import { findUser } from "../../users/storage/rows.ts";
import { headRow, type HeadRow } from "../storage/rows.ts";
import { threadViews, type Found, type Limits } from "../view/threads.ts";

const ONE_OF = ["$eq", "$in"] as const;
const TIMES = ["$eq", "$gt", "$gte", "$lt", "$lte"] as const;
const FIELDS: Record<string, Field> = {
  channel_cid: textField("h.cid", ONE_OF),
  "channel.team": textField("c.team", ONE_OF),
  "channel.disabled": { ...boolField("c.disabled"), ops: ["$eq"] },
  parent_message_id: textField("h.parent_id", ONE_OF),
  created_by_user_id: textField("h.created_by", ONE_OF),
  title: textField("h.title", ONE_OF),
  created_at: timeField("h.created_at", TIMES),
  updated_at: timeField("h.updated_at", TIMES),
  last_message_at: timeField("h.last_message_at", TIMES),
};
/** Built-in names that cannot be filtered by, so that none is taken for a custom key. */
const BUILT_IN =
  /^(?:channel|parent_message|created_by|read|draft|latest_replies|thread_participants)(?:\.|$)|_count$|^deleted_at$/;

const builtIn = named(FIELDS);
const fieldOf: FieldLookup = (name) => {
  const field = builtIn(name);
  if (field) return field;
  const custom = BUILT_IN.test(name) ? undefined : customField("h.data", name);
  return custom && { ...custom, ops: ONE_OF };
};

const PARTICIPANTS = "(SELECT count(*) FROM threads x WHERE x.parent_id = h.parent_id)";
const ACTIVE = "(SELECT count(*) FROM threads x WHERE x.parent_id = h.parent_id AND x.left_at IS NULL)";
const UNREAD = "(t.unread > 0)";
const COLUMNS: Record<string, string> = {
  active_participant_count: ACTIVE,
  created_at: "h.created_at",
  has_unread: UNREAD,
  last_message_at: "h.last_message_at",
  parent_message_id: "h.parent_id",
  participant_count: PARTICIPANTS,
  reply_count: "p.reply_count",
  updated_at: "h.updated_at",
};
const TIE: OrderKey = { expression: "h.parent_id", direction: 1 };
/** What waits first, then what is newest. */
const USUAL: OrderKey[] = [
  { expression: UNREAD, direction: -1 },
  { expression: "h.last_message_at", direction: -1 },
];

/** How much of each thread comes back, in a body and in a query alike. */
const { participant_limit, reply_limit, member_limit } = threadBodies.queryThreads;

function readLimits(check: BodyReader): Limits {
  const given = check.read({ participant_limit, reply_limit, member_limit });
  return {
    participants: given.participant_limit,
    replies: given.reply_limit,
    members: given.member_limit,
  };
}

/** Watching is the default where there is a connection to watch with; asked for, it needs one. */
function watch(call: RouteCall, check: BodyReader): (s: Permissions) => void {
  const asked = check.flag("watch");
  check.done();
  requireConnection(call, asked, undefined);
  const { caller, connectionId, emit } = call;
  const open =
    caller.kind !== "server" &&
    connectionId !== undefined &&
    emit.isOpen(connectionId, caller.userId ?? "!anon");
  return (s) => {
    if (open && asked !== false) startWatching(call, s);
  };
}

export function queryThreads(call: RouteCall): Reply<"queryThreads"> {
  const { body, db } = call;
  const me = actor(call);
  const check = new BodyReader(body);
  const listing = readListing(check, body, {
    of: ["threads", me.id],
    fields: fieldOf,
    orders: named(COLUMNS),
    fallback: USUAL,
    tie: TIE,
    limit: threadBodies.queryThreads.limit,
  });
  const limits = readLimits(check);
  const watching = watch(call, check);
  const since =
    "(SELECT coalesce(m.hide_before, 0) FROM members m WHERE m.cid = h.cid AND m.user_id = t.user_id)";
  const { rows, ...cursors } = listPage<HeadRow>(db, {
    ...listing,
    columns: "h.*",
    from: `threads t JOIN thread_heads h ON h.parent_id = t.parent_id JOIN messages p ON p.id = h.parent_id
      JOIN channels c ON c.cid = h.cid`,
    where: join(
      [
        {
          text: `t.user_id = ? AND t.left_at IS NULL AND p.created_at > coalesce(${since}, 0)`,
          values: [me.id],
        },
        call.caller.kind === "server"
          ? { text: "c.deleted_at IS NULL", values: [] }
          : readableChannel(call, me.id),
        listing.where,
      ],
      " AND ",
    ),
  });
  const at = viewContext(db, call.emit, call.now(), me.id);
  const role = findUser(db, me.id)?.role ?? "user";
  const caller = call.caller.kind === "server" ? { ...call.caller, userId: me.id } : { ...call.caller, role };
  const found = rows.map((head): Found => {
    const s = permissionsOf(db, caller, channelRow(db, head.cid));
    watching(s);
    return { head, parent: messageRow(call, head.parent_id), s };
  });
  return { threads: threadViews(at, found, limits), ...cursors };
}

/** Whoever reads the message may read its thread. */
export function getThread(call: RouteCall): Reply<"getThread"> {
  const { row: parent, s } = messageFor(call, call.path.message_id ?? "");
  const head = headRow(call.db, parent.id);
  const check = new BodyReader(call.query);
  const limits = readLimits(check);
  watch(call, check)(s);
  return { thread: threadViews(lookingFor(call), [{ head, parent, s }], limits)[0]! };
}
