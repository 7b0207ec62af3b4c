/** Endpoints of bans, flags and reports, and of the buttons under a message. */
import type { Message } from "../message.ts";
import type { Ban, BanDeletion, Flag, FlagReport, FutureChannelBan, MessageFlag } from "../moderation.ts";
import type { Filter, Sort } from "../query.ts";
import type { Mute, OwnUser } from "../user.ts";
import { row } from "./row.ts";
import type { Acting, MessagePath } from "./row.ts";

/** Both of `type` and `id`, or `channel_cid`, make it a ban in one channel; without it is app-wide. */
export interface BanPlace {
  type?: string;
  id?: string;
  channel_cid?: string;
}

export interface BanBody extends Acting, BanPlace {
  target_user_id: string;
  /** Minutes; absent or 0: for ever. */
  timeout?: number;
  reason?: string;
  shadow?: boolean;
  ip_ban?: boolean;
  delete_messages?: BanDeletion;
  ban_from_future_channels?: boolean;
  banned_by_id?: string;
}

/** Whom to mute: one, or many. */
export interface MuteTargets {
  target_id?: string;
  target_ids?: string[];
}

interface FlagBody extends Acting {
  target_message_id?: string;
  target_user_id?: string;
  reason?: string;
  custom?: Record<string, unknown>;
}

interface Offsets {
  limit?: number;
  offset?: number;
  user_id?: string;
}

interface Listed extends Offsets {
  filter_conditions?: Filter;
  sort?: Sort;
}

export const moderationEndpoints = {
  ban: row<object, object, BanBody, object>("Ban", "POST", "/moderation/ban", { idempotent: true }),
  unban: row<
    object,
    BanPlace & {
      target_user_id: string;
      shadow?: boolean;
      created_by?: string;
      remove_future_channels_ban?: boolean;
      user_id?: string;
    },
    undefined,
    object
  >("Unban", "DELETE", "/moderation/ban"),
  queryBannedUsers: row<object, Listed & { exclude_expired_bans?: boolean }, undefined, { bans: Ban[] }>(
    "QueryBannedUsers",
    "GET",
    "/query_banned_users",
    { payload: true },
  ),
  queryFutureChannelBans: row<
    object,
    Offsets & { target_user_id?: string; exclude_expired_bans?: boolean },
    undefined,
    { bans: FutureChannelBan[] }
  >("QueryFutureChannelBans", "GET", "/query_future_channel_bans", { payload: true }),
  muteUser: row<
    object,
    object,
    Acting & MuteTargets & { timeout?: number },
    { mute?: Mute; mutes?: Mute[]; own_user: OwnUser; non_existing_users?: string[] }
  >("MuteUser", "POST", "/moderation/mute", { idempotent: true }),
  unmuteUser: row<object, object, Acting & MuteTargets, { non_existing_users?: string[] }>(
    "UnmuteUser",
    "POST",
    "/moderation/unmute",
    { idempotent: true },
  ),
  flag: row<object, object, FlagBody, { flag: Flag }>("Flag", "POST", "/moderation/flag", {
    idempotent: true,
  }),
  unflag: row<object, object, FlagBody, { flag: Flag }>("Unflag", "POST", "/moderation/unflag"),
  queryMessageFlags: row<
    object,
    Listed & { show_deleted_messages?: boolean },
    undefined,
    { flags: MessageFlag[] }
  >("QueryMessageFlags", "GET", "/moderation/flags/message", { payload: true }),
  queryFlagReports: row<object, object, Listed, { flag_reports: FlagReport[] }>(
    "QueryFlagReports",
    "POST",
    "/moderation/reports",
    { safe: true, serverOnly: true },
  ),
  reviewFlagReport: row<
    { id: string },
    object,
    Acting & { review_result: string; review_details?: Record<string, unknown> },
    { flag_report: FlagReport }
  >("ReviewFlagReport", "PATCH", "/moderation/reports/{id}", { serverOnly: true }),
  /** Without `message` in the answer it is gone (`cancel`). */
  runMessageAction: row<
    MessagePath,
    object,
    Acting & { message_id?: string; form_data: Record<string, string> },
    { message?: Message }
  >("RunMessageAction", "POST", "/messages/{id}/action", { perMinute: 1000 }),
} as const;
