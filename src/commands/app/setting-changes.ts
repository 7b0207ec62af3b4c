/** Reads settings from `name=value` pairs and JSON files; a dotted name changes one part of the current value. */
import { type FileReading, CommandError } from "../base/define-command.ts";
import { parsed, readTextFile } from "../base/json.ts";
import { readPairs } from "../base/custom-fields.ts";
import { isObject } from "../../wire/json-object.ts";

type Settings = Record<string, unknown>;

/** The JSON object in a file. Throws `CommandError` (rejected). */
export async function readObject(call: FileReading, file: string): Promise<Settings> {
  const text = await readTextFile(call, file);
  const value = parsed(text, (why) => new CommandError("rejected", `${file} ${why}.`));
  if (value === undefined) throw new CommandError("rejected", `${file} is not valid JSON.`);
  if (!isObject(value)) throw new CommandError("rejected", `${file} does not contain a JSON object.`);
  return value;
}

/** Sets `a.b=value` in a copy of the current `a`; a name without a dot replaces the value. */
export function setValue(target: Settings, now: Settings, path: string, value: unknown): void {
  const steps = path.split(".");
  const [first] = steps as [string, ...string[]];
  if (steps.length === 1) {
    target[first] = value;
    return;
  }
  let at = (target[first] = structuredClone(target[first] ?? now[first] ?? {}));
  for (const step of steps.slice(1, -1)) {
    if (!isObject(at)) break;
    at = at[step] = isObject(at[step]) ? at[step] : {};
  }
  if (!isObject(at)) throw new CommandError("usage", `${first} has no parts.`);
  at[steps.at(-1)!] = value;
}

interface SettingSources {
  fields: readonly string[];
  file: string | undefined;
  reset: readonly string[];
  /** As for `readPairs`. */
  texts?: readonly string[];
}

/** The changes: the file, overridden by the pairs, then resets as null. `now` is called only for dotted names. Throws `CommandError` (usage) when empty. */
export async function readSettingChanges(
  call: FileReading,
  { fields, file, reset, texts }: SettingSources,
  now: () => Promise<Settings>,
  check: (file: Settings) => void = () => {},
): Promise<Settings> {
  const settings = file === undefined ? {} : await readObject(call, file);
  check(settings);
  const pairs = readPairs(fields, "a setting", texts);
  const current = Object.keys(pairs).some((name) => name.includes(".")) ? await now() : {};
  for (const [name, value] of Object.entries(pairs)) setValue(settings, current, name, value);
  for (const name of reset) settings[name] = null;
  if (Object.keys(settings).length === 0)
    throw new CommandError("usage", "Nothing to change.", "Give name=value, --file, or --reset name.");
  return settings;
}

export const brief = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

export const briefFields = (object: object): Record<string, string> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, brief(value)]));
