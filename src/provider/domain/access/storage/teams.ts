/** Teams: with multi-tenancy on, people see only channels of their teams (specification/admin.md §11). */
import { readApp } from "../../../store/app-settings.ts";
import type { Database } from "../../../base/database.ts";
import { findUser } from "../../users/storage/rows.ts";

interface Teams {
  /** The user's teams. */
  readonly names: readonly string[];
  /** Team → the user's role there. */
  readonly roles: Readonly<Record<string, string>>;
}

/** The teams of a user, or undefined while teams separate nobody. */
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

/** Is the team one of the user's; what has no team is for people without one. */
export const sharesTeam = (teams: Teams, team: string | null): boolean =>
  team === null ? teams.names.length === 0 : teams.names.includes(team);
