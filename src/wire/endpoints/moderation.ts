/** Endpoints of bans, flags and reports, and of the buttons under a message. */
import type { Message } from "../message.ts";
import type { Ban, Flag, FlagReport, FutureChannelBan, MessageFlag } from "../moderation.ts";
import type { Mute, OwnUser } from "../user.ts";
import type { moderationBodies } from "../bodies/moderation.ts";
import type { Infer } from "../fields.ts";
import { row } from "./row.ts";
import type { MessagePath } from "./row.ts";

/** Both of `type` and `id`, or `channel_cid`, make it a ban in one channel; without it is app-wide. */
export interface BanPlace {
  type?: string;
  id?: string;
  channel_cid?: string;
}

type Body<K extends keyof typeof moderationBodies> = Infer<(typeof moderationBodies)[K]>;

export const moderationEndpoints = {
  ban: row<object, object, Body<"ban">, object>("Ban", "POST", "/moderation/ban", { idempotent: true }),
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
  queryBannedUsers: row<object, Body<"queryBannedUsers">, undefined, { bans: Ban[] }>(
    "QueryBannedUsers",
    "GET",
    "/query_banned_users",
    { payload: true },
  ),
  queryFutureChannelBans: row<
    object,
    Body<"queryFutureChannelBans">,
    undefined,
    { bans: FutureChannelBan[] }
  >("QueryFutureChannelBans", "GET", "/query_future_channel_bans", { payload: true }),
  muteUser: row<
    object,
    object,
    Body<"muteUser">,
    { mute?: Mute; mutes?: Mute[]; own_user: OwnUser; non_existing_users?: string[] }
  >("MuteUser", "POST", "/moderation/mute", { idempotent: true }),
  unmuteUser: row<object, object, Body<"unmuteUser">, { non_existing_users?: string[] }>(
    "UnmuteUser",
    "POST",
    "/moderation/unmute",
    { idempotent: true },
  ),
  flag: row<object, object, Body<"flag">, { flag: Flag }>("Flag", "POST", "/moderation/flag", {
    idempotent: true,
  }),
  unflag: row<object, object, Body<"unflag">, { flag: Flag }>("Unflag", "POST", "/moderation/unflag"),
  queryMessageFlags: row<object, Body<"queryMessageFlags">, undefined, { flags: MessageFlag[] }>(
    "QueryMessageFlags",
    "GET",
    "/moderation/flags/message",
    { payload: true },
  ),
  queryFlagReports: row<object, object, Body<"queryFlagReports">, { flag_reports: FlagReport[] }>(
    "QueryFlagReports",
    "POST",
    "/moderation/reports",
    { safe: true, serverOnly: true },
  ),
  reviewFlagReport: row<{ id: string }, object, Body<"reviewFlagReport">, { flag_report: FlagReport }>(
    "ReviewFlagReport",
    "PATCH",
    "/moderation/reports/{id}",
    { serverOnly: true },
  ),
  /** Without `message` in the answer it is gone (`cancel`). */
  runMessageAction: row<MessagePath, object, Body<"runMessageAction">, { message?: Message }>(
    "RunMessageAction",
    "POST",
    "/messages/{id}/action",
    { perMinute: 1000 },
  ),
} as const;
