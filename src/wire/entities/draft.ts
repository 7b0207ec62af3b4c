/** Drafts: unsent messages that the provider stores for their author only (specification/drafts.md). */
import type { Attachment } from "./attachment.ts";
import type { Channel } from "./channel.ts";
import type { Message } from "./message.ts";
import type { User } from "./user.ts";

/** The stored part of an unsent message, besides custom keys. */
interface DraftMessage {
  id: string;
  text: string;
  attachments?: Attachment[];
  mentioned_users?: User[];
  parent_id?: string;
  show_in_channel?: boolean;
  quoted_message_id?: string;
  silent?: boolean;
  type?: "regular" | "system";
  poll_id?: string;
  html?: string;
  mml?: string;
  [custom: string]: unknown;
}

/** A draft of a channel, or of a thread if `parent_id` is set. */
export interface Draft {
  channel_cid: string;
  parent_id?: string;
  message: DraftMessage;
  channel?: Channel;
  parent_message?: Message;
  quoted_message?: Message;
  /** Time of the last save. */
  created_at: string;
}

/** `message` of a save: ids for mentions. */
export type DraftInput = Omit<DraftMessage, "id" | "text" | "mentioned_users"> & {
  id?: string;
  text?: string;
  mentioned_users?: string[];
  /** Server-side calls only. */
  user_id?: string;
};
