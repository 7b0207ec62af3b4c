/** Reads messages: one, many, pins and replies. */
import { REACTIONS_LIMIT } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { channelFor } from "../../channels/view/channels.ts";
import { cidOfPath } from "../../../base/channel-path.ts";
import { BodyReader, isObject, invalidField } from "../../validation/check.ts";
import { pendingFor } from "../view/pending.ts";
import { isVisible, messagesAmong } from "../storage/rows.ts";
import { visibilityOf, messageFor, callerViewContext } from "../view/visibility.ts";
import { messageView, messageViews } from "../view/messages.ts";
import { People } from "../../users/view/users.ts";
import { pageOf, pinsOf, readPaging } from "../storage/paging.ts";
import { requireReadable } from "../../access/view/policy.ts";

/** `show_deleted_message` lets servers see the content of a soft-deleted message. The author also finds pending messages. */
export function getMessage(call: RouteCall): Reply<"getMessage"> {
  const check = new BodyReader(call.query);
  const showDeleted = check.flag("show_deleted_message") ?? false;
  const pending = pendingFor(call, call.path.id ?? "");
  if (pending) {
    check.done();
    const { message, metadata, permissions } = pending;
    const people = new People(call.db, call.emit);
    return {
      message: { ...message, channel: channelFor(call.db, people, permissions, call.now()) },
      ...(metadata ? { pending_message_metadata: metadata } : {}),
    };
  }
  const { row, permissions } = messageFor(call);
  check.done();
  if (showDeleted && !permissions.unrestricted)
    throw ApiProblem.notAllowed("Only a server may see what a deleted message held");
  const context = { ...callerViewContext(call), showDeleted };
  return {
    message: {
      ...messageView(context, row),
      channel: channelFor(call.db, context.people, permissions, context.now),
    },
  };
}

const MAX_IDS = 100;

/** The messages found, in the requested order. */
export function getManyMessages(call: RouteCall): Reply<"getManyMessages"> {
  const permissions = requireReadable(call, cidOfPath(call.path));
  const ids = (call.query.ids ?? "").split(",").filter((id) => id !== "");
  if (ids.length === 0) throw invalidField("ids", "is required");
  if (ids.length > MAX_IDS) throw invalidField("ids", `must hold at most ${MAX_IDS} entries`);
  const { cid } = permissions.channel;
  const rows = messagesAmong(call.db, ids).filter((row) => row.cid === cid);
  const visibility = visibilityOf(permissions);
  const byId = new Map(
    rows.filter((row) => permissions.unrestricted || isVisible(visibility, row)).map((row) => [row.id, row]),
  );
  const requested = [...new Set(ids)];
  const views = messageViews(
    callerViewContext(call),
    requested.flatMap((id) => byId.get(id) ?? []),
  );
  const found = new Map(views.map((view) => [view.id, view]));
  for (const id of requested) {
    const pending = found.has(id) ? undefined : pendingFor(call, id);
    if (pending?.message.cid === permissions.channel.cid) found.set(id, pending.message);
  }
  return { messages: requested.flatMap((id) => found.get(id) ?? []) };
}

/** A page of pins by `pinned_at`, newest pin first unless `sort` reverses it. */
export function getPinnedMessages(call: RouteCall): Reply<"getPinnedMessages"> {
  const permissions = requireReadable(call, cidOfPath(call.path));
  const check = new BodyReader(call.body);
  const limit = check.limit(REACTIONS_LIMIT);
  const offset = check.whole("offset", 0, 1000) ?? 0;
  const page = readPaging(check, "", REACTIONS_LIMIT);
  let oldestFirst = false;
  for (const [i, entry] of (check.list("sort", 1) ?? []).entries())
    if (!isObject(entry) || entry.field !== "pinned_at" || (entry.direction !== 1 && entry.direction !== -1))
      check.fail(`sort.${i}`, "must be pinned_at with direction 1 or -1");
    else oldestFirst = entry.direction === 1;
  check.done();
  const context = callerViewContext(call);
  let rows = pinsOf(call.db, permissions.channel.cid, visibilityOf(permissions), context.now, 1000);
  const { anchor } = page;
  if (anchor?.id !== undefined) {
    const pin = rows.find((row) => row.id === anchor.id);
    if (!pin) throw invalidField(anchor.field, `names a message that is not pinned here: ${anchor.id}`);
    rows = rows.filter((row) => isOnSide(anchor.option, row.pinned_at! - pin.pinned_at!));
  } else if (anchor) rows = rows.filter((row) => isOnSide(anchor.option, row.created_at - anchor.time!));
  if (oldestFirst) rows.reverse();
  return { messages: messageViews(context, rows.slice(offset, offset + limit)) };
}

/** Whether a difference in time is on the side that the option selects. */
function isOnSide(option: string, difference: number): boolean {
  if (option === "id_lt" || option === "created_at_before") return difference < 0;
  if (option === "id_lte" || option === "created_at_before_or_equal") return difference <= 0;
  if (option === "id_gt" || option === "created_at_after") return difference > 0;
  if (option === "id_gte" || option === "created_at_after_or_equal") return difference >= 0;
  return true;
}

/** Replies, oldest → newest; `sort` by `created_at` −1 reverses the page. */
export function getReplies(call: RouteCall): Reply<"getReplies"> {
  const { row: parent, permissions } = messageFor(call, call.path.parent_id ?? "");
  // An offset means nothing here: pages of replies begin at a message or a time.
  const { sort, offset: _offset, ...query } = call.query;
  const check = new BodyReader(query);
  const page = readPaging(check);
  let newestFirst = false;
  if (sort) {
    const order = parse(sort);
    const [first] = Array.isArray(order) ? (order as unknown[]) : [];
    if (!isObject(first) || first.field !== "created_at" || (first.direction !== 1 && first.direction !== -1))
      check.fail("sort", "must be a list with created_at and direction 1 or -1");
    else newestFirst = first.direction === -1;
  }
  check.done();
  const rows = pageOf(call.db, { parentId: parent.id }, visibilityOf(permissions), page);
  const messages = messageViews(callerViewContext(call), rows);
  return { messages: newestFirst ? messages.toReversed() : messages };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
