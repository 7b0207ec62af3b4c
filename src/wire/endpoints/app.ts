/** Endpoints of the app's own settings and its limits. */
import type { AppSettings, PushNotifications } from "../entities/app.ts";
import type { UploadConfig } from "../entities/attachment.ts";
import type { ChannelType } from "../entities/channel-type.ts";
import type { RateLimitTable } from "../rate-limits.ts";
import type { appBodies } from "../bodies/app.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row } from "./row.ts";

/** A client gets the reduced set, a server everything (specification/admin.md §1). */
export interface AppReply {
  app: Partial<AppSettings> & {
    image_upload_config?: UploadConfig;
    file_upload_config?: UploadConfig;
    grants?: Record<string, string[]>;
    channel_configs?: Record<string, ChannelType>;
    push_notifications?: PushNotifications;
    [setting: string]: unknown;
  };
}

/** None of the platforms given = all; `endpoints` is a comma list of operations. */
export interface RateLimitsQuery {
  server_side?: boolean;
  android?: boolean;
  ios?: boolean;
  web?: boolean;
  unity?: boolean;
  endpoints?: string;
}

type Body<K extends keyof typeof appBodies> = Infer<(typeof appBodies)[K]>;

export const appEndpoints = withOperations({
  getApp: row<AppReply>("GET /app", { perMinute: 10_000 }),
  updateApp: row<object, Body<"updateApp">>("PATCH /app", { serverOnly: true, perMinute: 60 }),
  getRateLimits: row<RateLimitTable, undefined, object, RateLimitsQuery>("GET /rate_limits", {
    serverOnly: true,
  }),
});
