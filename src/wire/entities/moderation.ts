/** Bans, flags and reports (specification/moderation.md §2.2, §4). */
import { any, entity, flag, map, need, shape, text, time, whole, type Infer } from "./fields.ts";

/** A ban in channels that `banned_by` creates in the future. */
export const FutureChannelBan = shape(() => ({
  user: need(entity("User")),
  banned_by: entity("User"),
  created_at: need(time()),
  expires: time(),
  reason: text(),
  shadow: flag(),
}));
export interface FutureChannelBan extends Infer<typeof FutureChannelBan> {}

/** One ban; without `channel` it is app-wide. */
export const Ban = shape(() => ({ ...FutureChannelBan(), channel: entity("Channel") }));
export interface Ban extends Infer<typeof Ban> {}

const review = {
  reviewed_at: time(),
  reviewed_by: entity("User"),
  approved_at: time(),
  rejected_at: time(),
};

/** The answer of flagging; for a message, `target_user` is its author. */
export const Flag = shape(() => ({
  ...review,
  created_at: need(time()),
  updated_at: need(time()),
  created_by_automod: need(flag()),
  /** Absent if a blocklist flagged the message. */
  user: entity("User"),
  target_message_id: text(),
  target_message: entity("Message"),
  target_user: need(entity("User")),
  reason: text(),
  custom: map(any()),
}));
export interface Flag extends Infer<typeof Flag> {}

/** One entry of the list of flagged messages. */
export const MessageFlag = shape(() => ({
  ...review,
  created_at: need(time()),
  updated_at: need(time()),
  created_by_automod: need(flag()),
  message: need(entity("Message")),
  user: entity("User"),
  reason: text(),
  custom: map(any()),
  details: map(any()),
}));
export interface MessageFlag extends Infer<typeof MessageFlag> {}

/** All flags of one message, and the reviewer's decision. */
export const FlagReport = shape(() => ({
  id: need(text()),
  message: need(entity("Message")),
  flags_count: need(whole()),
  message_user_id: need(text()),
  channel_cid: need(text()),
  created_at: need(time()),
  updated_at: need(time()),
  review_result: text(),
  review_details: map(any()),
  reviewed_at: time(),
  reviewed_by: entity("User"),
}));
export interface FlagReport extends Infer<typeof FlagReport> {}

/** What a ban does to the messages of the banned user (specification/messages.md §7.1). */
export const BAN_DELETIONS = ["soft", "pruning", "hard"] as const;
export type BanDeletion = (typeof BAN_DELETIONS)[number];
