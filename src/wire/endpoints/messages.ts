/** Endpoints of messages and reactions. */
import type { Channel } from "../channel.ts";
import type { Message, MessageHistoryEntry, MessageInput, Reaction, SendOptions } from "../message.ts";
import type { Filter, MessagePagination, Sort } from "../query.ts";
import { row } from "./row.ts";
import type { ChannelPath, MessagePath, ActAs, Acting, PartialBody } from "./row.ts";

type Cursors = { limit?: number; next?: string; prev?: string };
type Metadata = { pending_message_metadata?: Record<string, string> };

export const messagesEndpoints = {
  sendMessage: row<
    ChannelPath,
    object,
    { message: MessageInput } & SendOptions,
    { message: Message } & Metadata
  >("SendMessage", "POST", "/channels/{type}/{id}/message", { perMinute: 1000 }),
  getManyMessages: row<ChannelPath, { ids: string; user_id?: string }, undefined, { messages: Message[] }>(
    "GetManyMessages",
    "GET",
    "/channels/{type}/{id}/messages",
    { perMinute: 1000 },
  ),
  getPinnedMessages: row<
    ChannelPath,
    { limit?: number; sort?: Sort } & MessagePagination,
    undefined,
    { messages: Message[] }
  >("GetPinnedMessages", "GET", "/channels/{type}/{id}/pinned_messages", { payload: true }),
  getMessage: row<
    MessagePath,
    { show_deleted_message?: boolean; user_id?: string },
    undefined,
    { message: Message & { channel?: Channel } }
  >("GetMessage", "GET", "/messages/{id}", { perMinute: 1000 }),
  updateMessage: row<
    MessagePath,
    object,
    { message: MessageInput; skip_enrich_url?: boolean; skip_push?: boolean },
    { message: Message }
  >("UpdateMessage", "POST", "/messages/{id}", { perMinute: 1000, idempotent: true }),
  updateMessagePartial: row<
    MessagePath,
    object,
    PartialBody & { skip_enrich_url?: boolean; skip_push?: boolean },
    { message: Message }
  >("UpdateMessage", "PUT", "/messages/{id}", { perMinute: 1000 }),
  updateMessageEphemeral: row<
    MessagePath,
    object,
    PartialBody & { skip_enrich_url?: boolean; skip_push?: boolean },
    { message: Message }
  >("UpdateMessage", "PATCH", "/messages/{id}/ephemeral", { perMinute: 1000 }),
  deleteMessage: row<
    MessagePath,
    { hard?: boolean; delete_for_me?: boolean; deleted_by?: string; user_id?: string },
    undefined,
    { message: Message }
  >("DeleteMessage", "DELETE", "/messages/{id}", { perMinute: 1000 }),
  undeleteMessage: row<MessagePath, object, { undeleted_by: string }, { message: Message }>(
    "UndeleteMessage",
    "POST",
    "/messages/{id}/undelete",
    { serverOnly: true },
  ),
  commitMessage: row<MessagePath, object, Acting, { message: Message }>(
    "CommitMessage",
    "POST",
    "/messages/{id}/commit",
    { serverOnly: true },
  ),
  translateMessage: row<MessagePath, object, { language: string } & ActAs, { message: Message }>(
    "TranslateMessage",
    "POST",
    "/messages/{id}/translate",
    { idempotent: true },
  ),
  queryMessageHistory: row<
    object,
    object,
    { filter: Filter; sort?: Sort } & Cursors,
    { message_history: MessageHistoryEntry[]; next?: string; prev?: string }
  >("QueryMessageHistory", "POST", "/messages/history", { serverOnly: true, safe: true }),
  getReplies: row<
    { parent_id: string },
    MessagePagination & { sort?: Sort; user_id?: string },
    undefined,
    { messages: Message[] }
  >("GetReplies", "GET", "/messages/{parent_id}/replies", { perMinute: 1000 }),
  sendReaction: row<
    MessagePath,
    object,
    Acting & {
      reaction: { type: string; score?: number; emoji_code?: string; user_id?: string };
      enforce_unique?: boolean;
      skip_push?: boolean;
    },
    { message: Message; reaction: Reaction }
  >("SendReaction", "POST", "/messages/{id}/reaction", { perMinute: 1000, idempotent: true }),
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
    { filter?: Filter; sort?: Sort; user_id?: string } & Cursors,
    { reactions: Reaction[]; next?: string; prev?: string }
  >("QueryReactions", "POST", "/messages/{id}/reactions", { safe: true }),
} as const;
