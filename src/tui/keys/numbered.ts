/** Builds one entry for each digit from 1 to 9, for pinned channels and poll options. */

const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
type Digit = (typeof DIGITS)[number];

/** The keys are `vote1` to `vote9` for the name `vote`. */
export const numbered = <Name extends string, T>(
  name: Name,
  make: (n: Digit) => T,
): Readonly<Record<`${Name}${Digit}`, T>> =>
  Object.fromEntries(DIGITS.map((n) => [`${name}${n}`, make(n)])) as Record<`${Name}${Digit}`, T>;
