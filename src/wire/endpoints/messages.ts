/** Endpoints of messages and reactions. */
import type { Channel } from "../channel.ts";
import type { Message, MessageHistoryEntry, Reaction } from "../message.ts";
import type { MessagePagination, Sort } from "../query.ts";
import type { messageBodies } from "../bodies/messages.ts";
import type { Infer } from "../fields.ts";
import { row } from "./row.ts";
import type { ChannelPath, MessagePath, ActAs } from "./row.ts";

type Metadata = { pending_message_metadata?: Record<string, string> };

type Body<K extends keyof typeof messageBodies> = Infer<(typeof messageBodies)[K]>;

export const messagesEndpoints = {
  sendMessage: row<ChannelPath, object, Body<"sendMessage">, { message: Message } & Metadata>(
    "SendMessage",
    "POST",
    "/channels/{type}/{id}/message",
    { perMinute: 1000 },
  ),
  getManyMessages: row<ChannelPath, { ids: string; user_id?: string }, undefined, { messages: Message[] }>(
    "GetManyMessages",
    "GET",
    "/channels/{type}/{id}/messages",
    { perMinute: 1000 },
  ),
  getPinnedMessages: row<ChannelPath, Body<"getPinnedMessages">, undefined, { messages: Message[] }>(
    "GetPinnedMessages",
    "GET",
    "/channels/{type}/{id}/pinned_messages",
    { payload: true },
  ),
  getMessage: row<
    MessagePath,
    { show_deleted_message?: boolean; user_id?: string },
    undefined,
    { message: Message & { channel?: Channel } }
  >("GetMessage", "GET", "/messages/{id}", { perMinute: 1000 }),
  updateMessage: row<MessagePath, object, Body<"updateMessage">, { message: Message }>(
    "UpdateMessage",
    "POST",
    "/messages/{id}",
    { perMinute: 1000, idempotent: true },
  ),
  updateMessagePartial: row<MessagePath, object, Body<"updateMessagePartial">, { message: Message }>(
    "UpdateMessage",
    "PUT",
    "/messages/{id}",
    { perMinute: 1000 },
  ),
  updateMessageEphemeral: row<MessagePath, object, Body<"updateMessageEphemeral">, { message: Message }>(
    "UpdateMessage",
    "PATCH",
    "/messages/{id}/ephemeral",
    { perMinute: 1000 },
  ),
  deleteMessage: row<
    MessagePath,
    { hard?: boolean; delete_for_me?: boolean; deleted_by?: string; user_id?: string },
    undefined,
    { message: Message }
  >("DeleteMessage", "DELETE", "/messages/{id}", { perMinute: 1000 }),
  undeleteMessage: row<MessagePath, object, Body<"undeleteMessage">, { message: Message }>(
    "UndeleteMessage",
    "POST",
    "/messages/{id}/undelete",
    { serverOnly: true },
  ),
  commitMessage: row<MessagePath, object, Body<"commitMessage">, { message: Message }>(
    "CommitMessage",
    "POST",
    "/messages/{id}/commit",
    { serverOnly: true },
  ),
  translateMessage: row<MessagePath, object, Body<"translateMessage">, { message: Message }>(
    "TranslateMessage",
    "POST",
    "/messages/{id}/translate",
    { idempotent: true },
  ),
  queryMessageHistory: row<
    object,
    object,
    Body<"queryMessageHistory">,
    { message_history: MessageHistoryEntry[]; next?: string; prev?: string }
  >("QueryMessageHistory", "POST", "/messages/history", { serverOnly: true, safe: true }),
  getReplies: row<
    { parent_id: string },
    MessagePagination & { sort?: Sort; user_id?: string },
    undefined,
    { messages: Message[] }
  >("GetReplies", "GET", "/messages/{parent_id}/replies", { perMinute: 1000 }),
  sendReaction: row<MessagePath, object, Body<"sendReaction">, { message: Message; reaction: Reaction }>(
    "SendReaction",
    "POST",
    "/messages/{id}/reaction",
    { perMinute: 1000, idempotent: true },
  ),
  deleteReaction: row<
    MessagePath & { reaction_type: string },
    ActAs,
    undefined,
    { message: Message; reaction: Reaction }
  >("DeleteReaction", "DELETE", "/messages/{id}/reaction/{reaction_type}", { perMinute: 1000 }),
  getReactions: row<
    MessagePath,
    { limit?: number; offset?: number; user_id?: string },
    undefined,
    { reactions: Reaction[] }
  >("GetReactions", "GET", "/messages/{id}/reactions", { perMinute: 1000 }),
  queryReactions: row<
    MessagePath,
    object,
    Body<"queryReactions">,
    { reactions: Reaction[]; next?: string; prev?: string }
  >("QueryReactions", "POST", "/messages/{id}/reactions", { safe: true }),
} as const;
