/** Endpoints of the app's own settings. */
import type { UploadConfig } from "../attachment.ts";
import { row } from "./row.ts";

export interface AppReply {
  app: {
    name?: string;
    image_upload_config?: UploadConfig;
    file_upload_config?: UploadConfig;
    [setting: string]: unknown;
  };
}

export const appEndpoints = {
  getApp: row<object, object, undefined, AppReply>("GetApp", "GET", "/app", { perMinute: 10_000 }),
} as const;
