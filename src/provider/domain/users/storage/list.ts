/** The list of users: its sorts, the conditions of app settings, and one page. */
import type { Database } from "../../../base/database.ts";
import type { Sql } from "../../query/filter-fields.ts";
import { offsetPage, type Match, type OffsetListDefinition } from "../../query/listing.ts";
import { USER_SORTS } from "./filter.ts";
import type { UserRow } from "./rows.ts";

export const USER_ORDER: Omit<OffsetListDefinition<UserRow>, "fields"> = {
  columns: "u.*",
  from: "users u",
  counted: "u.created_at",
  sorts: (name) => (USER_SORTS.has(name) ? `u.${name}` : undefined),
  fallback: "u.created_at DESC",
  tie: "u.id DESC",
  custom: "u.data",
};

export const noRoles = (roles: readonly string[]): Sql => ({
  text: "u.role NOT IN (SELECT value FROM json_each(?))",
  values: [JSON.stringify(roles)],
});

export const inTeams = (teams: readonly string[]): Sql => ({
  text: "EXISTS (SELECT 1 FROM json_each(u.teams) t JOIN json_each(?) o ON o.value = t.value)",
  values: [JSON.stringify(teams)],
});

const SIGNS = { id_gt: ">", id_gte: ">=", id_lt: "<", id_lte: "<=" };

interface UsersQuery extends Match {
  limits: Sql[];
  cursors: { key: keyof typeof SIGNS; id: string }[];
  deactivated: boolean;
  limit: number;
  offset: number;
}

export function usersPage(db: Database, { limits, cursors, deactivated, ...page }: UsersQuery): UserRow[] {
  return offsetPage(
    db,
    USER_ORDER,
    page,
    { text: `u.deleted_at IS NULL${deactivated ? "" : " AND u.deactivated_at IS NULL"}`, values: [] },
    ...limits,
    ...cursors.map(({ key, id }) => ({ text: `u.id ${SIGNS[key]} ?`, values: [id] })),
  );
}
