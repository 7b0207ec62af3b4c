/** Drafts as they travel: unsent messages that the provider keeps for their author alone (specification/drafts.md). */
import type { Attachment } from "./attachment.ts";
import type { Channel } from "./channel.ts";
import type { Message } from "./message.ts";
import type { User } from "./user.ts";

/** What is kept of an unsent message; custom keys beside these. */
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

/** A draft of a channel, or of a thread when `parent_id` is there. */
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
