/** What may be written about a user: reading it from a request, merging and replacing (users.md §4). */
import { customOf } from "../../../wire/custom.ts";
import { CUSTOM_DATA_LIMIT } from "../../../wire/constants.ts";
import type { Database } from "../../store/database.ts";
import { checkCustom, isObject, type Check, type Fields } from "../asked/check.ts";
import type { UserRow } from "./view.ts";

/** Written fields: `undefined` = not named. `data` holds image, language, status and the custom fields. */
export interface UserFields {
  name?: string | null;
  invisible?: boolean;
  privacy?: Fields;
  data: Fields;
}

export interface Changed {
  /** A field that others see. */
  visible: boolean;
  /** `status` or `invisible`. */
  presence: boolean;
}

const PRIVACY = ["typing_indicators", "read_receipts", "delivery_receipts"];
const TEXTS = ["image", "language", "status"] as const;

/** Server-managed keys are ignored without error; null clears a field. */
export function readUserFields(check: Check, source: Fields): UserFields {
  const fields: UserFields = { data: {} };
  if (source.name === null) fields.name = null;
  else if (source.name !== undefined) fields.name = check.text("name", 255);
  for (const key of TEXTS)
    if (source[key] !== undefined) fields.data[key] = source[key] === null ? null : check.text(key, 2048);
  if (source.invisible !== undefined) fields.invisible = check.flag("invisible");
  if (source.privacy_settings !== undefined) fields.privacy = readPrivacy(check);
  const custom = customOf("user", source);
  checkCustom(check, custom, CUSTOM_DATA_LIMIT);
  Object.assign(fields.data, custom);
  return fields;
}

function readPrivacy(check: Check): Fields {
  const given = check.object("privacy_settings") ?? {};
  const kept: Fields = {};
  for (const key of PRIVACY) {
    const part = given[key] ?? undefined;
    if (part === undefined) continue;
    if (isObject(part) && typeof part.enabled === "boolean") kept[key] = { enabled: part.enabled };
    else check.fail(`privacy_settings.${key}`, "must be an object with enabled true or false");
  }
  return kept;
}

const INSERT = `INSERT INTO users (id, name, role, teams, created_at, updated_at, invisible, privacy, data)
  VALUES (?, ?, 'user', '[]', ?, ?, ?, ?, ?)`;

/** Merges into the stored user, or makes it. What changed, or undefined when nothing did. */
export function mergeUser(
  db: Database,
  id: string,
  before: UserRow | undefined,
  fields: UserFields,
  now: number,
): Changed | undefined {
  const data = before ? (JSON.parse(before.data) as Fields) : {};
  for (const [key, value] of Object.entries(fields.data))
    if (value === null) delete data[key];
    else data[key] = value;
  const privacy = { ...(before ? (JSON.parse(before.privacy) as Fields) : {}), ...fields.privacy };
  return writeUser(db, id, before, { ...fields, data, privacy }, now);
}

/** Stores the user with exactly this `data`; name, invisible and privacy stay when not named. */
export function writeUser(
  db: Database,
  id: string,
  before: UserRow | undefined,
  fields: UserFields,
  now: number,
): Changed | undefined {
  const data = JSON.stringify(fields.data);
  const privacy = JSON.stringify(fields.privacy ?? (before ? JSON.parse(before.privacy) : {}));
  const name = fields.name === undefined ? (before?.name ?? null) : fields.name;
  const invisible = Number(fields.invisible ?? before?.invisible === 1);
  if (!before) {
    db.run(INSERT, id, name, now, now, invisible, privacy, data);
    return { visible: true, presence: false };
  }
  const visible = name !== before.name || !sameJson(data, before.data);
  const hidden = privacy !== before.privacy || invisible !== before.invisible;
  if (!visible && !hidden) return undefined;
  db.run(
    "UPDATE users SET name = ?, invisible = ?, privacy = ?, data = ?, updated_at = ? WHERE id = ?",
    name,
    invisible,
    privacy,
    data,
    now,
    id,
  );
  const status = (JSON.parse(before.data) as Fields).status !== fields.data.status;
  return { visible, presence: status || invisible !== before.invisible };
}

/** Equal whatever the order of keys. */
function sameJson(a: string, b: string): boolean {
  return a === b || canonical(JSON.parse(a)) === canonical(JSON.parse(b));
}

/** JSON with sorted keys: equal values have equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
