/** Endpoints of users. */
import type { Message, Reaction } from "../message.ts";
import type { Block, User } from "../user.ts";
import type { userBodies } from "../bodies/users.ts";
import type { Infer } from "../fields.ts";
import { row } from "./row.ts";
import type { ActAs } from "./row.ts";

type UserPath = { id: string };

export interface UserExport {
  user: User;
  messages: Message[];
  reactions: Reaction[];
}

type Body<K extends keyof typeof userBodies> = Infer<(typeof userBodies)[K]>;

export const usersEndpoints = {
  queryUsers: row<object, Body<"queryUsers">, undefined, { users: User[] }>("QueryUsers", "GET", "/users", {
    payload: true,
    perMinute: 1000,
  }),
  upsertUsers: row<
    object,
    object,
    Body<"upsertUsers">,
    { users: Record<string, User>; membership_deletion_task_id: string }
  >("UpdateUsers", "POST", "/users", { idempotent: true }),
  updateUsersPartial: row<object, object, Body<"updateUsersPartial">, { users: Record<string, User> }>(
    "UpdateUsersPartial",
    "PATCH",
    "/users",
  ),
  deleteUsers: row<object, object, Body<"deleteUsers">, { task_id: string }>(
    "DeleteUsers",
    "POST",
    "/users/delete",
    { serverOnly: true },
  ),
  deleteUser: row<
    UserPath,
    { mark_messages_deleted?: boolean; hard_delete?: boolean; delete_conversation_channels?: boolean },
    undefined,
    { user: User }
  >("DeleteUser", "DELETE", "/users/{id}", { serverOnly: true }),
  restoreUsers: row<object, object, Body<"restoreUsers">, object>("RestoreUsers", "POST", "/users/restore", {
    serverOnly: true,
    idempotent: true,
  }),
  deactivateUser: row<UserPath, object, Body<"deactivateUser">, { user: User }>(
    "DeactivateUser",
    "POST",
    "/users/{id}/deactivate",
    { serverOnly: true },
  ),
  deactivateUsers: row<object, object, Body<"deactivateUsers">, { task_id: string }>(
    "DeactivateUsers",
    "POST",
    "/users/deactivate",
    { serverOnly: true },
  ),
  reactivateUser: row<UserPath, object, Body<"reactivateUser">, { user: User }>(
    "ReactivateUser",
    "POST",
    "/users/{id}/reactivate",
    { serverOnly: true },
  ),
  reactivateUsers: row<object, object, Body<"reactivateUsers">, { task_id: string }>(
    "ReactivateUsers",
    "POST",
    "/users/reactivate",
    { serverOnly: true },
  ),
  exportUser: row<UserPath, object, undefined, UserExport>("ExportUser", "GET", "/users/{id}/export", {
    serverOnly: true,
    perMinute: 60,
  }),
  sendUserEvent: row<UserPath, object, Body<"sendUserEvent">, object>(
    "SendUserCustomEvent",
    "POST",
    "/users/{id}/event",
    { serverOnly: true, perMinute: 1000 },
  ),
  createGuest: row<object, object, Body<"createGuest">, { user: User; access_token: string }>(
    "CreateGuest",
    "POST",
    "/guest",
  ),
  blockUser: row<
    object,
    object,
    Body<"blockUser">,
    { blocked_by_user_id: string; blocked_user_id: string; created_at: string }
  >("BlockUser", "POST", "/users/block", { idempotent: true }),
  unblockUser: row<object, object, Body<"unblockUser">, object>("UnblockUser", "POST", "/users/unblock", {
    idempotent: true,
  }),
  getBlockedUsers: row<object, ActAs, undefined, { blocks: Block[] }>(
    "GetBlockedUsers",
    "GET",
    "/users/block",
  ),
} as const;
