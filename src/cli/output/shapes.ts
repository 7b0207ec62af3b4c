/** The fields of what commands give, printed from the types (npm run docs): read by `fields.ts`. */

/** A line for each shape: the commands that give it, and its fields. */
export const SHAPES = `
tail, event listen: channel channel_id channel_last_message_at channel_member_count channel_message_count channel_type cid clear_history connection_id created_at created_by deleted_for_me draft expiration first_unread_message_id hard_delete last_delivered_at last_delivered_message_id last_read_at last_read_message_id mark_messages_deleted me member message message_id message_update mode online parent_author parent_id poll poll_vote reaction reason reminder shadow soft_delete team thread thread_id thread_participants total_bans total_unread_count type unread_channels unread_count unread_messages unread_thread_messages unread_threads user user_id watcher_count
message send, thread reply: args attachments cid command created_at deleted_at deleted_for_me deleted_reply_count draft html i18n id latest_reactions member mentioned_channel mentioned_here mentioned_users message_text_updated_at mml own_reactions parent_id pin_expires pinned pinned_at pinned_by poll poll_id quoted_message quoted_message_id reaction_counts reaction_groups reaction_scores reminder reply_count restricted_visibility shadowed shared_location show_in_channel silent status text thread_participants type updated_at user
message list, message edit, message delete, message undelete, message translate, message commit, message replies, message pin, message unpin, search, wait: args attachments cid command created_at deleted_at deleted_for_me deleted_reply_count draft html i18n id latest_reactions member mentioned_channel mentioned_here mentioned_users message_text_updated_at mml own_reactions parent_id pin_expires pinned pinned_at pinned_by poll poll_id quoted_message quoted_message_id reaction_counts reaction_groups reaction_scores reminder reply_count restricted_visibility shadowed shared_location show_in_channel silent text thread_participants type updated_at user
message get: args attachments channel cid command created_at deleted_at deleted_for_me deleted_reply_count draft html i18n id latest_reactions member mentioned_channel mentioned_here mentioned_users message_text_updated_at mml own_reactions parent_id pin_expires pinned pinned_at pinned_by poll poll_id quoted_message quoted_message_id reaction_counts reaction_groups reaction_scores reminder reply_count restricted_visibility shadowed shared_location show_in_channel silent text thread_participants type updated_at user
message history: attachments is_deleted message_id message_updated_at message_updated_by_id text
message link: cid id link
message open: dry_run url
message react, message unreact: message reaction
message reactions: created_at emoji_code message_id score type updated_at user user_id
message action: args attachments cid command created_at deleted_at deleted_for_me deleted_reply_count draft gone html i18n id latest_reactions member mentioned_channel mentioned_here mentioned_users message_text_updated_at mml own_reactions parent_id pin_expires pinned pinned_at pinned_by poll poll_id quoted_message quoted_message_id reaction_counts reaction_groups reaction_scores reminder reply_count restricted_visibility shadowed shared_location show_in_channel silent text thread_participants type updated_at user
message flag, message unflag, user flag: approved_at created_at created_by_automod custom reason rejected_at reviewed_at reviewed_by target_message target_message_id target_user updated_at user
channel list: auto_translation_enabled auto_translation_language blocked cid config cooldown created_at created_by deleted_at disabled filter_tags frozen hidden hide_messages_before id image last_message_at member_count members message_count mute_expires_at muted name own_capabilities team truncated_at truncated_by type unread updated_at
channel get: active_live_locations auto_translation_enabled auto_translation_language blocked channel cid config config_overrides cooldown created_at created_by deleted_at disabled draft filter_tags frozen hidden hide_messages_before id image last_message_at member_count members membership message_count messages mute_expires_at muted name own_capabilities pending_messages pinned_messages push_preferences read team threads truncated_at truncated_by type unread updated_at watcher_count watchers
channel create, channel join, channel leave, channel set, channel unset, channel replace, channel truncate, channel freeze, channel unfreeze, channel accept, channel reject: auto_translation_enabled auto_translation_language blocked cid config cooldown created_at created_by deleted_at disabled filter_tags frozen hidden hide_messages_before id image last_message_at member_count members message_count mute_expires_at muted name own_capabilities team truncated_at truncated_by type updated_at
channel hide, channel unhide: channel hidden
channel read, channel unread: channel read
channel mute: channel created_at expires muted updated_at user
channel unmute: channel muted
channel delete: cid status task_id
channel batch: failed_channels operation success_channels_count task_id
channel export: bytes file task_id tasks url
channel pin, channel unpin, channel archive, channel unarchive: archived_at ban_expires banned channel channel_role created_at deleted_messages invite_accepted_at invite_rejected_at invited is_moderator notifications_muted pinned_at role shadow_banned status updated_at user user_id
channel watchers, user list, user get, user upsert, user set, user unset, user presence: avg_response_time ban_expires banned blocked_user_ids bypass_moderation channel_mutes created_at deactivated_at deleted_at devices id image invisible language last_active mutes name online privacy_settings push_notifications revoke_tokens_issued_before role shadow_banned status teams teams_role updated_at
channel read-state: last_delivered_at last_delivered_message_id last_read last_read_message_id unread_messages user
member list, member set: archived_at ban_expires banned channel_role created_at deleted_messages invite_accepted_at invite_rejected_at invited is_moderator notifications_muted pinned_at role shadow_banned status updated_at user user_id
member ban, member shadow-ban: banned channel reason shadow_banned until user
member unban: banned channel user
user mute, user muted: created_at expires target updated_at user
user unmute: muted user
user block, user unblock: blocked user
user blocked: blocked_user blocked_user_id created_at user user_id
user deactivate, user reactivate: task_id users
user delete: status task_id users
user restore: id restored
user export: messages reactions user
user guest: access_token user
user revoke: revoke_tokens_issued_before user
user ban: banned shadow_banned until user
user unban: banned user
thread list: active_participant_count channel channel_cid created_at created_by created_by_user_id deleted_at draft last_message_at latest_replies parent_message parent_message_id participant_count read reply_count thread_participants title unread updated_at
thread get, thread set, thread unset: active_participant_count channel channel_cid created_at created_by created_by_user_id deleted_at draft last_message_at latest_replies parent_message parent_message_id participant_count read reply_count thread_participants title updated_at
thread read: event thread_id
thread mark-unread: thread_id
poll create: message poll
poll get, poll close, poll set, poll list: allow_answers allow_user_suggested_options answers_count created_at created_by created_by_id description enforce_unique_vote id is_closed latest_answers latest_votes_by_option max_votes_allowed name options own_votes updated_at vote_count vote_counts_by_option voting_visibility
poll results: answers_count id is_closed name options vote_count
poll vote: poll vote
poll unvote: removed
poll votes: answer_text created_at id is_answer option option_id poll_id updated_at user user_id
poll delete, campaign delete, segment delete: deleted id
poll option add, poll option set: id text
poll option remove: id removed text
location share: args attachments cid command created_at deleted_at deleted_for_me deleted_reply_count draft html i18n id latest_reactions member mentioned_channel mentioned_here mentioned_users message_text_updated_at mml moves own_reactions parent_id pin_expires pinned pinned_at pinned_by poll poll_id quoted_message quoted_message_id reaction_counts reaction_groups reaction_scores reminder reply_count restricted_visibility shadowed shared_location show_in_channel silent text thread_participants type updated_at user wrong_lines
location update, location stop, location list: channel channel_cid created_at created_by_device_id end_at latitude longitude message message_id updated_at user_id
draft list: channel channel_cid created_at editing message origin parent_id parent_message quoted_message
draft get: channel channel_cid created_at message parent_id parent_message quoted_message
draft set: draft
draft delete: channel deleted thread
outbox list: busy cid created_at id killed kind reason send_at shared_location state text tries
outbox retry: id result
outbox drop: dropped id
reminder set, reminder list: channel channel_cid created_at message message_id remind_at updated_at user user_id
reminder remove: message removed
moderation ban list: banned_by channel created_at expires reason shadow user
moderation future-bans: banned_by created_at expires reason shadow user
moderation flags: approved_at created_at created_by_automod custom details message reason rejected_at reviewed_at reviewed_by updated_at user
moderation reports, moderation review, moderation queue, moderation logs: channel_cid created_at flags_count id message message_user_id review_details review_result reviewed_at reviewed_by updated_at
moderation act: action message_id report user
device list: created_at disabled disabled_reason hardware_id id push_provider push_provider_name user_id voip
device add: device push_provider
device remove: device removed
push preferences: call_level channel chat_level chat_preferences disabled_until feeds_level
push template list: created_at enable_push event_type name push_provider_internal_id template type updated_at
push template set, push template enable, push template disable: created_at enable_push event event_type name push_provider_internal_id template type updated_at
push template render, push test: device_errors general_errors rendered_apn_template rendered_firebase_template rendered_message skip_devices
push provider list, push provider set: created_at description disabled_at disabled_reason name type updated_at
push provider delete: deleted name type
app set: changed unchanged
app diff: now setting wanted
app backup: blocklists channel_types commands dry_run file grants permissions push_providers roles settings
channel-type list, channel-type get, channel-type create, channel-type set: allowed_flag_reasons automod automod_behavior automod_thresholds blocklist blocklist_behavior blocklists chat_preferences commands connect_events count_messages created_at custom_events delivery_events grants mark_messages_pending max_message_length message_retention mutes name partition_size partition_ttl permissions polls push_level push_notifications quotes reactions read_events reminders replies search shared_locations skip_last_msg_update_for_system_msgs typing_events updated_at uploads url_enrichment user_message_reminders
channel-type delete: deleted type
role list, role create: created_at custom name scoped scopes updated_at
role delete: deleted role
permission list, permission get, permission create, permission set: action condition custom description id level name owner owner_resource same_team tags
permission delete: deleted permission
permission grant, permission revoke: changed permissions role scope
command list, command get, command create, command set: args created_at description name set updated_at
command delete: command deleted
blocklist list, blocklist get, blocklist create, blocklist set, blocklist replace: created_at name type updated_at words
blocklist delete: blocklist deleted
import validate: error item type
import upload, import get, import list, import wait: created_at history id mode path result size state updated_at
import convert: data dry_run file items type unused
archive create, archive update: archive attachments channels dry_run files gaps members messages missing polls reactions replies resumed run users
archive verify: check reason result
archive stats: after at attachments channels cid files first_at first_id gaps last_at last_id members messages name part polls reactions reason replies unread users
archive show: args attachments cid command created_at deleted_at deleted_for_me deleted_reply_count draft first_at first_id gone_at html i18n id last_at last_id latest_reactions member mentioned_channel mentioned_here mentioned_users message_text_updated_at messages mml name own_reactions parent_id pin_expires pinned pinned_at pinned_by poll poll_id quoted_message quoted_message_id reaction_counts reaction_groups reaction_scores reactions reminder replies reply_count restricted_visibility shadowed shared_location show_in_channel silent text thread_participants type updated_at user users
archive search: args attachments cid command created_at deleted_at deleted_for_me deleted_reply_count draft gone_at html i18n id latest_reactions member mentioned_channel mentioned_here mentioned_users message_text_updated_at mml own_reactions parent_id pin_expires pinned pinned_at pinned_by poll poll_id quoted_message quoted_message_id reaction_counts reaction_groups reaction_scores reminder reply_count restricted_visibility shadowed shared_location show_in_channel silent text thread_participants type updated_at user
archive merge: archive channels dry_run files messages newer reactions
archive import: archive attachments channels dry_run files gaps members messages missing polls reactions replies resumed run unused users
gdpr export, gdpr delete: begun_at by counts dry_run ended_at files gone kind missing not_reached profile provider remaining removed searched sha256 short_texts state task_id traces user version
task get, task wait: created_at error result status task_id updated_at
campaign check: audience banned campaign errors file findings requests seconds warnings
campaign preview: attachments campaign channel custom empty name plain text user
campaign test: campaign channel message result text user
campaign create, campaign schedule, campaign unschedule, campaign stop, campaign clone: channel_template create_channels created_at description id message_template name scheduled_for segment_ids segments sender sender_id sender_mode sender_visibility show_channels skip_push skip_webhook stats status stop_at updated_at user_ids users
campaign set: again audience channel_template create_channels created_at description file id left_out message_template missed mode name plan scheduled_for segment_ids segments sender sender_id sender_mode sender_visibility show_channels skip_push skip_webhook stats status stop_at updated_at user_ids users waiting waiting_until
campaign get, campaign list: again audience channel_template create_channels created_at description file id left_out message_template missed mode name plan scheduled_for segment_ids segments sender sender_id sender_mode sender_visibility show_channels skip_push skip_webhook stats status stop_at unproved updated_at user_ids users waiting waiting_until
campaign start: campaign channel_template create_channels created_at description failed id left_out message_template mode name receivers scheduled_for seconds segment_ids segments sender sender_id sender_mode sender_visibility sent show_channels skip_push skip_webhook stats status stop_at updated_at user_ids users waiting
campaign watch: again audience channel_template create_channels created_at description eta file id left_out message_template missed mode name plan rate scheduled_for segment_ids segments sender sender_id sender_mode sender_visibility show_channels skip_push skip_webhook stalled stats status stop_at unproved updated_at user_ids users waiting waiting_until
campaign stats: channel_template create_channels created_at description id left_out message_template missed name scheduled_for segment_ids segments sender sender_id sender_mode sender_visibility show_channels skip_push skip_webhook stats status stop_at unproved updated_at user_ids users
campaign report: again audience campaign completed_at errors file guards left_out missed mode name named people plan read sent started_at started_by status unproved waiting waiting_until
campaign continue: campaign channel_template create_channels created_at description failed id left left_out message_template mode name of received receivers scheduled_for seconds segment_ids segments sender sender_id sender_mode sender_visibility sent show_channels skip_push skip_webhook stats status stop_at updated_at user_ids users waiting
campaign diff: field one other
campaign optout list: id reason since
campaign optout add: added dry_run total
campaign optout remove: dry_run removed total
segment create, segment set, segment get, segment list: all_sender_channels all_users created_at deleted_at description filter id name size task_id type updated_at
segment add, segment remove: segment targets
segment targets: app_pk created_at segment_id target_id
segment has: segment target_id
segment size: segment size
segment diff: change target
segment sync: segment unknown wrong
event send: channel channel_id channel_last_message_at channel_member_count channel_message_count channel_type cid created_at received_at team type user user_id
link preview: actions asset_url author_icon author_link author_name color fallback fields file_size footer footer_icon giphy image_url mime_type og_scrape_url original_height original_width pretext text thumb_url title title_link type waveform_data
file delete: deleted url
webhook list: enabled event kind setting target
webhook check: checks
apply: changes failed made
ask: answer at by expected message_id question user_id
export: channels damaged dry_run failed files formats gaps kept_in limited messages unused
limits: budget limit operation platform remaining reset resets_at
plan: change changes create remove
unread: channel last_read thread unread
upload: attachment message_id name size url
`;
