/** The writable fields of users: reads them from a request, merges and replaces them (specification/users.md §4). */
import { profile, ranks } from "../../../../wire/bodies/users.ts";
import { TEAM_NAME_BYTES } from "../../../../wire/constants.ts";
import type { Database } from "../../../base/database.ts";
import { accessOf } from "../../access/storage/access.ts";
import type { BodyReader, Fields } from "../../validation/check.ts";
import { nameKey, requireFreeName } from "./names.ts";
import { type UserRow, insertUser, storeUser } from "../storage/rows.ts";
import { canonical } from "../../query/canonical.ts";
import type { UserChanges } from "../view/publish-user.ts";

interface ServerFields {
  role?: string;
  teams?: string[];
  teamsRole?: Record<string, string>;
  /** Whole microseconds; null lifts the revocation. */
  revokedBefore?: number | null;
}

/** Fields to write: `undefined` = not named. `data` has image, language, status and the custom fields. */
export interface UserFields extends ServerFields {
  name?: string | null;
  invisible?: boolean;
  privacy?: Fields;
  data: Fields;
}

/** Reads the fields; server-managed keys are ignored without an error, null clears a field. */
export function readUserFields(check: BodyReader): UserFields {
  const { name, invisible, privacy_settings, custom, ...texts } = check.read(profile);
  return {
    ...(name === undefined ? {} : { name }),
    ...(invisible === undefined ? {} : { invisible }),
    ...(privacy_settings ? { privacy: withoutUndefined(privacy_settings) } : {}),
    data: { ...withoutUndefined(texts), ...custom },
  };
}

const withoutUndefined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Reads the fields only servers may write. `isComplete`: the object is the complete user, so absent fields were removed. */
export function readServerFields(db: Database, check: BodyReader, isComplete = false): ServerFields {
  const roles = accessOf(db).appRoles;
  const { role, teams, teams_role: byTeam, revoke_tokens_issued_before: revoked } = check.read(ranks);
  if (role !== undefined && (!roles.has(role) || role === "anonymous"))
    check.fail("role", "is not a role of this app");
  teams?.forEach((team, i) => {
    if (team.trim() === "" || Buffer.byteLength(team) > TEAM_NAME_BYTES)
      check.fail(`teams.${i}`, `must be a name of at most ${TEAM_NAME_BYTES} bytes`);
  });
  for (const [team, teamRole] of Object.entries(byTeam ?? {}))
    if (!roles.has(teamRole)) check.fail(`teams_role.${team}`, "is not a role of this app");
  return {
    ...(role === undefined ? {} : { role }),
    ...((teams ?? isComplete) ? { teams: [...new Set(teams)] } : {}),
    ...((byTeam ?? isComplete) ? { teamsRole: byTeam ?? {} } : {}),
    ...(revoked !== undefined || isComplete ? { revokedBefore: revoked ?? null } : {}),
  };
}

/** Merges fields into the stored user, or creates it. Returns what changed; undefined when nothing did. */
export function mergeUser(
  db: Database,
  id: string,
  before: UserRow | undefined,
  fields: UserFields,
  now: number,
): UserChanges | undefined {
  const data = before ? (JSON.parse(before.data) as Fields) : {};
  for (const [key, value] of Object.entries(fields.data))
    if (value === null) delete data[key];
    else data[key] = value;
  const privacy = { ...(before ? (JSON.parse(before.privacy) as Fields) : {}), ...fields.privacy };
  return writeUser(db, id, before, { ...fields, data, privacy }, now);
}

/** The columns of the row; fields that are not named keep their values. */
const columnsOf = (before: UserRow | undefined, fields: UserFields) => ({
  data: JSON.stringify(fields.data),
  privacy: JSON.stringify(fields.privacy ?? (before ? JSON.parse(before.privacy) : {})),
  name: fields.name === undefined ? (before?.name ?? null) : fields.name,
  invisible: Number(fields.invisible ?? before?.invisible === 1),
  role: fields.role ?? before?.role ?? "user",
  teams: fields.teams ? JSON.stringify(fields.teams) : (before?.teams ?? "[]"),
  teams_role: fields.teamsRole ? JSON.stringify(fields.teamsRole) : (before?.teams_role ?? "{}"),
  revoked_before:
    fields.revokedBefore === undefined ? (before?.revoked_before ?? null) : fields.revokedBefore,
});

/**
 * Stores the user with exactly this `data`; other fields are kept unless named. Refuses with code 6 a name that is taken
 * where names must be unique.
 */
export function writeUser(
  db: Database,
  id: string,
  before: UserRow | undefined,
  fields: UserFields,
  now: number,
): UserChanges | undefined {
  const columns = columnsOf(before, fields);
  const { data, privacy, name, invisible, role, teams } = columns;
  if (name !== (before?.name ?? null) || teams !== (before?.teams ?? "[]"))
    requireFreeName(db, id, name, JSON.parse(teams) as string[]);
  const row = { ...columns, id, name_key: nameKey(name), updated_at: now };
  if (!before) {
    insertUser(db, row);
    return { visible: true, status: false, invisible: false };
  }
  const visible =
    name !== before.name ||
    role !== before.role ||
    teams !== before.teams ||
    !sameJson(columns.teams_role, before.teams_role) ||
    !sameJson(data, before.data);
  const hidden =
    !sameJson(privacy, before.privacy) ||
    invisible !== before.invisible ||
    columns.revoked_before !== before.revoked_before;
  if (!visible && !hidden) return undefined;
  storeUser(db, row);
  const status = (JSON.parse(before.data) as Fields).status !== fields.data.status;
  return { visible, status, invisible: invisible !== before.invisible };
}

function sameJson(a: string, b: string): boolean {
  return a === b || canonical(JSON.parse(a)) === canonical(JSON.parse(b));
}
