/** Compares two lists element by element, and two objects property by property. */

export function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (const [n, each] of a.entries()) if (!Object.is(each, b[n])) return false;
  return true;
}

/** Whether two objects have the same properties with the same values; an absent one is as one that is undefined. */
export function sameFields<T extends object>(a: T, b: T): boolean {
  for (const key of Object.keys({ ...a, ...b }) as (keyof T)[]) if (!Object.is(a[key], b[key])) return false;
  return true;
}
