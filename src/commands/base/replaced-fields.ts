/** What is lost when a command replaces an object: the rule of every command that overwrites one whole. */

/** A value that is no loss. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

interface Replaced {
  /** Fields that would have no value any more. */
  gone: string[];
  /** Fields that would have another value. */
  changed: string[];
}

/** Compares an object with what would replace it. `kept`: fields that stay when they are not given. */
export function replacedFields(
  before: object,
  after: Record<string, unknown>,
  kept: ReadonlySet<string> = new Set(),
): Replaced {
  const lost = Object.entries(before)
    .filter(([name, value]) => !isEmpty(value) && !isSame(value, after[name]))
    .filter(([name]) => !(kept.has(name) && after[name] === undefined))
    .map(([name]) => name);
  return {
    gone: lost.filter((name) => isEmpty(after[name])),
    changed: lost.filter((name) => !isEmpty(after[name])),
  };
}
