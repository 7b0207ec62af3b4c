/** The messages that contain a poll: who may see it through them, and events to their channels (specification/polls.md §5). */
import { ApiProblem, type RouteCall } from "../../../base/handler.ts";
import { can, isBanned, callerPermissions, type Permissions } from "../../access/view/policy.ts";
import type { Fields } from "../../validation/check.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import { visibleTo } from "../../messages/view/audience.ts";
import { isVisible, type MessageRow, messagesWithPoll } from "../../messages/storage/rows.ts";
import { visibilityOf } from "../../messages/view/visibility.ts";
import { messageView } from "../../messages/view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { isHiddenPoll, noPoll, type PollRow } from "../storage/rows.ts";
import { pollView } from "../view/polls.ts";

/** The caller's permissions in each channel through which it sees the poll. */
export function readersPermissions(call: RouteCall, pollId: string): Permissions[] {
  const found = new Map<string, Permissions>();
  for (const row of messagesWithPoll(call.db, pollId)) {
    if (found.has(row.cid)) continue;
    const channel = findChannel(call.db, row.cid);
    if (!channel) continue;
    const permissions = callerPermissions(call, channel);
    if (
      !permissions.unrestricted &&
      (!can(permissions, "read-channel") || channel.disabled || !isVisible(visibilityOf(permissions), row))
    )
      continue;
    found.set(row.cid, permissions);
  }
  return [...found.values()];
}

/** Requires that the caller may see the poll: its creator, or a reader of a message with it. */
export function requireReadPoll(call: RouteCall, row: PollRow, userId: string | undefined): void {
  if (call.caller.kind === "server") return;
  if (isHiddenPoll(call.db, row.id)) throw noPoll(row.id);
  if (row.created_by === userId) return;
  if (readersPermissions(call, row.id).length === 0)
    throw ApiProblem.notAllowed("You are not allowed to read this poll");
}

/** Whether the caller may vote in a channel through which it sees the poll, and polls are on there. */
export function canVoteSomewhere(call: RouteCall, row: PollRow): boolean {
  if (call.caller.kind === "server") return true;
  const now = call.now();
  return readersPermissions(call, row.id).some(
    (permissions) => permissions.config.polls && can(permissions, "cast-vote") && !isBanned(permissions, now),
  );
}

/**
 * Emits one event to every channel with the poll, with its first message there, or the message `first`.
 * `after` runs once the poll is read and before the messages are read, to delete the poll in between.
 */
export function publishPoll(
  call: RouteCall,
  type: string,
  poll: PollRow,
  {
    me,
    extra = {},
    first,
    after,
  }: { me?: UserRow | undefined; extra?: Fields; first?: string; after?: () => void },
): void {
  const context = viewContext(call.db, call.emit, call.now());
  const messageByChannel = new Map<string, MessageRow>();
  for (const row of messagesWithPoll(call.db, poll.id)) {
    const current = messageByChannel.get(row.cid);
    const better =
      current &&
      current.id !== first &&
      (row.id === first || (current.restricted !== null && row.restricted === null));
    if (!current || better) messageByChannel.set(row.cid, row);
  }
  const view = pollView(context, poll);
  after?.();
  for (const row of messageByChannel.values())
    call.emit.watchers(
      row.cid,
      {
        type,
        ...(me ? { user: context.people.get(me.id) } : {}),
        poll: view,
        message: messageView(context, row),
        message_id: row.id,
        ...extra,
      },
      visibleTo(call, row),
    );
}
