/** The current user as in the first frame: nothing muted, nobody blocked, nothing unread. */
import type { OwnUser } from "../../src/wire/entities/user.ts";

export const ownUser = (id: string, more: Partial<OwnUser> = {}): OwnUser => ({
  id,
  devices: [],
  mutes: [],
  channel_mutes: [],
  blocked_user_ids: [],
  total_unread_count: 0,
  unread_count: 0,
  unread_channels: 0,
  unread_threads: 0,
  ...more,
});
