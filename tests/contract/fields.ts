/**
 * What a caller may send to each route, transcribed from the protocol documents: place → `path:kind`, `!` = required, `<n` = at
 * most n characters or entries, or at most that number. Acting users (`user_id` of a server) are tested in callers.test.ts.
 */
import { bodies, type BodyName } from "../../src/wire/bodies/index.ts";
import { acting } from "../../src/wire/bodies/frame.ts";
import { endpoints } from "../../src/wire/endpoints/index.ts";
import type { Field as Row, Shape } from "../../src/wire/entities/fields.ts";

/** Where a field is sent: the body, the query, or the JSON value of `payload=` (specification/wire.md §4). */
export type Part = "body" | "query" | "payload";
export type Kind =
  | "text"
  | "flag"
  | "count"
  | "limit"
  | "offset"
  | "number"
  | "date"
  | "object"
  | "filter"
  | "sort"
  | "list"
  | "texts"
  | "choice"
  | "custom";

export interface Field {
  readonly part: Part;
  readonly path: readonly string[];
  readonly kind: Kind;
  readonly required: boolean;
  readonly most: number | undefined;
}

/** specification/channels.md §4.1: paging of messages, the same in a body and in a query. */
const anchors = (at: string, withOffset = true): string =>
  [
    "limit:limit",
    ...(withOffset ? ["offset:offset"] : []),
    "created_at_before:date",
    "created_at_before_or_equal:date",
    "created_at_after:date",
    "created_at_after_or_equal:date",
    "created_at_around:date",
  ]
    .map((one) => at + one)
    .join(" ");
const QUERY = "filter:filter sort:sort limit:limit";
const PARTIAL = "set:object unset:texts";
const CONFIG =
  "typing_events:flag read_events:flag connect_events:flag delivery_events:flag custom_events:flag reactions:flag replies:flag quotes:flag mutes:flag search:flag uploads:flag url_enrichment:flag push_notifications:flag reminders:flag polls:flag shared_locations:flag user_message_reminders:flag count_messages:flag mark_messages_pending:flag skip_last_msg_update_for_system_msgs:flag max_message_length:count message_retention:text automod:choice automod_behavior:choice blocklist:text blocklist_behavior:choice commands:texts";
const POLL =
  "name:text! description:text options:list<100 voting_visibility:choice enforce_unique_vote:flag max_votes_allowed:count allow_user_suggested_options:flag allow_answers:flag is_closed:flag surplus:custom";
const MESSAGE =
  "message:object! message.text:text message.attachments:list<30 message.mentioned_users:texts<25 message.quoted_message_id:text message.poll_id:text";
const CAMPAIGN =
  "name:text description:text sender_id:text! sender_mode:choice sender_visibility:choice message_template:object! message_template.text:text! message_template.attachments:list channel_template:object create_channels:flag show_channels:flag skip_push:flag skip_webhook:flag segment_ids:texts<25 user_ids:texts<10000";

/** Routes that are not listed take only path parameters. */
export const WRITTEN: Record<string, Partial<Record<Part, string>>> = {
  "POST /sync": {
    body: "channel_cids:texts!<255 last_sync_at:date! with_inaccessible_cids:flag watch:flag",
  },
  "PATCH /app": {
    body: "suspended:flag suspended_explanation:text disable_auth_checks:flag disable_permissions_checks:flag grants:object file_upload_config:object file_upload_config.size_limit:count file_upload_config.allowed_file_extensions:texts image_upload_config:object multi_tenant_enabled:flag enforce_unique_usernames:choice user_search_disallowed_roles:texts guest_user_creation_disabled:flag revoke_tokens_issued_before:date reminders_interval:count user_response_time_enabled:flag async_url_enrich_enabled:flag auto_translation_enabled:flag image_moderation_enabled:flag allowed_flag_reasons:texts shared_locations_enabled:flag webhook_url:text before_message_send_hook_url:text custom_action_handler_url:text event_hooks:list",
  },
  "GET /users": {
    payload:
      "filter_conditions:filter sort:sort limit:limit offset:offset presence:flag include_deactivated_users:flag",
  },
  "POST /users": { body: "users:object!" },
  "PATCH /users": { body: "users:list!<100" },
  "POST /users/delete": {
    body: "user_ids:texts!<100 user:choice messages:choice conversations:choice new_channel_owner_id:text files:flag",
  },
  "DELETE /users/{id}": {
    query: "mark_messages_deleted:flag hard_delete:flag delete_conversation_channels:flag",
  },
  "POST /users/restore": { body: "user_ids:texts!<100" },
  "POST /users/{id}/deactivate": { body: "mark_messages_deleted:flag created_by_id:text" },
  "POST /users/deactivate": {
    body: "user_ids:texts!<100 mark_messages_deleted:flag mark_channels_deleted:flag created_by_id:text",
  },
  "POST /users/{id}/reactivate": {
    body: "restore_messages:flag restore_channels:flag name:text created_by_id:text",
  },
  "POST /users/reactivate": {
    body: "user_ids:texts!<100 restore_messages:flag restore_channels:flag created_by_id:text",
  },
  "POST /export/users": { body: "user_ids:texts!<25" },
  "POST /users/{id}/event": { body: "event:object! event.type:text! event.surplus:custom" },
  "POST /guest": { body: "user:object! user.id:text! user.name:text user.surplus:custom" },
  "POST /users/block": { body: "blocked_user_id:text!" },
  "POST /users/unblock": { body: "blocked_user_id:text!" },
  "PUT /users/live_locations": {
    body: "message_id:text! latitude:number longitude:number end_at:date created_by_device_id:text",
  },
  "POST /devices": {
    body: "id:text!<255 push_provider:choice! push_provider_name:text hardware_id:text voip_token:flag",
  },
  "DELETE /devices": { query: "id:text!" },
  "POST /unread_batch": { body: "user_ids:texts!<100" },
  "POST /push_preferences": { body: "preferences:list!" },
  "POST /channels": {
    body: "filter_conditions:filter sort:sort state:flag watch:flag presence:flag limit:limit offset:offset<1000 message_limit:limit member_limit:limit filter_values:object sort_values:object",
  },
  "POST /channels/{type}/{id}/query": {
    body: `data:object data.members:texts<100 data.invites:texts data.frozen:flag data.filter_tags:texts data.auto_translation_enabled:flag data.team:text data.surplus:custom state:flag watch:flag presence:flag messages:object ${anchors("messages.")} members:object members.limit:limit members.offset:offset watchers:object watchers.limit:limit watchers.offset:offset hide_for_creator:flag`,
  },
  "POST /channels/{type}/query": {
    body: "data:object! data.members:texts!<100 state:flag watch:flag presence:flag messages:object members:object watchers:object",
  },
  "GET /channels/{type}/{id}": {
    query: "state:flag messages_limit:limit members_limit:limit watchers_limit:limit",
  },
  "POST /channels/{type}/{id}": {
    body: "data:object message:object add_members:texts<100 remove_members:texts<100 add_moderators:texts demote_moderators:texts assign_roles:list invites:texts<100 accept_invite:flag reject_invite:flag hide_history:flag hide_history_before:date add_filter_tags:texts remove_filter_tags:texts cooldown:count<120 skip_push:flag data.surplus:custom",
  },
  "PATCH /channels/{type}/{id}": { body: PARTIAL },
  "DELETE /channels/{type}/{id}": { query: "hard_delete:flag" },
  "POST /channels/delete": { body: "cids:texts!<100 hard_delete:flag" },
  "PUT /channels/batch": { body: "operation:choice! filter:object! members:texts data:object" },
  "POST /channels/{type}/{id}/truncate": {
    body: "hard_delete:flag skip_push:flag truncated_at:date message:object member_ids:texts",
  },
  "POST /channels/{type}/{id}/hide": { body: "clear_history:flag" },
  "POST /channels/{type}/{id}/read": { body: "message_id:text thread_id:text" },
  "POST /channels/{type}/{id}/unread": { body: "message_id:text! message_timestamp:date thread_id:text" },
  "POST /channels/read": { body: "read_by_channel:object" },
  "POST /channels/delivered": { body: "latest_delivered_messages:list!" },
  "POST /channels/{type}/{id}/event": {
    body: "event:object! event.type:text! event.parent_id:text event.surplus:custom",
  },
  "PATCH /channels/{type}/{id}/member/{user_id}": { body: PARTIAL },
  "PATCH /channels/{type}/{id}/member": { body: PARTIAL },
  "GET /members": {
    payload:
      "type:text! filter_conditions:filter sort:sort limit:limit offset:offset<1000 created_at_after:date created_at_after_or_equal:date created_at_before:date created_at_before_or_equal:date",
  },
  "POST /moderation/mute/channel": { body: "channel_cid:text! expiration:count" },
  "POST /moderation/unmute/channel": { body: "channel_cid:text!" },
  "POST /channels/{type}/{id}/message": {
    body: `${MESSAGE} message.id:text<255 message.parent_id:text message.show_in_channel:flag message.silent:flag message.pinned:flag message.pin_expires:date message.restricted_visibility:texts message.shared_location:object message.type:choice message.surplus:custom skip_push:flag skip_enrich_url:flag keep_channel_hidden:flag pending:flag pending_message_metadata:object`,
  },
  "GET /channels/{type}/{id}/messages": { query: "ids:text!" },
  "GET /channels/{type}/{id}/pinned_messages": { payload: "limit:limit sort:sort" },
  "GET /messages/{id}": { query: "show_deleted_message:flag" },
  "POST /messages/{id}": {
    body: `${MESSAGE} message.pinned:flag message.pin_expires:date message.surplus:custom skip_enrich_url:flag skip_push:flag`,
  },
  "PUT /messages/{id}": { body: `${PARTIAL} skip_enrich_url:flag skip_push:flag` },
  "PATCH /messages/{id}/ephemeral": { body: `${PARTIAL} skip_enrich_url:flag skip_push:flag` },
  "DELETE /messages/{id}": { query: "hard:flag delete_for_me:flag" },
  "POST /messages/{id}/undelete": { body: "undeleted_by:text!" },
  "GET /messages/{parent_id}/replies": { query: anchors("", false) },
  "POST /messages/{id}/translate": { body: "language:text!" },
  "POST /messages/{id}/action": { body: "form_data:object! form_data.image_action:choice!" },
  "POST /messages/history": { body: `filter:filter! sort:sort limit:limit` },
  "POST /messages/{id}/reaction": {
    body: "reaction:object! reaction.type:text! reaction.score:count reaction.emoji_code:text reaction.surplus:custom enforce_unique:flag skip_push:flag",
  },
  "GET /messages/{id}/reactions": { query: "limit:limit offset:offset<1000" },
  "POST /messages/{id}/reactions": { body: QUERY },
  "POST /threads": {
    body: `${QUERY} participant_limit:limit reply_limit:limit member_limit:limit watch:flag next:text prev:text`,
  },
  "GET /threads/{message_id}": {
    query: "participant_limit:limit reply_limit:limit member_limit:limit watch:flag",
  },
  "PATCH /threads/{message_id}": { body: `${PARTIAL} set.surplus:custom` },
  "POST /polls": { body: `${POLL} id:text` },
  "PUT /polls": { body: `id:text! ${POLL}` },
  "PATCH /polls/{poll_id}": { body: PARTIAL },
  "POST /polls/query": { body: `${QUERY} next:text prev:text` },
  "POST /polls/{poll_id}/options": { body: "text:text! surplus:custom" },
  "PUT /polls/{poll_id}/options": { body: "id:text! text:text! surplus:custom" },
  "POST /messages/{message_id}/polls/{poll_id}/vote": {
    body: "vote:object! vote.option_id:text vote.answer_text:text",
  },
  "POST /polls/{poll_id}/votes": { body: `${QUERY} next:text prev:text` },
  "DELETE /channels/{type}/{id}/file": { query: "url:text!" },
  "DELETE /channels/{type}/{id}/image": { query: "url:text!" },
  "DELETE /uploads/file": { query: "url:text!" },
  "DELETE /uploads/image": { query: "url:text!" },
  "GET /og": { query: "url:text!" },
  "POST /channels/{type}/{id}/draft": {
    body: `${MESSAGE} message.id:text message.parent_id:text message.show_in_channel:flag message.silent:flag message.type:choice message.surplus:custom`,
  },
  "POST /drafts/query": { body: `${QUERY} next:text prev:text` },
  "POST /messages/{id}/reminders": { body: "remind_at:date" },
  "PATCH /messages/{id}/reminders": { body: "remind_at:date" },
  "POST /reminders/query": { body: `${QUERY} next:text prev:text` },
  "GET /search": {
    payload: "filter_conditions:filter! query:text! limit:limit offset:offset<1000 next:text sort:sort",
  },
  "POST /moderation/ban": {
    body: "target_user_id:text! type:text id:text timeout:count reason:text shadow:flag ip_ban:flag delete_messages:choice ban_from_future_channels:flag",
  },
  "DELETE /moderation/ban": {
    query: "target_user_id:text! remove_future_channels_ban:flag",
  },
  "GET /query_banned_users": {
    payload: "filter_conditions:filter sort:sort limit:limit offset:offset exclude_expired_bans:flag",
  },
  "GET /query_future_channel_bans": {
    payload: "target_user_id:text exclude_expired_bans:flag limit:limit offset:offset",
  },
  "POST /moderation/mute": { body: "target_id:text! timeout:count" },
  "POST /moderation/unmute": { body: "target_id:text!" },
  "POST /moderation/flag": { body: "target_message_id:text! reason:text custom:object" },
  "POST /moderation/unflag": { body: "target_message_id:text!" },
  "GET /moderation/flags/message": {
    payload: "filter_conditions:filter sort:sort limit:limit offset:offset show_deleted_messages:flag",
  },
  "POST /moderation/reports": { body: "filter_conditions:filter limit:limit offset:offset" },
  "PATCH /moderation/reports/{id}": {
    body: "review_result:text! user_id:text! review_details:object",
  },
  "POST /channeltypes": { body: `name:text! ${CONFIG}` },
  "PUT /channeltypes/{name}": { body: CONFIG },
  "POST /commands": { body: "name:text! description:text! args:text set:text" },
  "PUT /commands/{name}": { body: "description:text args:text set:text" },
  "POST /permissions": {
    body: "id:text! name:text! action:text! owner:flag same_team:flag condition:object tags:texts description:text",
  },
  "PUT /permissions/{id}": {
    body: "name:text action:text owner:flag same_team:flag condition:object tags:texts description:text",
  },
  "POST /roles": { body: "name:text!<64" },
  "POST /blocklists": { body: "name:text!<64 words:texts!<10000 type:choice" },
  "PUT /blocklists/{name}": { body: "words:texts!<10000" },
  "POST /push_providers": {
    body: "push_provider:object! push_provider.type:choice! push_provider.name:text!",
  },
  "GET /push_templates": { query: "push_provider_type:choice! push_provider_name:text<64" },
  "POST /push_templates": {
    body: "event_type:choice! push_provider_type:choice! push_provider_name:text enable_push:flag template:text",
  },
  "POST /check_push": {
    body: "user_id:text! message_id:text apn_template:text firebase_template:text firebase_data_template:text push_provider_type:choice push_provider_name:text skip_devices:flag event_type:text",
  },
  "POST /check_sqs": { body: "sqs_url:text sqs_key:text sqs_secret:text" },
  "POST /check_sns": { body: "sns_topic_arn:text sns_key:text sns_secret:text" },
  "POST /export_channels": {
    body: "channels:list!<25 version:choice include_truncated_messages:flag include_soft_deleted_channels:flag clear_deleted_message_text:flag export_users:flag format:choice",
  },
  "POST /import_urls": { body: "filename:text!" },
  "POST /imports": { body: "path:text! mode:choice merge_custom:flag" },
  "GET /imports": { query: "limit:limit offset:offset" },
  "POST /campaigns": { body: `id:text ${CAMPAIGN}` },
  "POST /campaigns/query": { body: `${QUERY} user_limit:limit next:text prev:text` },
  "GET /campaigns/{id}": { query: "limit:limit" },
  "PUT /campaigns/{id}": { body: CAMPAIGN },
  "POST /campaigns/{id}/start": { body: "scheduled_for:date stop_at:date" },
  "POST /segments": {
    body: "id:text type:choice! name:text<128 description:text<256 filter:object all_users:flag all_sender_channels:flag",
  },
  "POST /segments/query": { body: `${QUERY} next:text prev:text` },
  "PUT /segments/{id}": { body: "name:text<128 description:text<256 filter:filter" },
  "POST /segments/{id}/addtargets": { body: "target_ids:texts!<10000" },
  "POST /segments/{id}/deletetargets": { body: "target_ids:texts!<10000" },
  "POST /segments/{id}/targets/query": { body: `${QUERY} next:text prev:text` },
};

/** Fields that the requests made from this table do not reach. */
const ASIDE: Readonly<Record<string, RegExp>> = {
  // These channels exist already, or their members are tested elsewhere.
  "POST /channels/{type}/query": /^data\./,
  "POST /channels/{type}/{id}/query": /^data\.created_by_id$/,
  "POST /channels/{type}/{id}": /^data\.(created_by_id|members|invites)|^message\./,
  "POST /channels/{type}/{id}/truncate": /^message\./,
  "PATCH /channels/{type}/{id}": /^set\.config_overrides\b/,
  "PUT /channels/batch": /^data\./,
  // Only servers may send these, but the requests come from users; the location lacks one of its two coordinates.
  "POST /channels/{type}/{id}/message": /^message\.(html|mml)$|^message\.shared_location\./,
  "POST /messages/{id}": /^message\.(html|mml|silent|show_in_channel|parent_id)$/,
  // These cannot be combined with another field of the request.
  "GET /search": /^message_filter_conditions$/,
  "POST /campaigns": /^channel_template\./,
  "PUT /campaigns/{id}": /^channel_template\./,
  "POST /segments/{id}/targets/query": /^(Filter|Sort)$/,
};

const KINDS: Partial<Record<Row["kind"], Kind>> = {
  id: "text",
  whole: "count",
  time: "date",
  map: "object",
  any: undefined,
};
const TEXTS: ReadonlySet<Row["kind"]> = new Set(["text", "id", "choice"]);

/** The fields that a body's schema describes, nested ones included; acting users are tested in callers.test.ts. */
function described(part: Part, shape: Shape, above: readonly string[] = []): Field[] {
  return Object.entries(shape).flatMap(([key, row]) => {
    const acts = row === acting.user || row === acting.user_id;
    const endless = row.kind === "custom" && row.max === Infinity;
    if (acts || endless || row.kind === "ignored" || row.kind === "any" || row.allowsId) return [];
    const path = [...above, key === "*" ? "surplus" : key];
    const texts = row.kind === "list" && row.item !== undefined && TEXTS.has(row.item.kind);
    const kind = texts ? "texts" : (KINDS[row.kind] ?? (row.kind as Kind));
    const most = Number.isFinite(row.max) && BOUNDED.has(kind) && row.max! <= 20_000 ? row.max : undefined;
    const own = { part, path, kind, required: row.required === true, most };
    return [own, ...(row.shape && !row.message ? described(part, row.shape, path) : [])];
  });
}
const BOUNDED: ReadonlySet<Kind> = new Set(["text", "count", "list", "texts"]);

/** The fields of a route: those written here, and those that only its schema has. */
export function fieldsOf(route: string): Field[] {
  const written = writtenOf(route);
  const known = new Set(written.map(({ path }) => path.join(".")));
  const aside = ASIDE[route];
  return [
    ...written,
    ...rowsOf(route).filter(({ path }) => !known.has(path.join(".")) && !aside?.test(path.join("."))),
  ];
}

/** The fields that the schema of a route's body describes. */
export function rowsOf(route: string): Field[] {
  const name = NAMES.get(route)!;
  const shape = Object.hasOwn(bodies, name) ? bodies[name as BodyName] : {};
  return described(PAYLOADS.has(name) ? "payload" : "body", shape);
}

const NAMES = new Map(Object.entries(endpoints).map(([name, row]) => [`${row.method} ${row.path}`, name]));
const PAYLOADS = new Set(
  Object.entries(endpoints).flatMap(([name, row]) => ("payload" in row ? [name] : [])),
);

/** The fields of a route as written here, in the same order. */
export function writtenOf(route: string): Field[] {
  return Object.entries(WRITTEN[route] ?? {}).flatMap(([part, text]) =>
    text.split(" ").map((one) => {
      const [, path, kind, must, most] = /^([\w.]+):([a-z]+)(!?)(?:<(\d+))?$/.exec(one)!;
      return {
        part: part as Part,
        path: path!.split("."),
        kind: kind as Kind,
        required: must === "!",
        most: most === undefined ? undefined : Number(most),
      };
    }),
  );
}
