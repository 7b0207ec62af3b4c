/** Teams: with multi-tenancy on, users see only channels of their teams (specification/admin.md §11). */
import { readApp } from "../../../store/app-settings.ts";
import type { Database } from "../../../base/database.ts";
import { findUser } from "../../users/storage/rows.ts";

interface Teams {
  readonly names: readonly string[];
  /** The user's role by team. */
  readonly roles: Readonly<Record<string, string>>;
}

/** The teams of a user; undefined while multi-tenancy is off. */
export function teamsOf(db: Database, userId: string | undefined): Teams | undefined {
  if (!readApp(db).multi_tenant_enabled) return undefined;
  const row = userId === undefined ? undefined : findUser(db, userId);
  if (!row) return { names: [], roles: {} };
  const { teams_role: roles } = row as { teams_role?: unknown };
  return {
    names: JSON.parse(row.teams) as string[],
    roles: typeof roles === "string" ? (JSON.parse(roles) as Record<string, string>) : {},
  };
}

/** Whether the team is one of the user's. A channel without a team is shared by users without teams. */
export const sharesTeam = (teams: Teams, team: string | null): boolean =>
  team === null ? teams.names.length === 0 : teams.names.includes(team);
