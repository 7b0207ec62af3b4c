/** Message reminders: with a time "remind me later", without one a bookmark (specification/reminders.md). */
import { entity, need, shape, orNull, text, time, type Infer } from "./fields.ts";

export const Reminder = shape(() => ({
  channel_cid: need(text()),
  channel: entity("Channel"),
  message_id: need(text()),
  message: entity("Message"),
  user_id: need(text()),
  user: entity("User"),
  /** Null for a bookmark, which has no time. */
  remind_at: need(orNull(time())),
  created_at: need(time()),
  updated_at: need(time()),
}));
export interface Reminder extends Infer<typeof Reminder> {}
