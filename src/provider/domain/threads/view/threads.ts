/** Converts threads to the wire: complete for one caller, or without personal data for events (specification/threads.md §3). */
import type { Read } from "../../../../wire/entities/channel.ts";
import type { Thread, ThreadParticipant } from "../../../../wire/entities/thread.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Permissions } from "../../access/view/policy.ts";
import type { Fields } from "../../validation/check.ts";
import { channelFor, channelView, memberList } from "../../channels/view/channels.ts";
import { threadDraftsOf } from "../../drafts/storage/drafts.ts";
import type { MessageRow } from "../../messages/storage/rows.ts";
import { visibilityOf } from "../../messages/view/visibility.ts";
import { messageView, messageViews } from "../../messages/view/messages.ts";
import { type ViewContext } from "../../users/view/view-context.ts";
import { pageOf } from "../../messages/storage/paging.ts";
import { privacyOf } from "../../users/view/users.ts";
import { findUser } from "../../users/storage/rows.ts";
import { participantCounts, participantRows, type HeadRow, type ParticipantRow } from "../storage/rows.ts";

export interface ThreadViewLimits {
  participants: number;
  replies: number;
  members: number;
}

/** One thread with its parent and the caller's permissions in its channel. */
export interface FoundThread {
  head: HeadRow;
  parent: MessageRow;
  permissions: Permissions;
}

/** Whether a user's read state may be shown: hidden read receipts are visible only to the user and to servers (specification/users.md §12). */
function showsReads(context: ViewContext, permissions: Permissions, userId: string): boolean {
  if (permissions.unrestricted || userId === context.viewer) return true;
  const row = findUser(context.db, userId);
  return row === undefined || privacyOf(row).read_receipts.enabled;
}

function participantView(context: ViewContext, row: ParticipantRow, shown: boolean): ThreadParticipant {
  return {
    user_id: row.user_id,
    user: context.people.get(row.user_id),
    thread_id: row.parent_id,
    channel_cid: row.cid,
    created_at: timeFromMicros(row.created_at),
    ...(shown ? { last_read_at: timeFromMicros(row.last_read) } : {}),
    ...(row.last_written === null ? {} : { last_thread_message_at: timeFromMicros(row.last_written) }),
    ...(row.left_at === null ? {} : { left_thread_at: timeFromMicros(row.left_at) }),
  };
}

const readOf = (context: ViewContext, row: ParticipantRow): Read => ({
  user: context.people.get(row.user_id),
  last_read: timeFromMicros(row.last_read),
  ...(row.last_read_id === null ? {} : { last_read_message_id: row.last_read_id }),
  unread_messages: row.unread,
});

function headView(
  context: ViewContext,
  { head, parent }: FoundThread,
  participants: ThreadParticipant[],
): Thread & Fields {
  const counts = participantCounts(context.db, head.parent_id);
  return {
    ...(JSON.parse(head.data) as Fields),
    parent_message_id: head.parent_id,
    channel_cid: head.cid,
    // Without a title, a thread is named by the text of its parent.
    title: head.title || (parent.type === "deleted" ? "" : parent.text),
    created_by_user_id: head.created_by,
    created_by: context.people.get(head.created_by),
    created_at: timeFromMicros(head.created_at),
    updated_at: timeFromMicros(head.updated_at),
    ...(parent.deleted_at === null ? {} : { deleted_at: timeFromMicros(parent.deleted_at) }),
    ...(head.last_message_at === null ? {} : { last_message_at: timeFromMicros(head.last_message_at) }),
    reply_count: parent.reply_count,
    participant_count: counts.all,
    active_participant_count: counts.active,
    thread_participants: participants,
  };
}

/** A thread without replies, read state and draft, for the answer and event of a change. */
export function bareThread(context: ViewContext, found: FoundThread, participantLimit: number): Thread {
  const { head, parent } = found;
  // An event reaches everybody, so hidden read receipts stay hidden.
  const permissions = { ...found.permissions, unrestricted: false };
  const rows = participantRows(context.db, head.parent_id, participantLimit);
  context.people.load([head.created_by, ...rows.map((row) => row.user_id)]);
  const participants = rows.map((row) =>
    participantView(context, row, showsReads(context, permissions, row.user_id)),
  );
  return {
    ...headView(context, found, participants),
    parent_message: messageView(context, parent),
    channel: channelView(context.people, permissions.channel),
  };
}

/** Complete threads for the caller, in the given order; all their messages are read together. */
export function threadViews(
  context: ViewContext,
  found: readonly FoundThread[],
  limits: ThreadViewLimits,
): Thread[] {
  const { db, people } = context;
  const loaded = found.map((thread) => ({
    ...thread,
    participants: participantRows(db, thread.head.parent_id, limits.participants),
    replies: pageOf(db, { parentId: thread.head.parent_id }, visibilityOf(thread.permissions), {
      limit: limits.replies,
      offset: 0,
      anchor: undefined,
    }),
  }));
  people.load(
    loaded.flatMap(({ head, participants }) => [head.created_by, ...participants.map((row) => row.user_id)]),
  );
  const views = new Map(
    messageViews(
      context,
      loaded.flatMap(({ parent, replies }) => [parent, ...replies]),
    ).map((view) => [view.id, view]),
  );
  const drafts = threadDraftsOf(
    db,
    people,
    context.viewer,
    found.map(({ head }) => head.parent_id),
  );
  return loaded.map((thread): Thread => {
    const { head, parent, permissions, participants, replies } = thread;
    const shown = (row: ParticipantRow): boolean => showsReads(context, permissions, row.user_id);
    const draft = drafts.get(head.parent_id);
    return {
      ...headView(
        context,
        thread,
        participants.map((row) => participantView(context, row, shown(row))),
      ),
      parent_message: views.get(parent.id)!,
      reply_count: views.get(parent.id)!.reply_count,
      channel: {
        ...channelFor(db, people, permissions, context.now),
        members: memberList(db, people, permissions.channel, limits.members),
      },
      latest_replies: replies.map(({ id }) => views.get(id)!),
      read: participants.filter(shown).map((row) => readOf(context, row)),
      ...(draft ? { draft } : {}),
    };
  });
}
