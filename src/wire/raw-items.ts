/** Keeps what an answer held before it was read: the items that could not be used as a whole, as the provider wrote them. */
import { isObject } from "./json-object.ts";

/** List → its items that were left out, or of which something was. */
const unread = new WeakMap<object, readonly unknown[]>();
/** Object of which something was left out → the object as it came. */
const received = new WeakMap<object, object>();

/** The items of a list that could not be read as a whole, as they came. */
export const unreadItems = (list: readonly unknown[]): readonly unknown[] => unread.get(list) ?? [];

/** An object as it came, if something of it was left out. */
export const receivedAs = (entity: object): object | undefined => received.get(entity);

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/**
 * Compares what was read with what came, and remembers the difference; whether there is one. `droppedAt` tells the places of the
 * items that were left out of a list, and whether they are lost.
 */
export function rememberRaw(
  read: unknown,
  raw: unknown,
  droppedAt: (list: readonly unknown[]) => ReadonlyMap<number, boolean>,
): boolean {
  if (typeof raw !== "object" || raw === null) return typeof read === "object";
  if (Array.isArray(raw)) return Array.isArray(read) ? inList(read, raw, droppedAt) : !isEmpty(raw);
  return isObject(read) ? inObject(read, raw, droppedAt) : true;
}

function inList(
  read: readonly unknown[],
  raw: readonly unknown[],
  droppedAt: Parameters<typeof rememberRaw>[2],
): boolean {
  const dropped = droppedAt(read);
  let kept = 0;
  const lost = raw.filter((item, n) => dropped.get(n) ?? rememberRaw(read[kept++], item, droppedAt));
  if (lost.length > 0) unread.set(read, lost);
  return lost.length > 0;
}

function inObject(
  read: Record<string, unknown>,
  raw: object,
  droppedAt: Parameters<typeof rememberRaw>[2],
): boolean {
  let isLost = false;
  for (const [key, value] of Object.entries(raw))
    if (value !== null && (!Object.hasOwn(read, key) || rememberRaw(read[key], value, droppedAt)))
      isLost = true;
  if (isLost) received.set(read, raw);
  return isLost;
}
