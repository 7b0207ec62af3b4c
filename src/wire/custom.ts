/** Custom fields: which keys of an entity are built in; all others are custom and travel beside them (specification/wire.md §6). */
import { POISONED_KEYS } from "./ids.ts";

const MESSAGE = `id cid type text html user attachments mentioned_users parent_id show_in_channel reply_count deleted_reply_count
 thread_participants quoted_message_id quoted_message poll_id poll shared_location reaction_counts reaction_scores reaction_groups
 latest_reactions own_reactions command args silent pinned pinned_at pinned_by pin_expires i18n restricted_visibility shadowed member
 draft reminder image_labels moderation mml created_at updated_at message_text_updated_at deleted_at deleted_for_me mentioned_channel
 mentioned_here status user_id channel before_message_send_failed`;
const USER = `id name image role teams teams_role language status online last_active created_at updated_at deleted_at deactivated_at
 banned ban_expires shadow_banned invisible avg_response_time privacy_settings revoke_tokens_issued_before blocked_user_ids mutes
 channel_mutes devices bypass_moderation push_notifications total_unread_count unread_count unread_channels unread_threads
 total_unread_count_by_team latest_hidden_channels push_preferences`;
const CHANNEL = `id type cid created_at updated_at created_by created_by_id last_message_at member_count message_count frozen disabled
 hidden hide_messages_before muted mute_expires_at blocked cooldown team auto_translation_enabled auto_translation_language filter_tags
 own_capabilities config config_overrides members invites deleted_at truncated_at truncated_by truncated_by_id`;
const MEMBER = `user_id user channel_role role is_moderator created_at updated_at invited invite_accepted_at invite_rejected_at status
 banned ban_expires shadow_banned pinned_at archived_at pinned archived notifications_muted deleted_messages deleted_at`;
const REACTION = `type user_id user message_id score created_at updated_at emoji_code`;

const keys = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const BUILT_IN_FIELDS = {
  message: keys(MESSAGE),
  user: keys(USER),
  channel: keys(CHANNEL),
  member: keys(MEMBER),
  reaction: keys(REACTION),
} as const;

/** The custom fields of an entity, same JSON values; `undefined` values are left out. */
export function customOf(kind: keyof typeof BUILT_IN_FIELDS, entity: object): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(entity))
    if (value !== undefined && !BUILT_IN_FIELDS[kind].has(key) && !POISONED_KEYS.has(key)) out[key] = value;
  return out;
}
