/** Bodies of bans, mutes, flags and reports. */
import { BAN_MAX_MINUTES, QUERY_BANS_LIMIT, QUERY_FLAGS_LIMIT, USERS_PER_CALL } from "../constants.ts";
import {
  any,
  choice,
  filter,
  flag,
  id,
  ignored,
  list,
  map,
  need,
  orId,
  sort,
  text,
  whole,
} from "../entities/fields.ts";
import { BAN_DELETIONS } from "../entities/moderation.ts";
import { acting, banPlace, offsets } from "./frame.ts";

const targets = { target_id: id(), target_ids: list(text(), USERS_PER_CALL) };
const flagged = { ...acting, target_message_id: id(), target_user_id: id() };

export const moderationBodies = {
  ban: {
    ...acting,
    target_user_id: need(id()),
    ...banPlace,
    timeout: whole(0, BAN_MAX_MINUTES),
    reason: text(),
    shadow: flag(),
    ip_ban: flag(),
    delete_messages: choice(...BAN_DELETIONS),
    ban_from_future_channels: flag(),
    banned_by_id: id(),
    banned_by: orId(acting.user),
  },
  queryBannedUsers: {
    ...offsets(QUERY_BANS_LIMIT),
    filter_conditions: filter(),
    sort: sort(),
    exclude_expired_bans: flag(),
  },
  queryFutureChannelBans: {
    ...offsets(QUERY_BANS_LIMIT),
    target_user_id: id(),
    exclude_expired_bans: flag(),
  },
  muteUser: { ...acting, ...targets, timeout: whole(0, BAN_MAX_MINUTES) },
  unmuteUser: { ...acting, ...targets },
  flag: { ...flagged, reason: text(), custom: map(any()) },
  unflag: { ...flagged, ...ignored("reason", "custom") },
  queryMessageFlags: {
    ...offsets(QUERY_FLAGS_LIMIT),
    filter_conditions: filter(),
    sort: sort(),
    show_deleted_messages: flag(),
  },
  queryFlagReports: { ...offsets(QUERY_FLAGS_LIMIT), filter_conditions: filter(), sort: sort() },
  runMessageAction: { ...acting, message_id: id(), form_data: need(map(text())) },
  reviewFlagReport: { ...acting, review_result: need(text(64)), review_details: map(any()) },
};
