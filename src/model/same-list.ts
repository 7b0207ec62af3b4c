/** Compares two lists element by element. */
export const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, n) => each === b[n]);
