/** The rows of Zulip's tables that are used; every field may be missing. */
import type { Shaped } from "../base/shapes.ts";

export const ZULIP_USER = {
  id: "string",
  full_name: "string",
  email: "string",
  is_active: "boolean",
  is_bot: "boolean",
  date_joined: "number",
  recipient: "string",
} as const;
export const ZULIP_STREAM = {
  id: "string",
  name: "string",
  description: "string",
  invite_only: "boolean",
  deactivated: "boolean",
  date_created: "number",
} as const;
export const ZULIP_RECIPIENT = { id: "string", type: "number", type_id: "string" } as const;
export const ZULIP_SUBSCRIPTION = { user_profile: "string", recipient: "string", active: "boolean" } as const;
export const ZULIP_REACTION = {
  user_profile: "string",
  message: "string",
  emoji_name: "string",
  emoji_code: "string",
  reaction_type: "string",
} as const;
export const ZULIP_SUBMESSAGE = { message: "string", sender: "string", content: "string" } as const;
export const ZULIP_ATTACHMENT = {
  path_id: "string",
  file_name: "string",
  size: "number",
  content_type: "string",
} as const;
export const ZULIP_MESSAGE = {
  id: "string",
  sender: "string",
  recipient: "string",
  subject: "string",
  content: "string",
  date_sent: "number",
  pub_date: "number",
  last_edit_time: "number",
} as const;

export type ZulipMessage = Shaped<typeof ZULIP_MESSAGE>;
export type ZulipUser = Shaped<typeof ZULIP_USER>;
export type ZulipStream = Shaped<typeof ZULIP_STREAM>;
