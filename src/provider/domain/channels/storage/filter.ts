/** Filters and sort orders of channel lists, as SQL over channel `c`, the user's member row `me` and read row `r` (specification/channels.md §3). */
import { BLOCKED } from "../../users/storage/blocks-in-pairs.ts";
import type { FieldLookup } from "../../query/filter.ts";
import { isEmptyObject } from "../../../../wire/absent.ts";
import { ownEntry } from "../../query/listing.ts";
import {
  boolField,
  customField,
  EQUAL,
  EVERY_ROW,
  flagField,
  listField,
  numberField,
  RANGE,
  sql,
  textField,
  timeField,
  type FilterField,
} from "../../query/filter-fields.ts";
import { inviteField } from "./invite-field.ts";

const placeholders = (list: unknown[]): string => list.map(() => "?").join(", ");

/** `inMany`: whether these users have so many channels that walking all channels in the sort order is faster than starting from theirs. */
const membersField = (inMany: (ids: readonly string[]) => boolean): FilterField => ({
  ops: ["$in", "$eq"],
  compile(op, arg) {
    const ids = Array.isArray(arg) ? arg : [arg];
    if (!ids.every((id) => typeof id === "string") || ids.length > 100)
      return `${op} takes a list of user ids`;
    const list = [...new Set(ids as string[])];
    if (op === "$in")
      return inMany(list)
        ? sql(
            `EXISTS (SELECT 1 FROM members x WHERE x.cid = c.cid AND x.user_id IN (${placeholders(list)}))`,
            ...list,
          )
        : sql(`c.cid IN (SELECT cid FROM members WHERE user_id IN (${placeholders(list)}))`, ...list);
    // Exactly these members: as many as there are ids, and all of them among the ids.
    return sql(
      `(SELECT count(*) FROM members x WHERE x.cid = c.cid) = ? AND
       (SELECT count(*) FROM members x WHERE x.cid = c.cid AND x.user_id IN (${placeholders(list)})) = ?`,
      list.length,
      ...list,
      list.length,
    );
  },
});

const memberName: FilterField = {
  ops: ["$autocomplete", "$eq"],
  unindexed: true,
  compile(op, arg) {
    if (typeof arg !== "string") return `${op} takes a text`;
    const test = op === "$eq" ? "u.name = ?" : "starts_word(u.name, ?)";
    return sql(
      `EXISTS (SELECT 1 FROM members x JOIN users u ON u.id = x.user_id WHERE x.cid = c.cid AND ${test})`,
      arg,
    );
  },
};

const appBanned: FilterField = {
  ops: ["$eq"],
  compile(_op, arg) {
    const banned =
      sql(`c.member_count = 2 AND EXISTS (SELECT 1 FROM members x JOIN users u ON u.id = x.user_id
      WHERE x.cid = c.cid AND u.banned = 1 AND (me.user_id IS NULL OR x.user_id <> me.user_id))`);
    if (arg === "only") return banned;
    return arg === "excluded" ? sql(`NOT (${banned.text})`) : "$eq takes excluded or only";
  },
};

/** `{}` is every team; `requireOwnTeams` says whose channels of other teams a caller gets. */
const teamField: FilterField = {
  ...textField("c.team"),
  compile: (op, arg) =>
    op === "$eq" && isEmptyObject(arg) ? EVERY_ROW : textField("c.team").compile(op, arg),
};

/** Fields that need a user. `muted` is none of them: without a user no channel is. */
export const PERSONAL_FIELDS = ["joined", "invite", "hidden", "pinned", "archived", "has_unread"];

/** `userId` and `now` decide the personal fields. */
export function channelFields(
  userId: string | undefined,
  now: number,
  inMany: (ids: readonly string[]) => boolean = () => false,
): FieldLookup {
  const muted = sql(
    `EXISTS (SELECT 1 FROM channel_mutes x WHERE x.cid = c.cid AND x.user_id = ? AND (x.expires IS NULL OR x.expires > ?))`,
    userId ?? "",
    now,
  );
  const fields: Record<string, FilterField> = {
    cid: textField("c.cid", [...EQUAL, ...RANGE.slice(2)]),
    type: textField("c.type"),
    id: textField("c.id"),
    members: membersField(inMany),
    "member.user.name": memberName,
    created_by_id: textField("c.created_by"),
    team: teamField,
    frozen: boolField("c.frozen"),
    disabled: boolField("c.disabled"),
    joined: flagField(sql("me.user_id IS NOT NULL")),
    invite: inviteField("me"),
    hidden: flagField(sql(`(me.hidden_at IS NOT NULL OR ${BLOCKED})`)),
    muted: flagField(muted),
    pinned: flagField(sql("me.pinned_at IS NOT NULL")),
    archived: flagField(sql("me.archived_at IS NOT NULL")),
    has_unread: flagField(sql("r.unread > 0"), true),
    member_count: numberField("c.member_count"),
    last_message_at: timeField("c.last_message_at"),
    created_at: timeField("c.created_at"),
    updated_at: timeField("c.updated_at"),
    last_updated: timeField("c.last_updated"),
    app_banned: appBanned,
    filter_tags: listField("c.filter_tags", [...EQUAL, "$contains"]),
  };
  return (name) => {
    if (Object.hasOwn(fields, name)) return fields[name];
    return customField("c.data", name.startsWith("custom.") ? name.slice("custom.".length) : name);
  };
}

const SORTS = {
  last_updated: "c.last_updated",
  last_message_at: "c.last_message_at",
  updated_at: "c.updated_at",
  created_at: "c.created_at",
  member_count: "c.member_count",
  unread_count: "coalesce(r.unread, 0)",
  has_unread: "coalesce(r.unread, 0) > 0",
  pinned_at: "me.pinned_at",
  type: "c.type",
  cid: "c.cid",
};
export const channelSort = ownEntry(SORTS);
