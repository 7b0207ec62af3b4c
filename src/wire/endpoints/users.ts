/** Endpoints of users. */
import type { Filter, Sort } from "../query.ts";
import type { Message, Reaction } from "../message.ts";
import type { Block, User } from "../user.ts";
import { row } from "./row.ts";
import type { Acting, ActAs } from "./row.ts";

type UserPath = { id: string };

/** What happens to each part of deleted users (users.md §5, R-ID-10). */
export interface DeleteUsersBody {
  user_ids: string[];
  user?: "soft" | "pruning" | "hard";
  messages?: "soft" | "pruning" | "hard";
  conversations?: "soft" | "hard";
  new_channel_owner_id?: string;
  files?: boolean;
}

export interface DeactivateOptions {
  mark_messages_deleted?: boolean;
  created_by_id?: string;
}

export interface ReactivateOptions {
  restore_messages?: boolean;
  restore_channels?: boolean;
  created_by_id?: string;
}

export interface UserExport {
  user: User;
  messages: Message[];
  reactions: Reaction[];
}

export interface QueryUsersPayload {
  filter_conditions?: Filter;
  sort?: Sort;
  limit?: number;
  offset?: number;
  presence?: boolean;
  include_deactivated_users?: boolean;
  id_gt?: string;
  id_gte?: string;
  id_lt?: string;
  id_lte?: string;
  user_id?: string;
}

export const usersEndpoints = {
  queryUsers: row<object, QueryUsersPayload, undefined, { users: User[] }>("QueryUsers", "GET", "/users", {
    payload: true,
    perMinute: 1000,
  }),
  upsertUsers: row<
    object,
    object,
    { users: Record<string, Partial<User> & { id: string }> },
    { users: Record<string, User>; membership_deletion_task_id: string }
  >("UpdateUsers", "POST", "/users", { idempotent: true }),
  updateUsersPartial: row<
    object,
    object,
    { users: { id: string; set?: Record<string, unknown>; unset?: string[] }[] },
    { users: Record<string, User> }
  >("UpdateUsersPartial", "PATCH", "/users"),
  deleteUsers: row<object, object, DeleteUsersBody, { task_id: string }>(
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
  restoreUsers: row<object, object, { user_ids: string[] }, object>(
    "RestoreUsers",
    "POST",
    "/users/restore",
    {
      serverOnly: true,
      idempotent: true,
    },
  ),
  deactivateUser: row<UserPath, object, DeactivateOptions, { user: User }>(
    "DeactivateUser",
    "POST",
    "/users/{id}/deactivate",
    { serverOnly: true },
  ),
  deactivateUsers: row<
    object,
    object,
    DeactivateOptions & { user_ids: string[]; mark_channels_deleted?: boolean },
    { task_id: string }
  >("DeactivateUsers", "POST", "/users/deactivate", { serverOnly: true }),
  reactivateUser: row<UserPath, object, ReactivateOptions & { name?: string }, { user: User }>(
    "ReactivateUser",
    "POST",
    "/users/{id}/reactivate",
    { serverOnly: true },
  ),
  reactivateUsers: row<object, object, ReactivateOptions & { user_ids: string[] }, { task_id: string }>(
    "ReactivateUsers",
    "POST",
    "/users/reactivate",
    { serverOnly: true },
  ),
  exportUser: row<UserPath, object, undefined, UserExport>("ExportUser", "GET", "/users/{id}/export", {
    serverOnly: true,
    perMinute: 60,
  }),
  sendUserEvent: row<UserPath, object, { event: { type: string; [key: string]: unknown } }, object>(
    "SendUserCustomEvent",
    "POST",
    "/users/{id}/event",
    { serverOnly: true, perMinute: 1000 },
  ),
  createGuest: row<
    object,
    object,
    { user: Partial<User> & { id: string } & Record<string, unknown> },
    { user: User; access_token: string }
  >("CreateGuest", "POST", "/guest"),
  blockUser: row<
    object,
    object,
    Acting & { blocked_user_id: string },
    { blocked_by_user_id: string; blocked_user_id: string; created_at: string }
  >("BlockUser", "POST", "/users/block", { idempotent: true }),
  unblockUser: row<object, object, Acting & { blocked_user_id: string }, object>(
    "UnblockUser",
    "POST",
    "/users/unblock",
    { idempotent: true },
  ),
  getBlockedUsers: row<object, ActAs, undefined, { blocks: Block[] }>(
    "GetBlockedUsers",
    "GET",
    "/users/block",
  ),
} as const;
