/** The fields that users can be filtered and sorted by (specification/users.md §6). */
import type { FieldLookup } from "../../query/filter.ts";
import {
  ONE_OF,
  boolField,
  customField,
  EQUAL,
  listField,
  RANGE,
  textField,
  timeField,
  type FilterField,
} from "../../query/filter-fields.ts";

const FIELDS: Record<string, FilterField> = {
  id: textField("u.id", [...EQUAL, ...RANGE.slice(2), "$autocomplete"]),
  name: textField("u.name", ["$eq", "$in", "$autocomplete", "$q"]),
  role: textField("u.role", ONE_OF),
  banned: boolField("u.banned"),
  teams: listField("u.teams", ["$eq", "$in", "$contains"]),
  created_at: timeField("u.created_at"),
  updated_at: timeField("u.updated_at"),
  last_active: timeField("u.last_active"),
};

const SERVER_FIELDS: Record<string, FilterField> = {
  ...FIELDS,
  shadow_banned: boolField("u.shadow_banned"),
};

/** Built-in keys that cannot be filtered by. */
const NOT_FILTERABLE = new Set(
  `online invisible privacy_settings mutes channel_mutes devices blocked_user_ids shadow_banned ban_expires
   revoke_tokens_issued_before bypass_moderation push_notifications teams_role deleted_at deactivated_at`.split(
    /\s+/,
  ),
);

export const USER_SORTS = new Set(["id", "name", "role", "created_at", "updated_at", "last_active"]);

const fieldOf =
  (fields: Record<string, FilterField>): FieldLookup =>
  (name) => {
    if (Object.hasOwn(fields, name)) return fields[name];
    return NOT_FILTERABLE.has(name) ? undefined : customField("u.data", name);
  };

/** Filter fields of users, over alias `u`; servers have more. */
export const userField: FieldLookup = fieldOf(FIELDS);
export const serverUserField: FieldLookup = fieldOf(SERVER_FIELDS);
