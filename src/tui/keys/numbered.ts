/** What there are nine of, one for each digit: pinned channels, and options of a poll. */

const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
type Digit = (typeof DIGITS)[number];

/** `vote1` to `vote9`, each as it is made of its number. */
export const numbered = <Name extends string, T>(
  name: Name,
  make: (n: Digit) => T,
): Readonly<Record<`${Name}${Digit}`, T>> =>
  Object.fromEntries(DIGITS.map((n) => [`${name}${n}`, make(n)])) as Record<`${Name}${Digit}`, T>;
