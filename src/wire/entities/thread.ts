/** Threads: one per message with replies, identified by the parent message's id (specification/threads.md §3). */
import type { Channel, Read } from "./channel.ts";
import type { Draft } from "./draft.ts";
import type { Message } from "./message.ts";
import type { User } from "./user.ts";

export interface ThreadParticipant {
  user_id: string;
  user?: User;
  thread_id: string;
  channel_cid: string;
  created_at: string;
  last_read_at?: string;
  last_thread_message_at?: string;
  left_thread_at?: string;
}

/** May have custom keys. */
export interface Thread {
  parent_message_id: string;
  parent_message?: Message;
  channel_cid: string;
  channel?: Channel;
  title?: string;
  created_by_user_id?: string;
  created_by?: User;
  created_at: string;
  updated_at: string;
  deleted_at?: string;
  last_message_at?: string;
  reply_count: number;
  participant_count: number;
  active_participant_count?: number;
  thread_participants?: ThreadParticipant[];
  /** Oldest → newest. */
  latest_replies?: Message[];
  read?: Read[];
  draft?: Draft;
}

/** Keys that cannot be set: those of the object, and four that could be mistaken for them (TH-2). */
const RESERVED_THREAD_FIELDS: ReadonlySet<string> = new Set([
  "parent_message_id",
  "parent_message",
  "channel_cid",
  "channel",
  "created_by_user_id",
  "created_by",
  "created_at",
  "updated_at",
  "deleted_at",
  "last_message_at",
  "reply_count",
  "participant_count",
  "active_participant_count",
  "thread_participants",
  "latest_replies",
  "read",
  "draft",
  "id",
  "type",
  "user",
  "user_id",
  "cid",
]);

/** TH-2: the error for reserved fields, in the given order; undefined if there are none. */
export function reservedThreadProblem(fields: readonly string[]): string | undefined {
  // A path into a reserved field counts, too.
  const reserved = fields.filter((field) => RESERVED_THREAD_FIELDS.has(field.split(".")[0]!));
  if (reserved.length === 0) return undefined;
  return `reserved thread field(s) cannot be set: ${reserved.join(", ")}`;
}

/** TH-3: the error for an empty update. */
export const NOTHING_TO_UPDATE = "Nothing to update";
