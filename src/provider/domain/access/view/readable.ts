/** Which channels somebody may read, as a condition of a query: the same answer as `can(…, "read-channel")`, for many at once. */
import type { RouteCall, Caller } from "../../../base/handler.ts";
import { readApp } from "../../../store/app-settings.ts";
import type { Database } from "../../../base/database.ts";
import type { ChannelRow, MemberRow } from "../../channels/storage/rows.ts";
import type { Sql } from "../../query/filter-fields.ts";
import { findUser } from "../../users/storage/rows.ts";
import { accessOf } from "../storage/access.ts";
import { can, permissionsOf } from "./policy.ts";
import { teamsOf } from "../storage/teams.ts";
import { JOINED_ROLE, roleOf, usable, oneByOne, byType, LIVING } from "../storage/readable.ts";

/** Channel types whose channels this role reads without being a member or the creator; `anyTeam`: in teams of others, too. */
export function openTypes(
  db: Database,
  role: string,
  permission = "read-channel",
  where: "ownTeam" | "anyTeam" = "ownTeam",
): string[] {
  const access = accessOf(db);
  return [...access.types.keys()].filter((type) =>
    access.grantsOf(type).by.get(role)?.[where].has(permission),
  );
}

const registered = new WeakSet<Database>();

function registerFunctions(db: Database): void {
  if (registered.has(db)) return;
  registered.add(db);
  db.raw.function("may_read_channel", { varargs: true }, (...given) => {
    const [userId, role, cid, type, overrides, team, creator, channelRole] = given as (string | null)[];
    const channel = { cid, type, overrides, team, created_by: creator } as ChannelRow;
    const member = channelRole === null ? null : ({ channel_role: channelRole } as MemberRow);
    const caller = { kind: "user" as const, userId: userId ?? undefined, role: role! };
    return Number(can(permissionsOf(db, caller, channel, member), "read-channel"));
  });
}

/**
 * Holds for channels `c` that the caller may read; undefined when that is every channel. Rows of channels with overrides,
 * and all rows while teams separate people, are decided one by one.
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
  const one = oneByOne(userId, role, member);
  if (teamsOf(db, userId)) return one;
  const joined = [...accessOf(db).channelRoles].flatMap((name) =>
    openTypes(db, name).map((type) => `${type} ${name}`),
  );
  return byType(
    { all: openTypes(db, role), own: openTypes(db, role, "read-channel-owner"), joined },
    userId,
    member,
    one,
  );
}

/** For lists of what is the user's own but lives in channels: channel `c` is there, not disabled, and the user may read it. */
export function readableChannel({ db }: Pick<RouteCall, "db">, userId: string): Sql {
  const role = findUser(db, userId)?.role ?? "user";
  return usable(readableChannels(db, { kind: "user", role }, userId, roleOf(userId)));
}

/** The same as its owner sees it; a server sees what the user has in any channel that is there. */
export function ownChannel(call: Pick<RouteCall, "db" | "caller">, userId: string): Sql {
  return call.caller.kind === "server" ? LIVING : readableChannel(call, userId);
}
