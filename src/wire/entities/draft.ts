/** Drafts: unsent messages that the provider stores for their author only (specification/drafts.md). */
import { any, choice, entity, flag, list, need, shape, text, time, type Infer } from "./fields.ts";

/** The stored part of an unsent message, besides custom keys. */
export const DraftMessage = shape(() => ({
  id: need(text()),
  text: need(text()),
  attachments: list(entity("Attachment")),
  mentioned_users: list(entity("User")),
  parent_id: text(),
  show_in_channel: flag(),
  quoted_message_id: text(),
  silent: flag(),
  type: choice("regular", "system"),
  poll_id: text(),
  html: text(),
  mml: text(),
  "*": any(),
}));

export interface DraftMessage extends Infer<typeof DraftMessage> {}

/** A draft of a channel, or of a thread if `parent_id` is set. */
export const Draft = shape(() => ({
  channel_cid: need(text()),
  parent_id: text(),
  message: need(entity("DraftMessage")),
  channel: entity("Channel"),
  parent_message: entity("Message"),
  quoted_message: entity("Message"),
  /** Time of the last save. */
  created_at: need(time()),
}));
export interface Draft extends Infer<typeof Draft> {}
