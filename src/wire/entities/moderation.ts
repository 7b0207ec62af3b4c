/** Bans, flags and reports (specification/moderation.md §2.2, §4). */
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

/** A ban in channels that `banned_by` creates in the future. */
export type FutureChannelBan = Omit<Ban, "channel">;

interface Review {
  reviewed_at?: string;
  reviewed_by?: User;
  approved_at?: string;
  rejected_at?: string;
}

/** The answer of flagging; for a message, `target_user` is its author. */
export interface Flag extends Review {
  created_at: string;
  updated_at: string;
  created_by_automod: boolean;
  /** Absent if a blocklist flagged the message. */
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

/** All flags of one message, and the reviewer's decision. */
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
