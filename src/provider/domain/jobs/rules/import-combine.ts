/** What an import makes of an object that exists already, by the import's mode (specification/admin.md §10). */
import type { ImportItem } from "../../../../wire/entities/import.ts";
import { isDateField } from "../../../../wire/imports/forms.ts";
import { compareTimes } from "../../../../wire/time.ts";
import { canonical } from "../../query/canonical.ts";
import type { Fields } from "../../validation/check.ts";
import { countUnused, type ImportContext } from "./import-context.ts";

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === "" ||
  (typeof value === "object" && value !== null && Object.keys(value).length === 0);

/** The fields that a value was given for; null counts as absent. */
const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));

/** What is counted when the stored object and the item differ, and the stored one stays. */
const UNUSED_AS = { user: "person", channel: "channel", member: "member" } as const;

/**
 * The fields to store. `stored`: the described fields of the existing object in the form of an item, null for a state that
 * it is not in. `complete` adds what is empty there and keeps the rest, `replace` overwrites what the item says and keeps the
 * rest; the protocol's own modes take the item as it is. Undefined when the object stays as it is.
 */
export function combined(
  context: ImportContext,
  type: keyof typeof UNUSED_AS,
  stored: Fields | undefined,
  said: Fields,
): Fields | undefined {
  const { mode } = context;
  if (stored === undefined || mode === "upsert") return said;
  if (mode === "insert") return undefined;
  const isSame = (key: string, one: unknown, other: unknown): boolean =>
    isDateField(type, key) && typeof one === "string" && typeof other === "string"
      ? compareTimes(one, other) === 0
      : canonical(one) === canonical(other);
  const news = Object.entries(given(said)).filter(([key, value]) => !isSame(key, value, stored[key]));
  const taken = news.filter(([key]) => mode === "replace" || isEmpty(stored[key]));
  if (taken.length < news.length)
    countUnused(context, {
      kind: UNUSED_AS[type],
      reason: "exists already with other values, which stay",
    });
  return taken.length === 0 ? undefined : { ...stored, ...Object.fromEntries(taken) };
}

/** The fields of an item that describe its object: without those that identify it or add to a list. */
export function described({ data }: ImportItem, ...left: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !left.includes(key)));
}
