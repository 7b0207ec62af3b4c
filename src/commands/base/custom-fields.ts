/** Parses custom fields written as `name=value`. */
import { isExcessive } from "../../wire/bounded-json.ts";
import { CommandError, type ArgRow } from "./define-command.ts";

/** Row for fields as positional arguments. */
export const PAIRS = { kind: "list", value: "name=value", positional: true } as const;

/** `--custom` of commands that create something. */
export const CUSTOM = {
  kind: "list",
  value: "name=value",
  help: "Custom field as name=value (repeatable)",
} as const satisfies ArgRow;

/** `name=value` pairs; a value that is valid JSON is parsed, any other is text. */
export function readPairs(pairs: readonly string[], flag: string): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const pair of pairs) {
    const cut = pair.indexOf("=");
    if (cut < 1) throw new CommandError("usage", `${flag} must be name=value, not '${pair}'.`);
    const text = pair.slice(cut + 1);
    if (isExcessive(text))
      throw new CommandError("usage", `The value of ${pair.slice(0, cut)} is nested too deep.`);
    const looksJson = /^(true|false|null|-?\d+(\.\d+)?|[[{"][\s\S]*)$/.test(text);
    try {
      out[pair.slice(0, cut)] = looksJson ? JSON.parse(text) : text;
    } catch {
      out[pair.slice(0, cut)] = text;
    }
  }
  return out;
}
