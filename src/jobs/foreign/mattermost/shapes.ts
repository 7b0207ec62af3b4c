/** The fields of Mattermost's bulk export that are used; every one may be missing. */
import type { Shaped } from "../base/shapes.ts";

export const MATTERMOST_TEAM = { name: "string", display_name: "string" } as const;
export const MATTERMOST_CHANNEL = {
  team: "string",
  name: "string",
  display_name: "string",
  type: "string",
  header: "string",
  purpose: "string",
  deleted_at: "number",
  delete_at: "number",
} as const;
export const MATTERMOST_USER = {
  username: "string",
  nickname: "string",
  first_name: "string",
  last_name: "string",
  display_name: "string",
  delete_at: "number",
  teams: "list",
} as const;
export const MATTERMOST_MEMBERSHIP = { name: "string", channels: "list" } as const;
export const MATTERMOST_MEMBER = { name: "string", roles: "string", last_viewed_at: "number" } as const;
export const MATTERMOST_POST = {
  team: "string",
  channel: "string",
  channel_members: "list",
  user: "string",
  type: "string",
  message: "string",
  props: "object",
  create_at: "number",
  edit_at: "number",
  flagged_by: "list",
  reactions: "list",
  replies: "list",
  attachments: "list",
  is_pinned: "boolean",
} as const;
export const MATTERMOST_PROPS = {
  override_username: "string",
  from_webhook: "string",
  attachments: "list",
} as const;
export const MATTERMOST_REACTION = { user: "string", create_at: "number", emoji_name: "string" } as const;
export const MATTERMOST_CARD = {
  fallback: "string",
  pretext: "string",
  author_name: "string",
  title: "string",
  title_link: "string",
  text: "string",
  fields: "list",
  image_url: "string",
  footer: "string",
} as const;
export const MATTERMOST_FIELD = { title: "string", value: "string" } as const;

export type MattermostPost = Shaped<typeof MATTERMOST_POST>;
