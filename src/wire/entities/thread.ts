/** Threads: one per message with replies, identified by the parent message's id (specification/threads.md §3). */
import { entity, list, need, shape, text, time, whole, type Infer } from "./fields.ts";

export const ThreadParticipant = shape(() => ({
  user_id: need(text()),
  user: entity("User"),
  thread_id: need(text()),
  channel_cid: need(text()),
  created_at: need(time()),
  last_read_at: time(),
  last_thread_message_at: time(),
  left_thread_at: time(),
}));
export interface ThreadParticipant extends Infer<typeof ThreadParticipant> {}

/** May have custom keys. */
export const Thread = shape(() => ({
  parent_message_id: need(text()),
  parent_message: entity("Message"),
  channel_cid: need(text()),
  channel: entity("Channel"),
  title: text(),
  created_by_user_id: text(),
  created_by: entity("User"),
  created_at: need(time()),
  updated_at: need(time()),
  deleted_at: time(),
  last_message_at: time(),
  reply_count: need(whole()),
  participant_count: need(whole()),
  active_participant_count: whole(),
  thread_participants: list(entity("ThreadParticipant")),
  /** Oldest → newest. */
  latest_replies: list(entity("Message")),
  read: list(entity("Read")),
  draft: entity("Draft"),
}));
export interface Thread extends Infer<typeof Thread> {}

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
