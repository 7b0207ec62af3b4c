/** The fields of DiscordChatExporter's objects that are used; every one may be missing. */
import type { Shaped } from "../base/shapes.ts";

export const DISCORD_USER = {
  id: "string",
  name: "string",
  discriminator: "string",
  nickname: "string",
  isBot: "boolean",
  avatarUrl: "string",
} as const;
export const DISCORD_CHANNEL = {
  id: "string",
  type: "string",
  categoryId: "string",
  category: "string",
  name: "string",
  topic: "string",
} as const;
export const DISCORD_GUILD = { id: "string", name: "string" } as const;
export const DISCORD_ATTACHMENT = {
  id: "string",
  url: "string",
  fileName: "string",
  fileSizeBytes: "number",
} as const;
export const DISCORD_STICKER = {
  id: "string",
  name: "string",
  format: "string",
  sourceUrl: "string",
} as const;
const PICTURE = { url: "string" } as const;
export const DISCORD_EMBED = {
  title: "string",
  url: "string",
  description: "string",
  author: { name: "string", url: "string" },
  thumbnail: PICTURE,
  image: PICTURE,
  images: "list",
  video: PICTURE,
  footer: { text: "string" },
  fields: "list",
} as const;
export const DISCORD_EMBED_FIELD = { name: "string", value: "string" } as const;
export const DISCORD_EMBED_PICTURE = PICTURE;
export const DISCORD_REACTION = {
  emoji: { id: "string", name: "string", code: "string" },
  count: "number",
  users: "list",
} as const;
const CONTENT = {
  content: "string",
  attachments: "list",
  embeds: "list",
  stickers: "list",
} as const;
export const DISCORD_MESSAGE = {
  ...CONTENT,
  id: "string",
  type: "string",
  timestamp: "string",
  timestampEdited: "string",
  isPinned: "boolean",
  author: DISCORD_USER,
  reactions: "list",
  mentions: "list",
  reference: { type: "string", messageId: "string", channelId: "string" },
  forwardedMessage: CONTENT,
  interaction: { name: "string", user: DISCORD_USER },
} as const;

export type DiscordUser = Shaped<typeof DISCORD_USER>;
export type DiscordChannel = Shaped<typeof DISCORD_CHANNEL>;
export type DiscordMessage = Shaped<typeof DISCORD_MESSAGE>;
export type DiscordContent = Shaped<typeof CONTENT>;
export type DiscordEmbed = Shaped<typeof DISCORD_EMBED>;
