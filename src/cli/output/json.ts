/** JSON output: selected fields, with control characters escaped. */
import { dig } from "../../commands/base/define-command.ts";

/** C1 controls, bidi marks and other invisible signs stay JSON, but as escapes: lossless and harmless. */
const UNSEEN =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udfff](?![\udc00-\udfff])/gu;

/** What JSON leaves as it is and a terminal obeys. */
const STEERING = /[\u007f-\u009f]/g;

const escaped = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Lossless in every case; `raw` = not even what steers a terminal is escaped, for a pipe that wants it so. */
export function jsonText(value: unknown, terminal: boolean, raw = false): string {
  const text = JSON.stringify(value, undefined, terminal ? 2 : undefined) ?? "null";
  if (raw && !terminal) return text;
  return text.replace(terminal ? UNSEEN : STEERING, escaped);
}

/** `a,b.c` as names. */
export const fieldNames = (fields: string | undefined): string[] =>
  (fields ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);

/** `a,b.c` → an object with these keys only; a missing one is null, so that the shape never changes. */
export function pick(value: unknown, fields: string | undefined): unknown {
  const names = fieldNames(fields);
  if (names.length === 0) return value;
  return Object.fromEntries(names.map((name) => [name, dig(value, name) ?? null]));
}
