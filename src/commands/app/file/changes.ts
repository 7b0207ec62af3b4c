/** Differences between an app file and the app. */
import { isDeepStrictEqual } from "node:util";
import { blankSecrets, isSecretKey } from "../../../wire/secret-keys.ts";
import { isObject, type Fields } from "../../../wire/json-object.ts";

export type ChangeKind =
  | "setting"
  | "role"
  | "permission"
  | "command"
  | "blocklist"
  | "channel type"
  | "grants"
  | "push service";

/** One difference; secrets in `now` and `wanted` are blank. */
export interface Change {
  action: "create" | "change" | "remove";
  kind: ChangeKind;
  name: string;
  /** The changed field, when only a part changes. */
  field?: string;
  now: unknown;
  wanted: unknown;
  /** Why it needs confirmation: it removes something, or it changes what people may do. */
  damage?: "removes" | "rights";
}

export interface CompareOptions {
  /** Remove entries that are missing from the sections of the file. */
  prune?: boolean;
  /** Send the file's secrets although the app has some already; they cannot be compared. */
  secrets?: boolean;
}

const isUnset = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** Whether two values count as equal: lists of names are unordered, unset equals empty, a blank secret equals any. */
function isEqual(wanted: unknown, now: unknown, options: CompareOptions, key = ""): boolean {
  if (isUnset(wanted) && isUnset(now)) return true;
  if (isSecretKey(key) && typeof wanted === "string" && typeof now === "string")
    return wanted === "" || (now === "" && options.secrets !== true) || wanted === now;
  if (isTexts(wanted) && isTexts(now))
    return isDeepStrictEqual([...new Set(wanted)].toSorted(), [...new Set(now)].toSorted());
  if (Array.isArray(wanted) && Array.isArray(now))
    return wanted.length === now.length && wanted.every((one, i) => isEqual(one, now[i], options));
  if (isObject(wanted) && isObject(now)) {
    const keys = new Set([...Object.keys(wanted), ...Object.keys(now)]);
    return [...keys].every((one) => PROVIDER_FIELDS.has(one) || isEqual(wanted[one], now[one], options, one));
  }
  return isDeepStrictEqual(wanted, now);
}

/** Fields set by the provider, ignored in comparisons. */
const PROVIDER_FIELDS = new Set(["id", "created_at", "updated_at"]);

/** The fields of one entry that differ from the file. */
export function changedParts(
  subject: Pick<Change, "kind" | "name">,
  wanted: Fields,
  now: Fields,
  options: CompareOptions,
  changesRights: (field: string) => boolean = () => false,
): Change[] {
  return Object.entries(wanted).flatMap(([field, value]) =>
    isEqual(value, now[field], options, field)
      ? []
      : [
          {
            action: "change" as const,
            ...subject,
            field,
            now: blankSecrets({ [field]: now[field] })[field] ?? null,
            wanted: blankSecrets({ [field]: value })[field],
            ...(changesRights(field) ? { damage: "rights" as const } : {}),
          },
        ],
  );
}

/** A change that creates an entry. */
export const creation = (name: string, kind: ChangeKind, wanted: unknown, rights?: true): Change => ({
  action: "create",
  kind,
  name,
  now: null,
  wanted: blankSecrets(wanted),
  ...(rights ? { damage: "rights" as const } : {}),
});
