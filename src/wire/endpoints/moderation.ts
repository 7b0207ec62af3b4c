/** Endpoints of bans, flags and reports, and of the buttons under a message. */
import type { Message } from "../entities/message.ts";
import type { Ban, Flag, FlagReport, FutureChannelBan, MessageFlag } from "../entities/moderation.ts";
import type { Mute, OwnUser } from "../entities/user.ts";
import type { moderationBodies } from "../bodies/moderation.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row, type MessagePath } from "./row.ts";

/** Both of `type` and `id`, or `channel_cid`, make it a ban in one channel; without it is app-wide. */
export interface BanPlace {
  type?: string;
  id?: string;
  channel_cid?: string;
}

type Body<K extends keyof typeof moderationBodies> = Infer<(typeof moderationBodies)[K]>;

export const moderationEndpoints = withOperations({
  ban: row<object, Body<"ban">>("POST /moderation/ban", { idempotent: true }),
  unban: row<
    object,
    undefined,
    object,
    BanPlace & {
      target_user_id: string;
      shadow?: boolean;
      created_by?: string;
      remove_future_channels_ban?: boolean;
      user_id?: string;
    }
  >("DELETE /moderation/ban"),
  queryBannedUsers: row<{ bans: Ban[] }, undefined, object, Body<"queryBannedUsers">>(
    "GET /query_banned_users",
    { payload: true },
  ),
  queryFutureChannelBans: row<
    { bans: FutureChannelBan[] },
    undefined,
    object,
    Body<"queryFutureChannelBans">
  >("GET /query_future_channel_bans", { payload: true }),
  muteUser: row<
    { mute?: Mute; mutes?: Mute[]; own_user: OwnUser; non_existing_users?: string[] },
    Body<"muteUser">
  >("POST /moderation/mute", { idempotent: true }),
  unmuteUser: row<{ non_existing_users?: string[] }, Body<"unmuteUser">>("POST /moderation/unmute", {
    idempotent: true,
  }),
  flag: row<{ flag: Flag }, Body<"flag">>("POST /moderation/flag", { idempotent: true }),
  unflag: row<{ flag: Flag }, Body<"unflag">>("POST /moderation/unflag"),
  queryMessageFlags: row<{ flags: MessageFlag[] }, undefined, object, Body<"queryMessageFlags">>(
    "GET /moderation/flags/message",
    { payload: true },
  ),
  queryFlagReports: row<{ flag_reports: FlagReport[] }, Body<"queryFlagReports">>(
    "POST /moderation/reports",
    { safe: true, serverOnly: true },
  ),
  reviewFlagReport: row<{ flag_report: FlagReport }, Body<"reviewFlagReport">, { id: string }>(
    "PATCH /moderation/reports/{id}",
    { serverOnly: true },
  ),
  /** Without `message` in the answer the preview was cancelled. */
  runMessageAction: row<{ message?: Message }, Body<"runMessageAction">, MessagePath>(
    "POST /messages/{id}/action",
    { perMinute: 1000 },
  ),
});
