/** Message reminders: with a time "remind me later", without one a bookmark (specification/reminders.md). */
import type { Channel } from "./channel.ts";
import type { Message } from "./message.ts";
import type { User } from "./user.ts";

export interface Reminder {
  channel_cid: string;
  channel?: Channel;
  message_id: string;
  message?: Message;
  user_id: string;
  user?: User;
  /** Null for a bookmark, which has no time. */
  remind_at: string | null;
  created_at: string;
  updated_at: string;
}
