/** Bans, flags and reports as they travel (specification/moderation.md §2.2, §4). */
import type { Channel } from "./channel.ts";
import type { Message } from "./message.ts";
import type { User } from "./user.ts";

/** One ban; without `channel` it is app-wide. */
export interface Ban {
  user: User;
  banned_by?: User;
  channel?: Channel;
  created_at: string;
  expires?: string;
  reason?: string;
  shadow?: boolean;
}

/** A ban in the channels that `banned_by` makes from now on. */
export type FutureChannelBan = Omit<Ban, "channel">;

interface Review {
  reviewed_at?: string;
  reviewed_by?: User;
  approved_at?: string;
  rejected_at?: string;
}

/** The answer of flagging: `target_message` when a message was flagged, its author is `target_user`. */
export interface Flag extends Review {
  created_at: string;
  updated_at: string;
  created_by_automod: boolean;
  /** Absent when a blocklist flagged. */
  user?: User;
  target_message_id?: string;
  target_message?: Message;
  target_user: User;
  reason?: string;
  custom?: Record<string, unknown>;
}

/** One entry of the list of flagged messages. */
export interface MessageFlag extends Review {
  created_at: string;
  updated_at: string;
  created_by_automod: boolean;
  message: Message;
  user?: User;
  reason?: string;
  custom?: Record<string, unknown>;
  details?: Record<string, unknown>;
}

/** All flags of one message, and what a reviewer made of them. */
export interface FlagReport {
  id: string;
  message: Message;
  flags_count: number;
  message_user_id: string;
  channel_cid: string;
  created_at: string;
  updated_at: string;
  review_result?: string;
  review_details?: Record<string, unknown>;
  reviewed_at?: string;
  reviewed_by?: User;
}

/** What a ban does to the messages of the banned user (specification/messages.md §7.1). */
export const BAN_DELETIONS = ["soft", "pruning", "hard"] as const;
export type BanDeletion = (typeof BAN_DELETIONS)[number];
