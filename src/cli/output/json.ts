/** JSON output: selected fields, with control characters escaped. */
import { valueAt } from "../../commands/base/define-command.ts";

/** C1 controls, bidi marks and other invisible characters, printed as JSON escapes on a terminal. */
const INVISIBLE =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udfff](?![\udc00-\udfff])/gu;

/** Control characters that JSON does not escape. */
const CONTROLS = /[\u007f-\u009f]/g;

const escaped = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The same JSON without control characters that a terminal would obey. */
export const escapeControls = (json: string): string => json.replace(CONTROLS, escaped);

/** Always lossless; `raw` leaves control characters unescaped in a pipe. */
export function jsonText(value: unknown, terminal: boolean, raw = false): string {
  const text = JSON.stringify(value, undefined, terminal ? 2 : undefined) ?? "null";
  if (raw && !terminal) return text;
  return terminal ? text.replace(INVISIBLE, escaped) : escapeControls(text);
}

/** Splits `a,b.c` into names. */
export const fieldNames = (fields: string | undefined): string[] =>
  (fields ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);

/** Reduces an object to the fields `a,b.c`; a missing one is null, so that the shape never changes. */
export function pick(value: unknown, fields: string | undefined): unknown {
  const names = fieldNames(fields);
  if (names.length === 0) return value;
  return Object.fromEntries(names.map((name) => [name, valueAt(value, name) ?? null]));
}
