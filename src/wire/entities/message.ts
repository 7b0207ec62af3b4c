/** Messages and reactions (specification/messages.md §2, §9). */
import type { Attachment } from "./attachment.ts";
import type { Draft } from "./draft.ts";
import type { SharedLocation } from "./location.ts";
import type { Poll } from "./poll.ts";
import type { Reminder } from "./reminder.ts";
import type { User } from "./user.ts";

export type MessageType = "regular" | "reply" | "system" | "deleted" | "ephemeral" | "error";

export interface Reaction {
  type: string;
  user_id: string;
  user?: User;
  message_id: string;
  score: number;
  created_at: string;
  updated_at: string;
  emoji_code?: string;
}

export interface ReactionGroup {
  count: number;
  sum_scores: number;
  first_reaction_at: string;
  last_reaction_at: string;
}

export interface Message {
  id: string;
  cid: string;
  type: MessageType;
  text: string;
  html?: string;
  user: User;
  attachments: Attachment[];
  mentioned_users: User[];
  parent_id?: string;
  show_in_channel?: boolean;
  reply_count: number;
  deleted_reply_count?: number;
  thread_participants?: User[];
  quoted_message_id?: string;
  quoted_message?: Message | null;
  poll_id?: string;
  /** Null if the poll was deleted (V-10). */
  poll?: Poll | null;
  shared_location?: SharedLocation;
  reaction_counts?: Record<string, number> | null;
  reaction_scores?: Record<string, number> | null;
  reaction_groups: Record<string, ReactionGroup>;
  latest_reactions: Reaction[];
  /** The caller's; `[]` in events (specification/wire.md §13.4). */
  own_reactions: Reaction[];
  command?: string;
  args?: string;
  silent?: boolean;
  pinned?: boolean;
  pinned_at?: string | null;
  pinned_by?: User | null;
  pin_expires?: string | null;
  i18n?: Record<string, string>;
  restricted_visibility?: string[];
  shadowed?: boolean;
  /** The author's membership, besides its custom fields. */
  member?: { channel_role?: string; notifications_muted?: boolean };
  /** Legacy, from servers only. */
  mml?: string;
  /** The caller's draft in this message's thread (DR-5), and the caller's reminder (RE-8). */
  draft?: Draft;
  reminder?: Reminder;
  created_at: string;
  updated_at: string;
  message_text_updated_at?: string;
  deleted_at?: string;
  deleted_for_me?: boolean;
  mentioned_channel?: boolean;
  mentioned_here?: boolean;
}

/** `message` of a send: ids for mentions, no server-managed keys; custom keys are allowed. */
export interface MessageInput {
  id?: string;
  text?: string;
  type?: "regular" | "system" | "";
  attachments?: Attachment[];
  mentioned_users?: string[];
  parent_id?: string;
  show_in_channel?: boolean;
  quoted_message_id?: string;
  poll_id?: string;
  silent?: boolean;
  pinned?: boolean;
  pin_expires?: string | null;
  restricted_visibility?: string[];
  shared_location?: SharedLocation;
  mentioned_channel?: boolean;
  mentioned_here?: boolean;
  /** Server-side calls only. */
  html?: string;
  mml?: string;
  user_id?: string;
  user?: Partial<User> & { id: string };
}

export interface SendOptions {
  skip_push?: boolean;
  skip_enrich_url?: boolean;
  keep_channel_hidden?: boolean;
  /** Only its author sees it until a server commits it. */
  pending?: boolean;
  pending_message_metadata?: Record<string, string>;
}

/** An uncommitted message, as returned to its author. */
export interface PendingMessage {
  message: Message;
  metadata?: Record<string, string>;
}

/** The content of a message before one of its updates (specification/messages.md §8); besides custom fields. */
export interface MessageHistoryEntry {
  message_id: string;
  message_updated_by_id: string;
  message_updated_at: string;
  text: string;
  attachments: Attachment[];
  is_deleted: boolean;
}

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
