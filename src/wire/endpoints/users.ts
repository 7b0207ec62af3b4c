/** Endpoints of users. */
import type { Message, Reaction } from "../entities/message.ts";
import type { UserBlock, User } from "../entities/user.ts";
import type { userBodies } from "../bodies/users.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row, type ActAs } from "./row.ts";

type UserPath = { id: string };

export interface UserExport {
  user: User;
  messages: Message[];
  reactions: Reaction[];
}

type Body<K extends keyof typeof userBodies> = Infer<(typeof userBodies)[K]>;

export const usersEndpoints = withOperations({
  queryUsers: row<{ users: User[] }, undefined, object, Body<"queryUsers">>("GET /users", {
    payload: true,
    perMinute: 1000,
  }),
  upsertUsers: row<{ users: Record<string, User>; membership_deletion_task_id: string }, Body<"upsertUsers">>(
    "POST /users",
    { op: "UpdateUsers", idempotent: true },
  ),
  updateUsersPartial: row<{ users: Record<string, User> }, Body<"updateUsersPartial">>("PATCH /users"),
  deleteUsers: row<{ task_id: string }, Body<"deleteUsers">>("POST /users/delete", { serverOnly: true }),
  deleteUser: row<
    { user: User },
    undefined,
    UserPath,
    { mark_messages_deleted?: boolean; hard_delete?: boolean; delete_conversation_channels?: boolean }
  >("DELETE /users/{id}", { serverOnly: true }),
  restoreUsers: row<object, Body<"restoreUsers">>("POST /users/restore", {
    serverOnly: true,
    idempotent: true,
  }),
  deactivateUser: row<{ user: User }, Body<"deactivateUser">, UserPath>("POST /users/{id}/deactivate", {
    serverOnly: true,
  }),
  deactivateUsers: row<{ task_id: string }, Body<"deactivateUsers">>("POST /users/deactivate", {
    serverOnly: true,
  }),
  reactivateUser: row<{ user: User }, Body<"reactivateUser">, UserPath>("POST /users/{id}/reactivate", {
    serverOnly: true,
  }),
  reactivateUsers: row<{ task_id: string }, Body<"reactivateUsers">>("POST /users/reactivate", {
    serverOnly: true,
  }),
  exportUser: row<UserExport, undefined, UserPath>("GET /users/{id}/export", {
    serverOnly: true,
    perMinute: 60,
  }),
  sendUserEvent: row<object, Body<"sendUserEvent">, UserPath>("POST /users/{id}/event", {
    op: "SendUserCustomEvent",
    serverOnly: true,
    perMinute: 1000,
  }),
  createGuest: row<{ user: User; access_token: string }, Body<"createGuest">>("POST /guest"),
  blockUser: row<
    { blocked_by_user_id: string; blocked_user_id: string; created_at: string },
    Body<"blockUser">
  >("POST /users/block", { idempotent: true }),
  unblockUser: row<object, Body<"unblockUser">>("POST /users/unblock", { idempotent: true }),
  getBlockedUsers: row<{ blocks: UserBlock[] }, undefined, object, ActAs>("GET /users/block"),
});
