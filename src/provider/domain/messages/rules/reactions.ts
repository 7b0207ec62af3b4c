/** Reactions: at most one per type and user; derived fields are stored on the message (specification/messages.md §9). */
import { POISONED_KEY_PROBLEM, POISONED_KEYS } from "../../../../wire/ids.ts";
import { MAX_OFFSET, REACTIONS_LIMIT } from "../../../../wire/constants.ts";
import { messageBodies } from "../../../../wire/bodies/messages.ts";
import type { Reaction } from "../../../../wire/entities/message.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor, authorOf } from "../../users/rules/acting-user.ts";
import { BodyReader, isObject, invalidField } from "../../validation/check.ts";
import { eventContext, visibleTo } from "../view/audience.ts";
import { isShadowBanned } from "../../moderation/storage/bans.ts";
import { findMessage, type MessageRow } from "../storage/rows.ts";
import { messageFor } from "../view/visibility.ts";
import { messageView } from "../view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import {
  requirePermission,
  requireFeature,
  requireNotBanned,
  type Permissions,
} from "../../access/view/policy.ts";
import { listingPage, readOnlyListing } from "../../query/listing.ts";
import { People } from "../../users/view/users.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import {
  reactions,
  type ReactionRow,
  REACTION_LIST,
  storedReaction,
  reactionsOn,
  removeReactionsOfUser,
  updateReactionFields,
} from "../storage/reactions.ts";

function requireReact(call: RouteCall, permissions: Permissions, row: MessageRow): void {
  const { channel } = permissions;
  requirePermission(permissions, "create-reaction", "react");
  requireNotBanned(permissions, call.now());
  requireFeature(permissions, "reactions", "reactions");
  if (row.type === "deleted") throw invalidField("id", "names a deleted message", "The message is deleted");
  if (channel.frozen && !permissions.unrestricted)
    throw ApiProblem.notAllowed(`Channel ${channel.cid} is frozen`);
}

/** Updates the derived fields, emits the event, and returns the message with the caller's own reactions. */
function publishReaction(
  call: RouteCall,
  me: UserRow,
  row: MessageRow,
  type: "reaction.new" | "reaction.updated" | "reaction.deleted",
  reaction: Reaction,
): Reply<"sendReaction"> {
  const { db, emit } = call;
  updateReactionFields(db, row.id);
  const after = findMessage(db, row.id)!;
  const now = call.now();
  const context = viewContext(db, emit, now);
  const only = isShadowBanned(db, me.id, row.cid, now) ? new Set([me.id]) : visibleTo(call, row);
  emit.watchers(
    row.cid,
    {
      type,
      user: context.people.get(me.id),
      message: messageView(eventContext(context, row), after),
      message_id: row.id,
      reaction,
    },
    only,
  );
  return { message: messageView({ ...context, viewer: me.id }, after), reaction };
}

export function sendReaction(call: RouteCall): Reply<"sendReaction"> {
  const { db } = call;
  const { row, permissions } = messageFor(call);
  const check = new BodyReader(call.body);
  const { reaction: input, enforce_unique: unique } = check.read(messageBodies.sendReaction);
  const { type, score = 1, emoji_code: emoji, custom } = input;
  if (call.caller.kind === "server") check.done();
  const me = authorOf(call, isObject(call.body.reaction) ? call.body.reaction : {});
  requireReact(call, permissions, row);
  if (type.includes("/")) check.fail("reaction.type", "must not contain /");
  if (POISONED_KEYS.has(type)) check.fail("reaction.type", POISONED_KEY_PROBLEM);
  check.done();
  if (emoji !== undefined) custom.emoji_code = emoji;
  const existing = reactions.find(db, { message_id: row.id, user_id: me.id, type });
  if (unique) reactions.remove(db, { message_id: row.id, user_id: me.id, type: { not: type } });
  const now = call.now();
  const stored: ReactionRow = {
    message_id: row.id,
    user_id: me.id,
    type,
    score,
    created_at: existing?.created_at ?? now,
    updated_at: now,
    data: JSON.stringify(custom),
  };
  reactions.put(db, stored, ["created_at"]);
  const reaction = { ...storedReaction(stored), user: new People(db, call.emit).get(me.id) };
  return publishReaction(call, me, row, existing ? "reaction.updated" : "reaction.new", reaction);
}

export function deleteReaction(call: RouteCall): Reply<"deleteReaction"> {
  const { db } = call;
  const { row, permissions } = messageFor(call);
  const me = actor(call, call.query);
  requireReact(call, permissions, row);
  const type = call.path.reaction_type ?? "";
  const key = { message_id: row.id, user_id: me.id, type };
  const stored = reactions.find(db, key);
  reactions.remove(db, key);
  if (!stored) throw ApiProblem.notFound(`Reaction ${type.slice(0, 255)} does not exist`);
  const reaction = { ...storedReaction(stored), user: new People(db, call.emit).get(me.id) };
  return publishReaction(call, me, row, "reaction.deleted", reaction);
}

/** Messages of which one step removes the reactions of an erased user. */
export const REACTED_PER_STEP = 200;

/** Removes reactions of a user who is erased, with events that name nothing else of theirs, and tells whether there may be more. */
export function eraseReactionsOf(call: RouteCall, user: UserRow): boolean {
  const { db } = call;
  const removed = removeReactionsOfUser(db, user.id, REACTED_PER_STEP);
  for (const stored of removed) {
    const row = findMessage(db, stored.message_id);
    if (!row) continue;
    const reaction = {
      ...storedReaction({ ...stored, data: "{}" }),
      user: new People(db, call.emit).get(user.id),
    };
    if (row.type === "deleted") updateReactionFields(db, row.id);
    else publishReaction(call, user, row, "reaction.deleted", reaction);
  }
  return removed.length >= REACTED_PER_STEP;
}

/** Of a deleted message only servers see the reactions. */
const isHidden = ({ caller }: RouteCall, row: MessageRow): boolean =>
  row.type === "deleted" && caller.kind !== "server";

/** Newest first. */
export function getReactions(call: RouteCall): Reply<"getReactions"> {
  const { row } = messageFor(call);
  const check = new BodyReader(call.query);
  const limit = check.limit(REACTIONS_LIMIT);
  const offset = check.whole("offset", 0, MAX_OFFSET) ?? 0;
  check.done();
  return {
    reactions: isHidden(call, row) ? [] : withUsers(call, reactionsOn(call.db, row.id, limit, offset)),
  };
}

/** POST …/reactions: the reactions of a message by filter and sort, with cursors (specification/messages.md §9.2). */
export function queryReactions(call: RouteCall): Reply<"queryReactions"> {
  const { row } = messageFor(call);
  const { rows, ...cursors } = listingPage(call.db, readOnlyListing(call.body, REACTION_LIST, row.id));
  return isHidden(call, row) ? { reactions: [] } : { reactions: withUsers(call, rows), ...cursors };
}

function withUsers(call: RouteCall, rows: ReactionRow[]): Reaction[] {
  const people = new People(call.db, call.emit);
  people.load(rows.map((row) => row.user_id));
  return rows.map((row) => ({ ...storedReaction(row), user: people.get(row.user_id) }));
}
