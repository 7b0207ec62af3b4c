/** Archived threads, newest first: every message with replies is one. */
import type { Message } from "../../../wire/entities/message.ts";
import type { Thread } from "../../../wire/entities/thread.ts";
import type { User } from "../../../wire/entities/user.ts";
import { THREAD_REPLIES_LIMIT, THREADS_LIMIT } from "../../../wire/constants.ts";
import { isObject, type Fields } from "../../../wire/json-object.ts";
import { countIn, fitting, archivedMessage, pageFrom } from "./messages.ts";
import type { Shelf } from "./shelf.ts";

interface ThreadRow {
  parent_message_id: string;
  replies: number;
}

/** The threads of the archive; only the index is read, as there may be many. */
const threadRows = (shelf: Shelf): ThreadRow[] =>
  shelf.keep(
    "threads",
    () =>
      shelf.db
        .prepare(
          `SELECT parent_id parent_message_id, count(*) replies, max(at) last FROM messages WHERE parent_id IS NOT NULL
           GROUP BY parent_id ORDER BY last DESC, parent_id`,
        )
        .all() as unknown as ThreadRow[],
  );

/** Who wrote the parent or a reply that is shown, or is named as taking part. */
function participantsOf(parent: Message, replies: readonly Message[]): User[] {
  const people = [parent.user, ...(parent.thread_participants ?? []), ...replies.map(({ user }) => user)];
  return [...new Map(people.map((one) => [one.id, one])).values()];
}

function threadOf(
  shelf: Shelf,
  { parent_message_id: id, replies: count }: ThreadRow,
  shown: number,
): Thread | undefined {
  const parent = archivedMessage(shelf, id);
  const channel = parent && shelf.channel(parent.cid);
  if (!parent || !channel) return undefined;
  const { cid } = channel;
  const replies = shelf.reader.page({ parent: id }, undefined, shown).map((one) => shelf.message(one));
  const people = participantsOf(parent, replies);
  const last = replies.at(-1)?.created_at ?? parent.created_at;
  return {
    parent_message_id: id,
    parent_message: parent,
    channel_cid: cid,
    channel,
    created_by_user_id: parent.user.id,
    created_at: parent.created_at,
    updated_at: last,
    last_message_at: last,
    reply_count: count,
    participant_count: people.length,
    thread_participants: people.map((user) => ({
      user_id: user.id,
      user,
      thread_id: id,
      channel_cid: cid,
      created_at: parent.created_at,
    })),
    latest_replies: replies,
    read: [{ user: shelf.me, last_read: last, unread_messages: 0 }],
  };
}

const repliesAsked = ({ reply_limit: limit }: Fields): number => countIn({ limit }, THREAD_REPLIES_LIMIT);

/** `POST /threads`. */
export function answerThreads(shelf: Shelf, fields: Fields): { threads: Thread[]; next?: string } {
  const { filter } = fields;
  const some =
    isObject(filter) && Object.keys(filter).length > 0
      ? fitting(
          threadRows(shelf).flatMap((row) => threadOf(shelf, row, 1) ?? []),
          fields,
        ).map(({ parent_message_id, reply_count: replies }): ThreadRow => ({ parent_message_id, replies }))
      : threadRows(shelf);
  const { page, ...cursor } = pageFrom(some, fields, THREADS_LIMIT);
  return { threads: page.flatMap((row) => threadOf(shelf, row, repliesAsked(fields)) ?? []), ...cursor };
}

/** `GET /threads/{message_id}`. */
export function answerThread(shelf: Shelf, fields: Fields): { thread: Thread } | undefined {
  const row = threadRows(shelf).find(({ parent_message_id: id }) => id === fields.message_id);
  const thread = row && threadOf(shelf, row, repliesAsked(fields));
  return thread && { thread };
}
