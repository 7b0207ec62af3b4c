/** The fields of Telegram Desktop's objects that are used; every one may be missing. */
import type { Shaped } from "../base/shapes.ts";

export const TELEGRAM_CHAT = { name: "string", type: "string", id: "string" } as const;
export const TELEGRAM_MESSAGE = {
  id: "string",
  type: "string",
  date: "string",
  date_unixtime: "string",
  edited: "string",
  edited_unixtime: "string",
  from: "string",
  from_id: "string",
  actor: "string",
  actor_id: "string",
  action: "string",
  author: "string",
  forwarded_from: "string",
  saved_from: "string",
  via_bot: "string",
  reply_to_message_id: "string",
  reply_to_peer_id: "string",
  text_entities: "list",
  reactions: "list",
  photo: "string",
  photo_file_size: "number",
  file: "string",
  file_name: "string",
  file_size: "number",
  media_type: "string",
  mime_type: "string",
  sticker_emoji: "string",
  title: "string",
  new_title: "string",
  performer: "string",
  duration_seconds: "number",
  contact_information: { first_name: "string", last_name: "string", phone_number: "string" },
  contact_vcard: "string",
  location_information: { latitude: "number", longitude: "number" },
  place_name: "string",
  address: "string",
  poll: { closed: "boolean", answers: "list", total_voters: "number" },
  todo_list: { answers: "list", items: "list" },
  game_title: "string",
  game_description: "string",
  members: "list",
  message_id: "string",
  discard_reason: "string",
} as const;
export const TELEGRAM_ANSWER = { voters: "number" } as const;
export const TELEGRAM_REACTION = {
  type: "string",
  count: "number",
  emoji: "string",
  document_id: "string",
  recent: "list",
} as const;
export const TELEGRAM_GIVER = { from: "string", from_id: "string", date: "string" } as const;
export const TELEGRAM_ENTITY = {
  type: "string",
  text: "string",
  href: "string",
  language: "string",
  user_id: "string",
} as const;

export type TelegramMessage = Shaped<typeof TELEGRAM_MESSAGE>;
export type TelegramEntity = Shaped<typeof TELEGRAM_ENTITY>;
