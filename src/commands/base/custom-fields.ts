/** Parses custom fields written as `name=value`. */
import { typedValue, UnusableValue } from "../../wire/given-json.ts";
import { POISONED_KEYS } from "../../wire/ids.ts";
import { CommandError, type ArgRow } from "./define-command.ts";

/** Row for fields as positional arguments. */
export const PAIRS = { kind: "list", value: "name=value", positional: true } as const;

/** `--custom` of commands that create something. */
export const CUSTOM = {
  kind: "list",
  value: "name=value",
  help: "Custom field as name=value (repeatable)",
} as const satisfies ArgRow;

/** A value by the rule of `typedValue`, under a name that may be a path. Throws `CommandError` of `kind` for one that cannot be kept as it is. */
export function readField(name: string, text: string, kind: "usage" | "rejected" = "usage"): unknown {
  if (name.split(".").some((part) => POISONED_KEYS.has(part)))
    throw new CommandError(kind, `A field cannot be called ${name}.`, "Give it another name.");
  try {
    return typedValue(text);
  } catch (error) {
    if (!(error instanceof UnusableValue)) throw error;
    throw new CommandError(kind, `The value of ${name} ${error.message}.`);
  }
}

/** The text of a JSON string, with which `note="12"` says that it is no number; undefined for anything else. */
function quotedText(text: string): string | undefined {
  if (!/^"[\s\S]*"$/.test(text)) return undefined;
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

/**
 * `name=value` pairs, each value a JSON string or read by `readField`; `texts`: fields that stay text even if they look like
 * numbers, and that null clears. Throws `CommandError` (usage).
 */
export function readPairs(
  pairs: readonly string[],
  flag: string,
  texts: readonly string[] = [],
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const pair of pairs) {
    const cut = pair.indexOf("=");
    if (cut < 1) throw new CommandError("usage", `${flag} must be name=value, not '${pair}'.`);
    const name = pair.slice(0, cut);
    const text = pair.slice(cut + 1);
    const value = texts.includes(name) && text !== "null" ? text : readField(name, text);
    out[name] = value === text ? (quotedText(text) ?? text) : value;
  }
  return out;
}
