/** Writes JSON without lone surrogates (half a pair of UTF-16), which other programs cannot read. */

/** How JSON writes either half; two together are a pair, and then nothing is to be mended. */
const MAYBE_HALF = /\\ud[89a-f]/i;

/** The same JSON as `JSON.stringify`, every half of a pair replaced by U+FFFD, in keys and values. */
export function wellFormedJson(value: unknown): string {
  const text = JSON.stringify(value);
  return MAYBE_HALF.test(text) ? JSON.stringify(mended(value)) : text;
}

function mended(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  const { toJSON } = value as { toJSON?: () => unknown };
  if (typeof toJSON === "function") return mended(toJSON.call(value));
  if (Array.isArray(value)) return value.map(mended);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toWellFormed(), mended(one)]));
}
