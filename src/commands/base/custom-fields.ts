/** Fields as people write them: `name=value`. */
import { isExcessive } from "../../wire/bounded-json.ts";
import { CommandError, type ArgRow } from "./define-command.ts";

/** Of a command that is given fields and their values by their place. */
export const PAIRS = { kind: "list", value: "name=value", place: "positional" } as const;

/** `--custom` of every command that makes something. */
export const CUSTOM = {
  kind: "list",
  value: "name=value",
  help: "Custom field as name=value (repeatable)",
} as const satisfies ArgRow;

/** `k=v` pairs; a value that is JSON is taken as JSON, anything else as text. */
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
