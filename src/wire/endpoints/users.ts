/** Endpoints of users. */
import type { Filter, Sort } from "../query.ts";
import type { User } from "../user.ts";
import { row } from "./row.ts";

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
} as const;
