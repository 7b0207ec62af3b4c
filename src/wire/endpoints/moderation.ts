/** Endpoints of bans, flags and reports, and of the buttons under a message. */
import { entity, flag, id, list, need, text } from "../entities/fields.ts";
import { banPlace } from "../bodies/frame.ts";
import { actAs, row, withOperations } from "./row.ts";

export const moderationEndpoints = withOperations({
  ban: row("POST /moderation/ban", { idempotent: true }),
  unban: row("DELETE /moderation/ban", {
    query: {
      ...banPlace,
      target_user_id: need(id()),
      shadow: flag(),
      created_by: id(),
      remove_future_channels_ban: flag(),
      ...actAs,
    },
  }),
  queryBannedUsers: row("GET /query_banned_users", {
    payload: true,
    answer: () => ({ bans: need(list(entity("Ban"))) }),
  }),
  queryFutureChannelBans: row("GET /query_future_channel_bans", {
    payload: true,
    answer: () => ({ bans: need(list(entity("FutureChannelBan"))) }),
  }),
  muteUser: row("POST /moderation/mute", {
    idempotent: true,
    answer: () => ({
      mute: entity("Mute"),
      mutes: list(entity("Mute")),
      own_user: need(entity("OwnUser")),
      non_existing_users: list(text()),
    }),
  }),
  unmuteUser: row("POST /moderation/unmute", {
    idempotent: true,
    answer: () => ({ non_existing_users: list(text()) }),
  }),
  flag: row("POST /moderation/flag", { idempotent: true, answer: () => ({ flag: need(entity("Flag")) }) }),
  unflag: row("POST /moderation/unflag", { answer: () => ({ flag: need(entity("Flag")) }) }),
  queryMessageFlags: row("GET /moderation/flags/message", {
    payload: true,
    answer: () => ({ flags: need(list(entity("MessageFlag"))) }),
  }),
  queryFlagReports: row("POST /moderation/reports", {
    safe: true,
    serverOnly: true,
    answer: () => ({ flag_reports: need(list(entity("FlagReport"))) }),
  }),
  reviewFlagReport: row("PATCH /moderation/reports/{id}", {
    serverOnly: true,
    answer: () => ({ flag_report: need(entity("FlagReport")) }),
  }),
  /** Without `message` in the answer the preview was cancelled. */
  runMessageAction: row("POST /messages/{id}/action", {
    perMinute: 1000,
    answer: () => ({ message: entity("Message") }),
  }),
});
