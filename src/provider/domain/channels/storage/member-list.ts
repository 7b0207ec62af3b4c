/** The list of members of a channel: filters, sort orders and pages. */
import type { Database } from "../../../base/database.ts";
import {
  boolField,
  customField,
  EQUAL,
  flagField,
  textField,
  timeField,
  type FilterField,
} from "../../query/filter-fields.ts";
import { offsetPage, ownEntry, type Match, type OffsetListDefinition } from "../../query/listing.ts";
import type { MemberRow } from "./rows.ts";
import { inviteField } from "./invite-field.ts";

const fields = ownEntry<FilterField>({
  id: textField("m.user_id"),
  user_id: textField("m.user_id"),
  cid: textField("m.cid", ["$eq"]),
  name: textField("u.name", [...EQUAL, "$autocomplete", "$q"]),
  channel_role: textField("m.channel_role"),
  banned: boolField("m.banned"),
  joined: flagField({ text: "m.invited = 0 OR m.invite_accepted_at IS NOT NULL", values: [] }),
  invite: inviteField("m"),
  created_at: timeField("m.created_at"),
  updated_at: timeField("m.updated_at"),
  last_active: timeField("u.last_active"),
});

export const MEMBER_LIST: OffsetListDefinition<MemberRow> = {
  columns: "m.*",
  from: "members m JOIN users u ON u.id = m.user_id",
  counted: "m.created_at",
  fields: (name) =>
    fields(name) ??
    (name.startsWith("user.") ? customField("u.data", name.slice(5)) : customField("m.data", name)),
  sorts: ownEntry({
    created_at: "m.created_at",
    updated_at: "m.updated_at",
    user_id: "m.user_id",
    name: "u.name",
    last_active: "u.last_active",
    channel_role: "m.channel_role",
  }),
  fallback: "m.created_at ASC",
  tie: "m.user_id",
  custom: "m.data",
};

const CURSORS = {
  user_id_lt: "m.user_id <",
  user_id_lte: "m.user_id <=",
  user_id_gt: "m.user_id >",
  user_id_gte: "m.user_id >=",
  created_at_before: "m.created_at <",
  created_at_before_or_equal: "m.created_at <=",
  created_at_after: "m.created_at >",
  created_at_after_or_equal: "m.created_at >=",
} as const;

/** `beyond`: the cursor values of the request by key; the page lies beyond them. */
export function membersPage(
  db: Database,
  cid: string,
  beyond: { [K in keyof typeof CURSORS]?: string | number | undefined },
  page: Match & { limit: number; offset: number },
): MemberRow[] {
  const cursors = Object.entries(CURSORS).flatMap(([key, test]) => {
    const value = beyond[key as keyof typeof CURSORS];
    return value === undefined ? [] : [{ text: `${test} ?`, values: [value] }];
  });
  return offsetPage(db, MEMBER_LIST, page, { text: "m.cid = ?", values: [cid] }, ...cursors);
}
