/** The fields of Slack's objects that are used. */
import type { Shaped } from "../base/shapes.ts";

const PROFILE = {
  display_name: "string",
  real_name: "string",
  name: "string",
  image_192: "string",
} as const;
export const USER = {
  id: "string",
  name: "string",
  real_name: "string",
  deleted: "boolean",
  /** Seconds since 1970. */
  updated: "number",
  profile: PROFILE,
} as const;
export const CHANNEL = {
  id: "string",
  name: "string",
  name_normalized: "string",
  previous_names: "list",
  created: "number",
  creator: "string",
  members: "list",
  topic: { value: "string" },
  purpose: { value: "string" },
  is_archived: "boolean",
} as const;
export const FILE = {
  id: "string",
  name: "string",
  title: "string",
  mimetype: "string",
  size: "number",
  mode: "string",
  file_access: "string",
  url_private: "string",
  external_url: "string",
  permalink: "string",
  subject: "string",
  plain_text: "string",
  from: "list",
} as const;
export const REACTION = { name: "string", users: "list", count: "number" } as const;
export const MESSAGE = {
  ts: "string",
  type: "string",
  subtype: "string",
  text: "string",
  user: "string",
  bot_id: "string",
  username: "string",
  bot_profile: { name: "string" },
  user_profile: PROFILE,
  comment: { user: "string", comment: "string" },
  room: { created_by: "string", date_start: "number", date_end: "number", participant_history: "list" },
  thread_ts: "string",
  reply_count: "number",
  replies: "list",
  blocks: "list",
  attachments: "list",
  files: "list",
  file: "object",
  reactions: "list",
  edited: { ts: "string" },
  pinned_to: "list",
  pinned_info: { pinned_by: "string", pinned_ts: "number" },
  old_name: "string",
  name: "string",
  /** The message after an edit, in a notice about it. */
  message: "object",
} as const;
export const ATTACHMENT = {
  fallback: "string",
  pretext: "string",
  author_name: "string",
  author_link: "string",
  title: "string",
  title_link: "string",
  text: "string",
  fields: "list",
  image_url: "string",
  thumb_url: "string",
  footer: "string",
  from_url: "string",
  original_url: "string",
  is_msg_unfurl: "boolean",
  is_share: "boolean",
  author_id: "string",
  blocks: "list",
  message_blocks: "list",
  files: "list",
  actions: "list",
} as const;
/** A button of an attachment. */
export const ACTION = { text: "string", url: "string" } as const;
export const FIELD = { title: "string", value: "string" } as const;

export type SlackProfile = Shaped<typeof PROFILE>;
export type SlackFile = Shaped<typeof FILE>;
export type SlackMessage = Shaped<typeof MESSAGE>;
export type SlackAttachment = Shaped<typeof ATTACHMENT>;
export type SlackChannelFields = Shaped<typeof CHANNEL>;
