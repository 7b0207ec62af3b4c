/** Which channels somebody may read, as a condition of a query: the same answer as `can(…, "read-channel")`, for many at once. */
import type { RouteCall, Caller } from "../../../base/handler.ts";
import { readApp } from "../../../store/app-settings.ts";
import type { Database } from "../../../store/database.ts";
import type { ChannelRow, MemberRow } from "../../channels/storage/rows.ts";
import type { Sql } from "../../query/filter-fields.ts";
import { findUser } from "../../users/storage/rows.ts";
import { accessOf } from "../storage/access.ts";
import { can, permissionsOf } from "./policy.ts";
import { teamsOf } from "../storage/teams.ts";

/** Channel types whose channels this role reads without being a member or the creator; `away`: in any team. */
export function openTypes(
  db: Database,
  role: string,
  permission = "read-channel",
  where: "here" | "away" = "here",
): string[] {
  const access = accessOf(db);
  return [...access.types.keys()].filter((type) =>
    access.grantsOf(type).by.get(role)?.[where].has(permission),
  );
}

const taught = new WeakSet<Database>();

function teach(db: Database): void {
  if (taught.has(db)) return;
  taught.add(db);
  db.raw.function("may_read_channel", { varargs: true }, (...given) => {
    const [userId, role, cid, type, overrides, team, creator, channelRole] = given as (string | null)[];
    const channel = { cid, type, overrides, team, created_by: creator } as ChannelRow;
    const member = channelRole === null ? null : ({ channel_role: channelRole } as MemberRow);
    const caller = { kind: "user" as const, userId: userId ?? undefined, role: role! };
    return Number(can(permissionsOf(db, caller, channel, member), "read-channel"));
  });
}

/** The caller's role in channel `c`, where the query has joined its member row as `me`. */
const JOINED: Sql = { text: "me.channel_role", values: [] };

/**
 * Holds for channels `c` that the caller may read; undefined when that is every channel. Rows of channels with overrides,
 * and all rows while teams separate people, are decided one by one.
 */
export function readable(
  db: Database,
  caller: Pick<Caller, "kind" | "role">,
  userId: string | undefined,
  member: Sql = JOINED,
): Sql | undefined {
  if (caller.kind === "server" || readApp(db).disable_permissions_checks) return undefined;
  teach(db);
  const { role } = caller;
  const one: Sql = {
    text: `may_read_channel(?, ?, c.cid, c.type, c.overrides, c.team, c.created_by, ${member.text})`,
    values: [userId ?? null, role, ...member.values],
  };
  if (teamsOf(db, userId)) return one;
  const asMember = [...accessOf(db).channelRoles].flatMap((name) =>
    openTypes(db, name).map((type) => `${type} ${name}`),
  );
  return {
    text: `CASE WHEN c.overrides IS NULL THEN (
      c.type IN (SELECT value FROM json_each(?))
      OR (c.created_by = ? AND c.type IN (SELECT value FROM json_each(?)))
      OR coalesce(c.type || ' ' || ${member.text} IN (SELECT value FROM json_each(?)), 0)
    ) ELSE ${one.text} END`,
    values: [
      JSON.stringify(openTypes(db, role)),
      userId ?? "",
      JSON.stringify(openTypes(db, role, "read-channel-owner")),
      ...member.values,
      JSON.stringify(asMember),
      ...one.values,
    ],
  };
}

/** For lists of what is the user's own but lives in channels: channel `c` is there, not disabled, and the user may read it. */
export function readableChannel({ db }: Pick<RouteCall, "db">, userId: string): Sql {
  const role = findUser(db, userId)?.role ?? "user";
  const mine = readable(db, { kind: "user", role }, userId, {
    text: "(SELECT x.channel_role FROM members x WHERE x.cid = c.cid AND x.user_id = ?)",
    values: [userId],
  });
  return {
    text: `c.deleted_at IS NULL AND c.disabled = 0${mine ? ` AND ${mine.text}` : ""}`,
    values: mine?.values ?? [],
  };
}
