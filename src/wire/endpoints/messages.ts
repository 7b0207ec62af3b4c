/** Endpoints of messages and reactions. */
import { entity, flag, id, list, map, need, sort, text, whole } from "../entities/fields.ts";
import { anchors } from "../entities/query.ts";
import { actAs, cursors, row, withOperations } from "./row.ts";

const metadata = { pending_message_metadata: map(text()) };

export const messagesEndpoints = withOperations({
  sendMessage: row("POST /channels/{type}/{id}/message", {
    perMinute: 1000,
    answer: () => ({ message: need(entity("Message")), ...metadata }),
  }),
  getManyMessages: row("GET /channels/{type}/{id}/messages", {
    perMinute: 1000,
    query: { ids: need(text()), ...actAs },
    answer: () => ({ messages: need(list(entity("Message"))) }),
  }),
  getPinnedMessages: row("GET /channels/{type}/{id}/pinned_messages", {
    source: "ours",
    payload: true,
    answer: () => ({ messages: need(list(entity("Message"))) }),
  }),
  getMessage: row("GET /messages/{id}", {
    perMinute: 1000,
    query: { show_deleted_message: flag(), ...actAs },
    answer: () => ({ message: need(entity("Message", { channel: entity("Channel") })), ...metadata }),
  }),
  updateMessage: row("POST /messages/{id}", {
    perMinute: 1000,
    idempotent: true,
    answer: () => ({ message: need(entity("Message")) }),
  }),
  updateMessagePartial: row("PUT /messages/{id}", {
    op: "UpdateMessage",
    perMinute: 1000,
    answer: () => ({ message: need(entity("Message")) }),
  }),
  updateMessageEphemeral: row("PATCH /messages/{id}/ephemeral", {
    source: "v2",
    op: "UpdateMessage",
    perMinute: 1000,
    answer: () => ({ message: need(entity("Message")) }),
  }),
  deleteMessage: row("DELETE /messages/{id}", {
    perMinute: 1000,
    query: { hard: flag(), delete_for_me: flag(), deleted_by: id(), ...actAs },
    answer: () => ({ message: need(entity("Message")) }),
  }),
  undeleteMessage: row("POST /messages/{id}/undelete", {
    serverOnly: true,
    answer: () => ({ message: need(entity("Message")) }),
  }),
  commitMessage: row("POST /messages/{id}/commit", {
    serverOnly: true,
    answer: () => ({ message: need(entity("Message")) }),
  }),
  translateMessage: row("POST /messages/{id}/translate", {
    idempotent: true,
    answer: () => ({ message: need(entity("Message")) }),
  }),
  queryMessageHistory: row("POST /messages/history", {
    serverOnly: true,
    safe: true,
    answer: () => ({ message_history: need(list(entity("MessageHistoryEntry"))), ...cursors }),
  }),
  getReplies: row("GET /messages/{parent_id}/replies", {
    perMinute: 1000,
    query: { limit: whole(), offset: whole(), ...anchors, sort: sort(), ...actAs },
    answer: () => ({ messages: need(list(entity("Message"))) }),
  }),
  sendReaction: row("POST /messages/{id}/reaction", {
    perMinute: 1000,
    idempotent: true,
    answer: () => ({ message: need(entity("Message")), reaction: need(entity("Reaction")) }),
  }),
  deleteReaction: row("DELETE /messages/{id}/reaction/{reaction_type}", {
    perMinute: 1000,
    query: actAs,
    answer: () => ({ message: need(entity("Message")), reaction: need(entity("Reaction")) }),
  }),
  getReactions: row("GET /messages/{id}/reactions", {
    perMinute: 1000,
    query: { limit: whole(), offset: whole(), ...actAs },
    answer: () => ({ reactions: need(list(entity("Reaction"))) }),
  }),
  queryReactions: row("POST /messages/{id}/reactions", {
    safe: true,
    answer: () => ({ reactions: need(list(entity("Reaction"))), ...cursors }),
  }),
});
