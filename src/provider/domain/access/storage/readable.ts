/** Which channels may be read, as pieces of a query over channels `c`. */
import type { Sql } from "../../query/filter-fields.ts";

/** The role of the caller in `c`, where the query has joined its member row as `me`. */
export const JOINED_ROLE: Sql = { text: "me.channel_role", values: [] };

/** The role of a user in `c`. */
export const roleOf = (userId: string): Sql => ({
  text: "(SELECT x.channel_role FROM members x WHERE x.cid = c.cid AND x.user_id = ?)",
  values: [userId],
});

/** `c` is there. */
export const LIVING: Sql = { text: "c.deleted_at IS NULL", values: [] };

/** `c` is there, is not disabled, and `readable` holds where it is given. */
export const usable = (readable: Sql | undefined): Sql => ({
  text: `${LIVING.text} AND c.disabled = 0${readable ? ` AND ${readable.text}` : ""}`,
  values: readable?.values ?? [],
});

/** Decides for one channel after the other, by the SQL function of this name. */
export const oneByOne = (userId: string | undefined, role: string, member: Sql): Sql => ({
  text: `may_read_channel(?, ?, c.cid, c.type, c.overrides, c.team, c.created_by, ${member.text})`,
  values: [userId ?? null, role, ...member.values],
});

/** Decides by type: `all` are read by everybody of the role, `own` by who made the channel, `joined` holds `<type> <channel role>`. */
export const byType = (
  types: { all: string[]; own: string[]; joined: string[] },
  userId: string | undefined,
  member: Sql,
  overridden: Sql,
): Sql => ({
  text: `CASE WHEN c.overrides IS NULL THEN (
      c.type IN (SELECT value FROM json_each(?))
      OR (c.created_by = ? AND c.type IN (SELECT value FROM json_each(?)))
      OR coalesce(c.type || ' ' || ${member.text} IN (SELECT value FROM json_each(?)), 0)
    ) ELSE ${overridden.text} END`,
  values: [
    JSON.stringify(types.all),
    userId ?? "",
    JSON.stringify(types.own),
    ...member.values,
    JSON.stringify(types.joined),
    ...overridden.values,
  ],
});
