/** Endpoints of the app's own settings and its limits. */
import { RateLimitTable } from "../rate-limits.ts";
import { any, entity, flag, list, map, need, partOf, shape, text, type Infer } from "../entities/fields.ts";
import { row, withOperations } from "./row.ts";

/** A client gets the reduced set, a server everything (specification/admin.md §1). */
export const AppReply = shape(() => ({
  app: need(
    partOf("AppSettings", {
      image_upload_config: entity("UploadConfig"),
      file_upload_config: entity("UploadConfig"),
      grants: map(list(text())),
      channel_configs: map(entity("ChannelType")),
      push_notifications: entity("PushNotifications"),
      "*": any(),
    }),
  ),
}));
export interface AppReply extends Infer<typeof AppReply> {}

/** None of the platforms given = all; `endpoints` is a comma list of operations. */
const rateLimits = {
  server_side: flag(),
  android: flag(),
  ios: flag(),
  web: flag(),
  unity: flag(),
  endpoints: text(),
};

export const appEndpoints = withOperations({
  getApp: row("GET /app", { perMinute: 10_000, answer: AppReply }),
  updateApp: row("PATCH /app", { serverOnly: true, perMinute: 60 }),
  getRateLimits: row("GET /rate_limits", {
    serverOnly: true,
    query: rateLimits,
    answer: RateLimitTable,
  }),
});
