/** Endpoints of messages and reactions. */
import type { Channel } from "../entities/channel.ts";
import type { Message, MessageHistoryEntry, Reaction } from "../entities/message.ts";
import type { MessagePagination, Sort } from "../entities/query.ts";
import type { messageBodies } from "../bodies/messages.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row, type ChannelPath, type MessagePath, type ActAs } from "./row.ts";

type Metadata = { pending_message_metadata?: Record<string, string> };

type Body<K extends keyof typeof messageBodies> = Infer<(typeof messageBodies)[K]>;

export const messagesEndpoints = withOperations({
  sendMessage: row<{ message: Message } & Metadata, Body<"sendMessage">, ChannelPath>(
    "POST /channels/{type}/{id}/message",
    { perMinute: 1000 },
  ),
  getManyMessages: row<{ messages: Message[] }, undefined, ChannelPath, { ids: string; user_id?: string }>(
    "GET /channels/{type}/{id}/messages",
    { perMinute: 1000 },
  ),
  getPinnedMessages: row<{ messages: Message[] }, undefined, ChannelPath, Body<"getPinnedMessages">>(
    "GET /channels/{type}/{id}/pinned_messages",
    { payload: true },
  ),
  getMessage: row<
    { message: Message & { channel?: Channel } } & Metadata,
    undefined,
    MessagePath,
    { show_deleted_message?: boolean; user_id?: string }
  >("GET /messages/{id}", { perMinute: 1000 }),
  updateMessage: row<{ message: Message }, Body<"updateMessage">, MessagePath>("POST /messages/{id}", {
    perMinute: 1000,
    idempotent: true,
  }),
  updateMessagePartial: row<{ message: Message }, Body<"updateMessagePartial">, MessagePath>(
    "PUT /messages/{id}",
    { op: "UpdateMessage", perMinute: 1000 },
  ),
  updateMessageEphemeral: row<{ message: Message }, Body<"updateMessageEphemeral">, MessagePath>(
    "PATCH /messages/{id}/ephemeral",
    { op: "UpdateMessage", perMinute: 1000 },
  ),
  deleteMessage: row<
    { message: Message },
    undefined,
    MessagePath,
    { hard?: boolean; delete_for_me?: boolean; deleted_by?: string; user_id?: string }
  >("DELETE /messages/{id}", { perMinute: 1000 }),
  undeleteMessage: row<{ message: Message }, Body<"undeleteMessage">, MessagePath>(
    "POST /messages/{id}/undelete",
    { serverOnly: true },
  ),
  commitMessage: row<{ message: Message }, Body<"commitMessage">, MessagePath>("POST /messages/{id}/commit", {
    serverOnly: true,
  }),
  translateMessage: row<{ message: Message }, Body<"translateMessage">, MessagePath>(
    "POST /messages/{id}/translate",
    { idempotent: true },
  ),
  queryMessageHistory: row<
    { message_history: MessageHistoryEntry[]; next?: string; prev?: string },
    Body<"queryMessageHistory">
  >("POST /messages/history", { serverOnly: true, safe: true }),
  getReplies: row<
    { messages: Message[] },
    undefined,
    { parent_id: string },
    MessagePagination & { sort?: Sort; user_id?: string }
  >("GET /messages/{parent_id}/replies", { perMinute: 1000 }),
  sendReaction: row<{ message: Message; reaction: Reaction }, Body<"sendReaction">, MessagePath>(
    "POST /messages/{id}/reaction",
    { perMinute: 1000, idempotent: true },
  ),
  deleteReaction: row<
    { message: Message; reaction: Reaction },
    undefined,
    MessagePath & { reaction_type: string },
    ActAs
  >("DELETE /messages/{id}/reaction/{reaction_type}", { perMinute: 1000 }),
  getReactions: row<
    { reactions: Reaction[] },
    undefined,
    MessagePath,
    { limit?: number; offset?: number; user_id?: string }
  >("GET /messages/{id}/reactions", { perMinute: 1000 }),
  queryReactions: row<
    { reactions: Reaction[]; next?: string; prev?: string },
    Body<"queryReactions">,
    MessagePath
  >("POST /messages/{id}/reactions", { safe: true }),
});
