/** POST /moderation/flag and /unflag, and the list of flagged messages (specification/moderation.md §1, §4). */
import { readApp } from "../../../store/app-settings.ts";
import { configOf } from "../../access/storage/access.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import { moderationBodies } from "../../../../wire/bodies/moderation.ts";
import { CUSTOM_DATA_LIMIT } from "../../../../wire/constants.ts";
import type { MessageFlag } from "../../../../wire/entities/moderation.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader, checkCustom, invalidField, type Fields } from "../../validation/check.ts";
import { requirePermission, canInType } from "../../access/view/policy.ts";
import { callerViewContext, messageFor } from "../../messages/view/visibility.ts";
import type { MessageRow } from "../../messages/storage/rows.ts";
import { messagesById } from "../../messages/view/messages.ts";
import { userRow, type UserRow } from "../../users/storage/rows.ts";
import { flagView, addFlag, withdrawFlag } from "./flags.ts";
import { requireModerator } from "../../access/view/moderators.ts";
import { reviewOf } from "../view/review.ts";
import { offsetPage, readMatch } from "../../query/listing.ts";
import { FLAG_LIST, onShownMessages } from "../storage/flags.ts";

interface Target {
  me: UserRow;
  message: MessageRow | undefined;
  targetId: string;
}

/** Reads the target: exactly one message or user that the caller may see and flag, but not the caller's own. */
function readTarget(call: RouteCall, check: BodyReader): Target {
  const { target_message_id: messageId, target_user_id: userId } = check.read(moderationBodies.unflag);
  if (messageId === undefined && userId === undefined)
    check.fail("target_message_id", "or target_user_id is required");
  if (messageId !== undefined && userId !== undefined)
    check.fail("target_user_id", "cannot be given together with target_message_id");
  check.done();
  if (messageId !== undefined) {
    const { row, permissions } = messageFor(call, messageId);
    requirePermission(permissions, "flag-message", "flag messages");
    const me = actor(call);
    if (row.user_id === me.id && call.caller.kind !== "server")
      throw invalidField(
        "target_message_id",
        "names a message of one's own",
        "A message of one's own cannot be flagged",
      );
    return { me, message: row, targetId: row.user_id };
  }
  requireFlagUsers(call);
  const me = actor(call);
  if (userId === me.id) throw invalidField("target_user_id", "must not be oneself");
  return { me, message: undefined, targetId: userRow(call.db, userId!).id };
}

function requireFlagUsers(call: RouteCall): void {
  if (!canInType(call, ".app", "flag-user")) throw ApiProblem.notAllowed("You are not allowed to flag users");
}

/** The reason must be in `allowed_flag_reasons` of the channel type or else of the app, if one is set (specification/admin.md §1, §2). */
function requireKnownReason({ db }: RouteCall, reason: string | undefined, cid: string | undefined): void {
  if (reason === undefined) return;
  const channel = cid === undefined ? undefined : findChannel(db, cid);
  const ofType = channel && configOf(db, channel.type, channel.overrides)?.allowed_flag_reasons;
  const allowed = ofType?.length ? ofType : readApp(db).allowed_flag_reasons;
  if (allowed.length > 0 && !allowed.includes(reason))
    throw invalidField("reason", `must be one of ${allowed.join(", ")}`);
}

export function flag(call: RouteCall): Reply<"flag"> {
  const check = new BodyReader(call.body);
  const fields = check.read(moderationBodies.flag);
  const { custom } = fields;
  const reason = fields.reason || undefined;
  if (custom) checkCustom(check, custom, CUSTOM_DATA_LIMIT);
  const { me, message, targetId } = readTarget(call, check);
  requireKnownReason(call, reason, message?.cid);
  const context = callerViewContext(call);
  return { flag: flagView(context, addFlag(call, context, { by: me, message, targetId, reason, custom })) };
}

export function unflag(call: RouteCall): Reply<"unflag"> {
  const { me, message, targetId } = readTarget(call, new BodyReader(call.body));
  const context = callerViewContext(call);
  const row = withdrawFlag(call, me.id, message?.id ?? "", targetId);
  if (!row)
    throw invalidField(
      message ? "target_message_id" : "target_user_id",
      "names nothing that you have flagged",
      "It is not flagged by you",
    );
  return { flag: flagView(context, row) };
}

/** Newest first; includes flags of deleted messages only with `show_deleted_messages`. */
export function queryMessageFlags(call: RouteCall): Reply<"queryMessageFlags"> {
  requireModerator(call, "list flags");
  const { db, body } = call;
  const check = new BodyReader(body);
  const match = readMatch(check, body, FLAG_LIST);
  const fields = check.read(moderationBodies.queryMessageFlags);
  const { limit, offset, show_deleted_messages: showDeleted = false } = fields;
  check.done();
  const rows = offsetPage(
    db,
    FLAG_LIST,
    { ...match, limit, offset },
    ...(showDeleted ? [] : [onShownMessages]),
  );
  const context = { ...callerViewContext(call), showDeleted };
  const messages = messagesById(
    context,
    rows.map((row) => row.message_id),
  );
  return {
    flags: rows.map((row): MessageFlag => ({
      created_at: timeFromMicros(row.created_at),
      updated_at: timeFromMicros(row.updated_at),
      created_by_automod: row.user_id === "",
      message: messages.get(row.message_id)!,
      ...(row.user_id === "" ? {} : { user: context.people.get(row.user_id) }),
      ...(row.reason === null ? {} : { reason: row.reason }),
      ...(row.custom === null ? {} : { custom: JSON.parse(row.custom) as Fields }),
      ...reviewOf(context.people, row),
    })),
  };
}
