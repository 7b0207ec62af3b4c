/** Adds, withdraws and shows flags; a user or a blocklist can flag each message or user once (specification/moderation.md §4). */
import type { Flag } from "../../../../wire/entities/moderation.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall } from "../../../base/handler.ts";
import type { Fields } from "../../validation/check.ts";
import { findMessage, type MessageRow } from "../../messages/storage/rows.ts";
import { messageView } from "../../messages/view/messages.ts";
import { type ViewContext } from "../../users/view/view-context.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { reviewOf } from "../view/review.ts";
import { flags, storeFlag, type FlagRow } from "../storage/flags.ts";
import { flagReports } from "../storage/reports.ts";

const AUTOMOD = "";

export function flagView(context: ViewContext, row: FlagRow): Flag {
  const message = row.message_id === "" ? undefined : findMessage(context.db, row.message_id);
  return {
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
    created_by_automod: row.user_id === AUTOMOD,
    ...(row.user_id === AUTOMOD ? {} : { user: context.people.get(row.user_id) }),
    ...(row.message_id === "" ? {} : { target_message_id: row.message_id }),
    ...(message ? { target_message: messageView(context, message) } : {}),
    target_user: context.people.get(row.target_id),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.custom === null ? {} : { custom: JSON.parse(row.custom) as Fields }),
    ...reviewOf(context.people, row),
  };
}

interface NewFlag {
  /** Undefined: flagged by a blocklist. */
  by: UserRow | undefined;
  /** The flagged message; undefined when the user `targetId` is flagged. */
  message: MessageRow | undefined;
  targetId: string;
  reason: string | undefined;
  custom?: Fields | undefined;
}

/** Adds a flag, or updates reason and custom data of the user's earlier flag. Sends an event to servers. */
export function addFlag(call: RouteCall, context: ViewContext, flag: NewFlag): FlagRow {
  const { db } = call;
  const { message } = flag;
  const row = storeFlag(db, {
    user_id: flag.by?.id ?? AUTOMOD,
    message_id: message?.id ?? "",
    target_id: flag.targetId,
    cid: message?.cid ?? null,
    reason: flag.reason ?? null,
    custom: flag.custom === undefined ? null : JSON.stringify(flag.custom),
    created_at: context.now,
  });
  if (message)
    flagReports.put(
      db,
      {
        id: call.uuid(),
        message_id: message.id,
        author_id: message.user_id,
        cid: message.cid,
        created_at: context.now,
        updated_at: context.now,
      },
      ["author_id", "cid", "created_at"],
    );
  const actor = flag.by ? { user: context.people.get(flag.by.id) } : {};
  // Servers are told nothing that only the caller sees, such as their drafts.
  const seenByAll = { ...context, viewer: undefined };
  const reason = flag.reason === undefined ? {} : { reason: flag.reason };
  if (message)
    call.emit.server({
      type: "message.flagged",
      cid: message.cid,
      ...actor,
      message: messageView(seenByAll, message),
      flag: flagView(seenByAll, row),
      ...reason,
      total_flags: flags.count(db, { message_id: message.id }),
    });
  else
    call.emit.server({
      type: "user.flagged",
      ...actor,
      target_user: context.people.get(flag.targetId),
      ...reason,
      total_flags: flags.count(db, { target_id: flag.targetId, message_id: "" }),
    });
  return row;
}

/** Removes the user's flag; undefined when there is none. */
export function withdrawFlag(
  { db }: RouteCall,
  by: string,
  messageId: string,
  targetId: string,
): FlagRow | undefined {
  const row = flags.find(db, { user_id: by, message_id: messageId, target_id: targetId });
  if (!row) return undefined;
  flags.remove(db, { seq: row.seq });
  if (messageId !== "" && !flags.has(db, { message_id: messageId }))
    flagReports.remove(db, { message_id: messageId, reviewed_at: null });
  return row;
}

/** Flags a message that matched a blocklist of behavior `flag` (specification/moderation.md §6). */
export function flagByList(call: RouteCall, context: ViewContext, message: MessageRow, list: string): void {
  addFlag(call, context, { by: undefined, message, targetId: message.user_id, reason: `blocklist ${list}` });
}
