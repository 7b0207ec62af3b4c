/** Reactions: one of a type from each user, the derived fields kept on the message (specification/messages.md §9). */
import { MAX_OFFSET, REACTIONS_LIMIT } from "../../../../wire/constants.ts";
import { messageBodies } from "../../../../wire/bodies/messages.ts";
import type { Reaction, ReactionGroup } from "../../../../wire/message.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { Database } from "../../../store/database.ts";
import { actor, authorOf } from "../../users/rules/acting.ts";
import { BodyReader, isObject, invalidField } from "../../validation/check.ts";
import { visibleTo } from "../view/audience.ts";
import { isShadowBanned } from "../../moderation/storage/ban-rows.ts";
import { findMessage, type MessageRow, type StoredReactions } from "../storage/rows.ts";
import { messageFor } from "../view/reading.ts";
import { viewContext, messageView, storedReaction, type ReactionRow } from "../view/messages.ts";
import {
  requirePermission,
  isBanned,
  requireFeature,
  notAllowed,
  type Permissions,
} from "../../access/view/policy.ts";
import { People } from "../../users/view/users.ts";
import type { UserRow } from "../../users/storage/rows.ts";

const LATEST = 10;

/** Rebuilds groups and the newest ten from the table; a type at 0 disappears. */
export function derive(db: Database, messageId: string): StoredReactions | undefined {
  const groups = db.all<{ type: string; count: number; sum: number; first: number; last: number }>(
    `SELECT type, count(*) AS count, sum(score) AS sum, min(created_at) AS first, max(created_at) AS last
     FROM reactions WHERE message_id = ? GROUP BY type ORDER BY type`,
    messageId,
  );
  if (groups.length === 0) return undefined;
  const latest = db.all<ReactionRow>(
    `SELECT * FROM reactions WHERE message_id = ? ORDER BY created_at DESC, user_id DESC, type DESC LIMIT ${LATEST}`,
    messageId,
  );
  return {
    groups: Object.fromEntries(
      groups.map(({ type, count, sum, first, last }): [string, ReactionGroup] => [
        type,
        {
          count,
          sum_scores: sum,
          first_reaction_at: timeFromMicros(first),
          last_reaction_at: timeFromMicros(last),
        },
      ]),
    ),
    latest: latest.map(storedReaction),
  };
}

function requireReact(call: RouteCall, s: Permissions, row: MessageRow): void {
  const { channel } = s;
  requirePermission(s, "create-reaction", "react");
  if (isBanned(s, call.now())) throw notAllowed(`You are banned from channel ${channel.cid}`);
  requireFeature(s, "reactions", "reactions");
  if (row.type === "deleted") throw invalidField("id", "names a deleted message");
  if (channel.frozen && !s.all) throw notAllowed(`Channel ${channel.cid} is frozen`);
}

/** Stores the derived fields, tells the watchers and answers `message` with the caller's own reactions. */
function settle(
  call: RouteCall,
  me: UserRow,
  row: MessageRow,
  type: "reaction.new" | "reaction.updated" | "reaction.deleted",
  reaction: Reaction,
): Reply<"sendReaction"> {
  const { db, emit } = call;
  const derived = derive(db, row.id);
  db.run(
    "UPDATE message_rows SET reactions = ? WHERE id = ?",
    derived ? JSON.stringify(derived) : null,
    row.id,
  );
  const after = findMessage(db, row.id)!;
  const now = call.now();
  const at = viewContext(db, emit, now);
  const only = isShadowBanned(db, me.id, row.cid, now) ? new Set([me.id]) : visibleTo(call, row);
  emit.watchers(
    row.cid,
    { type, user: at.people.get(me.id), message: messageView(at, after), message_id: row.id, reaction },
    undefined,
    only,
  );
  return { message: messageView({ ...at, viewer: me.id }, after), reaction };
}

export function sendReaction(call: RouteCall): Reply<"sendReaction"> {
  const { db } = call;
  const { row, s } = messageFor(call);
  const check = new BodyReader(call.body);
  const { reaction: given, enforce_unique: unique } = check.read(messageBodies.sendReaction);
  const { type, score = 1, emoji_code: emoji, custom } = given;
  if (call.caller.kind === "server") check.done();
  const me = authorOf(call, isObject(call.body.reaction) ? call.body.reaction : {});
  requireReact(call, s, row);
  if (type.includes("/")) check.fail("reaction.type", "must not contain /");
  check.done();
  if (emoji !== undefined) custom.emoji_code = emoji;
  const had = db.get<ReactionRow>(
    "SELECT * FROM reactions WHERE message_id = ? AND user_id = ? AND type = ?",
    row.id,
    me.id,
    type,
  );
  if (unique)
    db.run("DELETE FROM reactions WHERE message_id = ? AND user_id = ? AND type <> ?", row.id, me.id, type);
  const now = call.now();
  const stored: ReactionRow = {
    message_id: row.id,
    user_id: me.id,
    type,
    score,
    created_at: had?.created_at ?? now,
    updated_at: now,
    data: JSON.stringify(custom),
  };
  db.run(
    `INSERT INTO reactions (message_id, user_id, type, score, created_at, updated_at, data)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET score = excluded.score, updated_at = excluded.updated_at, data = excluded.data`,
    row.id,
    me.id,
    type,
    score,
    stored.created_at,
    now,
    stored.data,
  );
  const reaction = { ...storedReaction(stored), user: new People(db, call.emit).get(me.id) };
  return settle(call, me, row, had ? "reaction.updated" : "reaction.new", reaction);
}

export function deleteReaction(call: RouteCall): Reply<"deleteReaction"> {
  const { db } = call;
  const { row, s } = messageFor(call);
  const me = actor(call, call.query);
  requireReact(call, s, row);
  const type = call.path.reaction_type ?? "";
  const stored = db.get<ReactionRow>(
    "DELETE FROM reactions WHERE message_id = ? AND user_id = ? AND type = ? RETURNING *",
    row.id,
    me.id,
    type,
  );
  if (!stored) throw new ApiProblem(16, `Reaction ${type.slice(0, 255)} does not exist`);
  const reaction = { ...storedReaction(stored), user: new People(db, call.emit).get(me.id) };
  return settle(call, me, row, "reaction.deleted", reaction);
}

/** Newest first. */
export function getReactions(call: RouteCall): Reply<"getReactions"> {
  const { row } = messageFor(call);
  const check = new BodyReader(call.query);
  const limit = check.limit(REACTIONS_LIMIT);
  const offset = check.whole("offset", 0, MAX_OFFSET) ?? 0;
  check.done();
  const rows = call.db.all<ReactionRow>(
    `SELECT * FROM reactions WHERE message_id = ? ORDER BY created_at DESC, user_id DESC, type DESC LIMIT ? OFFSET ?`,
    row.id,
    limit,
    offset,
  );
  const people = new People(call.db, call.emit);
  people.load(rows.map((one) => one.user_id));
  return { reactions: rows.map((one) => ({ ...storedReaction(one), user: people.get(one.user_id) })) };
}
