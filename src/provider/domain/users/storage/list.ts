/** The list of users: its sorts, the conditions of app settings, and one page. */
import { withinBudget } from "../../../store/budget.ts";
import type { Database } from "../../../base/database.ts";
import type { Sql } from "../../query/filter-fields.ts";
import { joinConditions } from "../../query/filter.ts";
import type { Match, OffsetListDefinition } from "../../query/listing.ts";
import { USER_SORTS } from "./filter.ts";
import type { UserRow } from "./rows.ts";

export const USER_ORDER: Omit<OffsetListDefinition, "fields"> = {
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

export function usersPage(db: Database, query: UsersQuery): UserRow[] {
  const { where, order, limits, cursors, deactivated, limit, offset } = query;
  const conditions = joinConditions(
    [...limits, ...cursors.map(({ key, id }) => ({ text: `u.id ${SIGNS[key]} ?`, values: [id] }))],
    " AND ",
  );
  return db.raw
    .prepare(
      `SELECT u.* FROM users u WHERE u.deleted_at IS NULL AND ${withinBudget("u.created_at")} ${deactivated ? "" : "AND u.deactivated_at IS NULL"}
       AND (${where.text}) AND ${conditions.text} ORDER BY ${order.text} LIMIT ? OFFSET ?`,
    )
    .all(...where.values, ...conditions.values, ...order.values, limit, offset) as unknown as UserRow[];
}
