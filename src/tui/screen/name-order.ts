/** Orders names as people expect: `Nr 2` before `Nr 10`, and accents and case do not separate. */

/** Built on first use: creating a collator is slow, and a start compares no names. */
let collator: Intl.Collator | undefined;

export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  return collator.compare(a, b);
}
