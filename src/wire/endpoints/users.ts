/** Endpoints of users. */
import { entity, flag, list, map, need, shape, text, time, type Infer } from "../entities/fields.ts";
import { actAs, row, withOperations } from "./row.ts";

export const UserExport = shape(() => ({
  user: need(entity("User")),
  messages: need(list(entity("Message"))),
  reactions: need(list(entity("Reaction"))),
}));
export interface UserExport extends Infer<typeof UserExport> {}

export const usersEndpoints = withOperations({
  queryUsers: row("GET /users", {
    payload: true,
    perMinute: 1000,
    answer: () => ({ users: need(list(entity("User"))) }),
  }),
  upsertUsers: row("POST /users", {
    op: "UpdateUsers",
    idempotent: true,
    answer: () => ({ users: need(map(entity("User"))), membership_deletion_task_id: need(text()) }),
  }),
  updateUsersPartial: row("PATCH /users", { answer: () => ({ users: need(map(entity("User"))) }) }),
  deleteUsers: row("POST /users/delete", { serverOnly: true, answer: () => ({ task_id: need(text()) }) }),
  deleteUser: row("DELETE /users/{id}", {
    serverOnly: true,
    query: { mark_messages_deleted: flag(), hard_delete: flag(), delete_conversation_channels: flag() },
    answer: () => ({ user: need(entity("User")) }),
  }),
  restoreUsers: row("POST /users/restore", { serverOnly: true, idempotent: true }),
  deactivateUser: row("POST /users/{id}/deactivate", {
    serverOnly: true,
    perMinute: 60,
    answer: () => ({ user: need(entity("User")) }),
  }),
  deactivateUsers: row("POST /users/deactivate", {
    serverOnly: true,
    answer: () => ({ task_id: need(text()) }),
  }),
  reactivateUser: row("POST /users/{id}/reactivate", {
    serverOnly: true,
    answer: () => ({ user: need(entity("User")) }),
  }),
  reactivateUsers: row("POST /users/reactivate", {
    serverOnly: true,
    answer: () => ({ task_id: need(text()) }),
  }),
  exportUser: row("GET /users/{id}/export", { serverOnly: true, perMinute: 60, answer: UserExport }),
  sendUserEvent: row("POST /users/{id}/event", {
    op: "SendUserCustomEvent",
    serverOnly: true,
    perMinute: 1000,
  }),
  createGuest: row("POST /guest", {
    perMinute: 1000,
    answer: () => ({ user: need(entity("User")), access_token: need(text()) }),
  }),
  blockUser: row("POST /users/block", {
    idempotent: true,
    answer: () => ({
      blocked_by_user_id: need(text()),
      blocked_user_id: need(text()),
      created_at: need(time()),
    }),
  }),
  unblockUser: row("POST /users/unblock", { idempotent: true }),
  getBlockedUsers: row("GET /users/block", {
    query: actAs,
    answer: () => ({ blocks: need(list(entity("UserBlock"))) }),
  }),
});
