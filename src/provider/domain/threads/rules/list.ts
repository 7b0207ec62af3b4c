/** The threads of a user: the list by filter and sort, and one thread by its parent message (specification/threads.md §2). */
import { threadBodies } from "../../../../wire/bodies/threads.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { permissionsOf, type Permissions } from "../../access/view/policy.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader } from "../../validation/check.ts";
import { channelRow } from "../../channels/storage/rows.ts";
import { startWatching } from "../../watching/rules/watching.ts";
import { requireConnection } from "../../validation/connection.ts";
import { callerViewContext, messageFor } from "../../messages/view/visibility.ts";
import { messageRow } from "../../messages/storage/rows.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { listingPage, readListing } from "../../query/listing.ts";
import { findUser } from "../../users/storage/rows.ts";
import { headRow } from "../storage/rows.ts";
import { threadViews, type FoundThread, type ThreadViewLimits } from "../view/threads.ts";
import { ownChannel } from "../../access/view/readable.ts";
import { THREAD_LIST } from "../storage/list.ts";

/** The limits for each thread, the same in bodies and queries. */
const { participant_limit, reply_limit, member_limit } = threadBodies.queryThreads;

function readLimits(check: BodyReader): ThreadViewLimits {
  const limits = check.read({ participant_limit, reply_limit, member_limit });
  return {
    participants: limits.participant_limit,
    replies: limits.reply_limit,
    members: limits.member_limit,
  };
}

/** Watches by default when the connection is open; when requested, it needs an open connection. */
function watch(call: RouteCall, check: BodyReader): (permissions: Permissions) => void {
  const requested = check.flag("watch");
  check.done();
  requireConnection(call, requested, undefined);
  const { caller, connectionId, emit } = call;
  const open =
    caller.kind !== "server" &&
    connectionId !== undefined &&
    emit.isOpen(connectionId, caller.userId ?? "!anon");
  return (permissions) => {
    if (open && requested !== false) startWatching(call, permissions);
  };
}

export function queryThreads(call: RouteCall): Reply<"queryThreads"> {
  const { body, db } = call;
  const me = actor(call);
  const check = new BodyReader(body);
  const listing = readListing(check, body, THREAD_LIST, me.id);
  const limits = readLimits(check);
  const watching = watch(call, check);
  const { rows, ...cursors } = listingPage(db, listing, ownChannel(call, me.id));
  const context = viewContext(db, call.emit, call.now(), me.id);
  const role = findUser(db, me.id)?.role ?? "user";
  const caller = call.caller.kind === "server" ? { ...call.caller, userId: me.id } : { ...call.caller, role };
  const found = rows.map((head): FoundThread => {
    const permissions = permissionsOf(db, caller, channelRow(db, head.cid));
    watching(permissions);
    return { head, parent: messageRow(db, head.parent_id), permissions };
  });
  return { threads: threadViews(context, found, limits), ...cursors };
}

/** GET of a thread; anybody who may read the parent message may read it. */
export function getThread(call: RouteCall): Reply<"getThread"> {
  const { row: parent, permissions } = messageFor(call, call.path.message_id ?? "");
  const head = headRow(call.db, parent.id);
  const check = new BodyReader(call.query);
  const limits = readLimits(check);
  watch(call, check)(permissions);
  return { thread: threadViews(callerViewContext(call), [{ head, parent, permissions }], limits)[0]! };
}
