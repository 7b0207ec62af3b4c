/** Which channels a caller may read, as an SQL condition that agrees with `can(…, "read-channel")`. */
import type { RouteCall, Caller } from "../../../base/handler.ts";
import { readApp } from "../../../store/app-settings.ts";
import type { Database } from "../../../base/database.ts";
import type { ChannelRow, MemberRow } from "../../channels/storage/rows.ts";
import type { Sql } from "../../query/filter-fields.ts";
import { findUser } from "../../users/storage/rows.ts";
import { accessOf } from "../storage/access.ts";
import { can, permissionsOf } from "./policy.ts";
import { teamsOf } from "../storage/teams.ts";
import {
  JOINED_ROLE,
  roleOf,
  enabledChannel,
  readableByFunction,
  readableByType,
  NOT_DELETED,
} from "../storage/readable.ts";

/** Channel types in which the role has the permission without being a member or the creator; `anyTeam`: also in other teams. */
export function typesWithPermission(
  db: Database,
  role: string,
  permission = "read-channel",
  where: "ownTeam" | "anyTeam" = "ownTeam",
): string[] {
  const access = accessOf(db);
  return [...access.types.keys()].filter((type) =>
    access.grantsOf(type).byRole.get(role)?.[where].has(permission),
  );
}

const registered = new WeakSet<Database>();

function registerFunctions(db: Database): void {
  if (registered.has(db)) return;
  registered.add(db);
  db.raw.function("may_read_channel", { varargs: true }, (...args) => {
    const [userId, role, cid, type, overrides, team, creator, channelRole] = args as (string | null)[];
    const channel = { cid, type, overrides, team, created_by: creator } as ChannelRow;
    const member = channelRole === null ? null : ({ channel_role: channelRole } as MemberRow);
    const caller = { kind: "user" as const, userId: userId ?? undefined, role: role! };
    return Number(can(permissionsOf(db, caller, channel, member), "read-channel"));
  });
}

/**
 * A condition for channels `c` that the caller may read; undefined when every channel is readable. Channels with overrides
 * are decided one by one, and so are all channels while multi-tenancy is on.
 */
export function readableChannels(
  db: Database,
  caller: Pick<Caller, "kind" | "role">,
  userId: string | undefined,
  member: Sql = JOINED_ROLE,
): Sql | undefined {
  if (caller.kind === "server" || readApp(db).disable_permissions_checks) return undefined;
  registerFunctions(db);
  const { role } = caller;
  const perChannel = readableByFunction(userId, role, member);
  if (teamsOf(db, userId)) return perChannel;
  const joined = [...accessOf(db).channelRoles].flatMap((name) =>
    typesWithPermission(db, name).map((type) => `${type} ${name}`),
  );
  return readableByType(
    { all: typesWithPermission(db, role), own: typesWithPermission(db, role, "read-channel-owner"), joined },
    userId,
    member,
    perChannel,
  );
}

/** For lists of a user's own rows (drafts, reminders …): their channel `c` is neither deleted nor disabled, and the user may read it. */
export function readableChannel({ db }: Pick<RouteCall, "db">, userId: string): Sql {
  const role = findUser(db, userId)?.role ?? "user";
  return enabledChannel(readableChannels(db, { kind: "user", role }, userId, roleOf(userId)));
}

/** The condition for the caller's view of a user's own rows: a server sees those in every channel that is not deleted. */
export function ownChannel(call: Pick<RouteCall, "db" | "caller">, userId: string): Sql {
  return call.caller.kind === "server" ? NOT_DELETED : readableChannel(call, userId);
}
