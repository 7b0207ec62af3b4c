/** A difference between an app file and the app, and when two values count as equal. */
import { isDeepStrictEqual } from "node:util";
import { blanked, isSecretKey } from "../../../wire/secret-keys.ts";
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
  /** What of it, where a part changes. */
  field?: string;
  now: unknown;
  wanted: unknown;
  /** What it does to people: something is gone afterwards, or somebody may do more or less. */
  damage?: "removes" | "rights";
}

export interface CompareOptions {
  /** What the file does not name in a section that it has is removed. */
  prune?: boolean;
  /** Secrets of the file are sent although the app has some: nobody can compare them. */
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

/** Is the app as the file says: lists of names have no order, what was never set is as good as empty, a blank secret is any. */
function same(wanted: unknown, now: unknown, options: CompareOptions, key = ""): boolean {
  if (isUnset(wanted) && isUnset(now)) return true;
  if (isSecretKey(key) && typeof wanted === "string" && typeof now === "string")
    return wanted === "" || (now === "" && options.secrets !== true) || wanted === now;
  if (isTexts(wanted) && isTexts(now))
    return isDeepStrictEqual([...new Set(wanted)].toSorted(), [...new Set(now)].toSorted());
  if (Array.isArray(wanted) && Array.isArray(now))
    return wanted.length === now.length && wanted.every((one, i) => same(one, now[i], options));
  if (isObject(wanted) && isObject(now)) {
    const keys = new Set([...Object.keys(wanted), ...Object.keys(now)]);
    return [...keys].every((one) => OF_THE_PROVIDER.has(one) || same(wanted[one], now[one], options, one));
  }
  return isDeepStrictEqual(wanted, now);
}

/** In the parts of a setting: nobody wrote them. */
const OF_THE_PROVIDER = new Set(["id", "created_at", "updated_at"]);

/** The named parts of one thing that are not as the file says. */
export function changedParts(
  about: Pick<Change, "kind" | "name">,
  wanted: Fields,
  now: Fields,
  options: CompareOptions,
  rights: (field: string) => boolean = () => false,
): Change[] {
  return Object.entries(wanted).flatMap(([field, value]) =>
    same(value, now[field], options, field)
      ? []
      : [
          {
            action: "change" as const,
            ...about,
            field,
            now: blanked({ [field]: now[field] })[field] ?? null,
            wanted: blanked({ [field]: value })[field],
            ...(rights(field) ? { damage: "rights" as const } : {}),
          },
        ],
  );
}

/** One that is there only afterwards. */
export const made = (name: string, kind: ChangeKind, wanted: unknown, rights?: true): Change => ({
  action: "create",
  kind,
  name,
  now: null,
  wanted: blanked(wanted),
  ...(rights ? { damage: "rights" as const } : {}),
});
