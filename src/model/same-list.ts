/** Compares two lists element by element, and two objects property by property. */
export const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, n) => each === b[n]);

/** Whether two objects have the same properties with the same values; an absent one is as one that is undefined. */
export const sameFields = <T extends object>(a: T, b: T): boolean =>
  [a, b].every((one) => (Object.keys(one) as (keyof T)[]).every((key) => a[key] === b[key]));
