/** The body that changes the app's settings: only the keys to change, null resets one. */
import { AppSettings, EventHook, type AppChanges } from "../entities/app.ts";
import { UploadConfig } from "../entities/attachment.ts";
import { REMINDERS_INTERVAL } from "../constants.ts";
import {
  any,
  choice,
  flag,
  ignored,
  list,
  map,
  object,
  optional,
  text,
  whole,
  type Field,
} from "../entities/fields.ts";
import { acting, resettable } from "./frame.ts";

const eventHook = {
  ...EventHook(),
  enabled: flag(),
  event_types: list(text(), 200),
  callback: map(any()),
  ...ignored("created_at", "updated_at"),
};

const moderation = {
  callback: object({ mode: text(64), server_url: text(2048) }),
  timeout_ms: whole(0),
};

const {
  name: _name,
  organization: _organization,
  id: _id,
  placement: _placement,
  ...own
} = optional(AppSettings());
/** Each can be null, which resets it. */
const settings = {
  ...own,
  file_upload_config: object(UploadConfig()),
  image_upload_config: object(UploadConfig()),
  reminders_interval: whole(REMINDERS_INTERVAL[1], REMINDERS_INTERVAL[2]),
  event_hooks: list(object(eventHook), 50) as unknown as Field<EventHook[]>,
  async_moderation_config: object(moderation),
  push_config: object({ version: choice("v1", "v2"), offline_only: flag() }),
  /** `.app` grants by role; null resets all. */
  grants: map(any<string[]>("string[]")),
};

export const appBodies = {
  updateApp: {
    ...acting,
    ...resettable(settings),
    migrate_permissions_to_v2: flag(),
    ...ignored(
      "name",
      "organization",
      "id",
      "placement",
      "channel_configs",
      "push_notifications",
      "duration",
    ),
  } as unknown as { readonly [K in keyof Required<AppChanges>]: Field<AppChanges[K]> } & typeof acting,
};
