/** SQL conditions on channels `c`: which of them may be read. */
import type { Sql } from "../../query/filter-fields.ts";

/** The caller's role in `c`; the query joins the caller's member row as `me`. */
export const JOINED_ROLE: Sql = { text: "me.channel_role", values: [] };

/** The user's role in `c`. */
export const roleOf = (userId: string): Sql => ({
  text: "(SELECT x.channel_role FROM members x WHERE x.cid = c.cid AND x.user_id = ?)",
  values: [userId],
});

export const NOT_DELETED: Sql = { text: "c.deleted_at IS NULL", values: [] };

/** `c` is neither deleted nor disabled, and meets `readable` (undefined: any channel does). */
export const enabledChannel = (readable: Sql | undefined): Sql => ({
  text: `${NOT_DELETED.text} AND c.disabled = 0${readable ? ` AND ${readable.text}` : ""}`,
  values: readable?.values ?? [],
});

/** Decides for each channel separately, by the SQL function `may_read_channel`. */
export const readableByFunction = (userId: string | undefined, role: string, member: Sql): Sql => ({
  text: `may_read_channel(?, ?, c.cid, c.type, c.overrides, c.team, c.created_by, ${member.text})`,
  values: [userId ?? null, role, ...member.values],
});

/**
 * Decides by channel type: `all` are readable for the caller's role, `own` for the creator of the channel, `joined` lists
 * `<type> <channel role>` pairs that are readable for members. Channels with overrides are decided by `overridden`.
 */
export const readableByType = (
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
