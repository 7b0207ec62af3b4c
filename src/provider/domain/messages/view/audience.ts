/** Who gets events about a message, and sending them: everybody in the channel, or the readers of a restricted one (specification/messages.md §4, specification/events.md §2). */
import type { RouteCall } from "../../../base/handler.ts";
import { can, userPermissions } from "../../access/view/policy.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import type { ViewContext } from "../../users/view/view-context.ts";
import type { Message } from "../../../../wire/entities/message.ts";
import type { MessageRow } from "../storage/rows.ts";
import { messageView } from "./messages.ts";
import { membersAndUsers } from "../../channels/storage/members.ts";

type EmitContext = Pick<RouteCall, "db" | "emit">;

/**
 * The users that get events about the message; undefined: everybody. For a restricted one these are its author, the listed
 * users, and those with the permission to read all restricted messages of the channel.
 */
export function visibleTo(
  call: EmitContext,
  row: Pick<MessageRow, "cid" | "user_id" | "restricted" | "shadowed">,
): Set<string> | undefined {
  if (row.restricted === null) return undefined;
  if (row.shadowed === 1) return new Set([row.user_id]);
  return new Set([
    ...(JSON.parse(row.restricted) as string[]),
    row.user_id,
    ...readersOfRestricted(call, row.cid),
  ]);
}

/** Members and watchers of the channel whose role lets them read restricted messages. */
function readersOfRestricted(call: EmitContext, cid: string): string[] {
  const channel = findChannel(call.db, cid);
  if (!channel) return [];
  return membersAndUsers(call.db, cid, call.emit.watcherInfo(cid).userIds).filter((id) =>
    can(userPermissions(call.db, id, channel), "read-restricted-visibility-message", false),
  );
}

/** The context of an event about a message: one that reaches everybody counts no replies for some only. */
export const eventContext = (
  context: ViewContext,
  { restricted }: Pick<MessageRow, "restricted">,
): ViewContext => (restricted === null ? { ...context, forEverybody: true } : context);

/** Those among some who are among others as well; undefined is everybody. */
const inBoth = (some: Set<string> | undefined, others: Set<string> | undefined): Set<string> | undefined =>
  some && others ? some.intersection(others) : (some ?? others);

interface Published {
  /** The reply that changed the message: only those who may see it learn of that. */
  cause?: MessageRow;
  message?: Message;
}

/** Emits an event about a message to those who may see it; `actorId` is the user who caused it. */
export function publishMessage(
  call: EmitContext,
  context: ViewContext,
  type: string,
  row: MessageRow,
  actorId: string = row.user_id,
  extraFields: Record<string, unknown> = {},
  { cause, message = messageView(eventContext(context, cause ?? row), row) }: Published = {},
): void {
  const event = { type, user: context.people.get(actorId), message, message_id: row.id, ...extraFields };
  const only = inBoth(visibleTo(call, row), cause && visibleTo(call, cause));
  call.emit.watchers(row.cid, event, only);
}
