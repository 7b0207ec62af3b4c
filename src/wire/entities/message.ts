/** Messages and reactions (specification/messages.md §2, §9). */
import {
  choice,
  entity,
  flag,
  ignored,
  list,
  map,
  need,
  number,
  object,
  shape,
  orNull,
  text,
  time,
  whole,
  type Infer,
} from "./fields.ts";

export const Reaction = shape(() => ({
  type: need(text()),
  user_id: need(text()),
  user: entity("User"),
  message_id: need(text()),
  score: need(number()),
  created_at: need(time()),
  updated_at: need(time()),
  emoji_code: text(),
}));
export interface Reaction extends Infer<typeof Reaction> {}

export const ReactionGroup = shape(() => ({
  count: need(whole()),
  sum_scores: need(number()),
  first_reaction_at: need(time()),
  last_reaction_at: need(time()),
}));
export interface ReactionGroup extends Infer<typeof ReactionGroup> {}

export const Message = shape(() => ({
  id: need(text()),
  cid: need(text()),
  type: need(choice("regular", "reply", "system", "deleted", "ephemeral", "error")),
  text: need(text()),
  html: text(),
  user: need(entity("User")),
  attachments: need(list(entity("Attachment"))),
  mentioned_users: need(list(entity("User"))),
  parent_id: text(),
  show_in_channel: flag(),
  reply_count: need(whole()),
  deleted_reply_count: whole(),
  thread_participants: list(entity("User")),
  quoted_message_id: text(),
  quoted_message: orNull(entity("Message")),
  poll_id: text(),
  /** Null if the poll was deleted (V-10). */
  poll: orNull(entity("Poll")),
  shared_location: entity("SharedLocation"),
  reaction_counts: orNull(map(whole())),
  reaction_scores: orNull(map(number())),
  reaction_groups: need(map(entity("ReactionGroup"))),
  latest_reactions: need(list(entity("Reaction"))),
  /** The caller's; `[]` in events (specification/wire.md §13.4). */
  own_reactions: need(list(entity("Reaction"))),
  command: text(),
  args: text(),
  silent: flag(),
  pinned: flag(),
  pinned_at: orNull(time()),
  pinned_by: orNull(entity("User")),
  pin_expires: orNull(time()),
  i18n: map(text()),
  restricted_visibility: list(text()),
  shadowed: flag(),
  /** The author's membership, besides its custom fields. */
  member: object({ channel_role: text(), notifications_muted: flag() }),
  /** Legacy, from servers only. */
  mml: text(),
  /** The caller's draft in this message's thread (DR-5), and the caller's reminder (RE-8). */
  draft: entity("Draft"),
  reminder: entity("Reminder"),
  created_at: need(time()),
  updated_at: need(time()),
  message_text_updated_at: time(),
  deleted_at: time(),
  deleted_for_me: flag(),
  mentioned_channel: flag(),
  mentioned_here: flag(),
  /** Of other providers. */
  ...ignored("image_labels", "moderation"),
  /** Beside the message in some answers. */
  ...ignored("channel"),
}));
export interface Message extends Infer<typeof Message> {}
export type MessageType = Message["type"];

export interface SendOptions {
  skip_push?: boolean;
  skip_enrich_url?: boolean;
  keep_channel_hidden?: boolean;
  /** Only its author sees it until a server commits it. */
  pending?: boolean;
  pending_message_metadata?: Record<string, string>;
}

/** An uncommitted message, as returned to its author. */
export const PendingMessage = shape(() => ({
  message: need(entity("Message")),
  metadata: map(text()),
}));
export interface PendingMessage extends Infer<typeof PendingMessage> {}

/** The content of a message before one of its updates (specification/messages.md §8); besides custom fields. */
export const MessageHistoryEntry = shape(() => ({
  message_id: need(text()),
  message_updated_by_id: need(text()),
  message_updated_at: need(time()),
  text: need(text()),
  attachments: need(list(entity("Attachment"))),
  is_deleted: need(flag()),
}));
export interface MessageHistoryEntry extends Infer<typeof MessageHistoryEntry> {}

/** Which parts an update changed. */
export interface MessageChangeSet {
  text: boolean;
  attachments: boolean;
  custom: boolean;
  html: boolean;
  mentioned_user_ids: boolean;
  mml: boolean;
  pin: boolean;
  quoted_message_id: boolean;
  silent: boolean;
}
