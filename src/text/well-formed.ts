/** Writes JSON without lone surrogates, which other programs cannot read. */

/** An escaped surrogate in JSON text; only lone ones are escaped. */
const MAYBE_SURROGATE = /\\ud[89a-f]/i;

/** Like `JSON.stringify`, with lone surrogates in keys and values replaced by U+FFFD. */
export function wellFormedJson(value: unknown): string {
  const text = JSON.stringify(value);
  return MAYBE_SURROGATE.test(text) ? JSON.stringify(replaceSurrogates(value)) : text;
}

function replaceSurrogates(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  const { toJSON } = value as { toJSON?: () => unknown };
  if (typeof toJSON === "function") return replaceSurrogates(toJSON.call(value));
  if (Array.isArray(value)) return value.map(replaceSurrogates);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), replaceSurrogates(item)]),
  );
}
