/** Reads the configuration of channel types and channels, with the checks that need the database (specification/admin.md §2). */
import { config } from "../../../../wire/bodies/admin.ts";
import type { Values } from "../../../../wire/entities/fields.ts";
import type { Database } from "../../../base/database.ts";
import { accessOf } from "../../access/storage/access.ts";
import { ALL_COMMANDS } from "../../../../wire/built-in-commands.ts";
import type { BodyReader } from "../../validation/check.ts";
import { blocklistsOf } from "../storage/blocklists.ts";

type Config = Values<typeof config>;
/** Each checks a value and returns it as it is stored. */
type ValueRules = {
  [K in keyof Config]?: (check: BodyReader, value: NonNullable<Config[K]>, db: Database) => unknown;
};

const VALUE_RULES: ValueRules = {
  message_retention(check, value) {
    if (value !== "infinite" && !/^[1-9]\d{0,4}$/.test(value))
      check.fail("message_retention", "must be infinite or a number of days as text");
    return value;
  },
  /** Names of commands, names of their sets, or `all`. */
  commands(check, value, db) {
    const names = value.map((command) => (typeof command === "string" ? command : command.name));
    const known = accessOf(db).commands;
    const unknown = names.find(
      (name) =>
        name !== ALL_COMMANDS && !known.some((command) => command.name === name || command.set === name),
    );
    if (unknown !== undefined) check.fail("commands", `names ${unknown.slice(0, 64)}, which is no command`);
    return [...new Set(names)];
  },
  blocklist(check, name, db) {
    if (!blocklistsOf(db).has(name)) check.fail("blocklist", `names ${name}, which is no blocklist`);
    return name;
  },
  blocklists(check, value, db) {
    for (const [i, { blocklist: name }] of value.entries())
      if (name && !blocklistsOf(db).has(name))
        check.fail(`blocklists.${i}.blocklist`, `names ${name}, which is no blocklist`);
    return value;
  },
  partition_ttl(check, value) {
    if (!/^(?=.)(?:\d+h)?(?:\d+m)?(?:\d+s)?$/.test(value))
      check.fail("partition_ttl", "must be a duration such as 24h0m0s");
    return value;
  },
};

/**
 * Reads configuration keys; keys outside `allowed` fail with `refusal`. Keys that are null, or `""` for a blocklist, are returned in
 * `cleared` and go back to their default. Unknown keys are ignored.
 */
export function readConfig(
  db: Database,
  check: BodyReader,
  options: { allowed?: ReadonlySet<string>; refusal?: string } = {},
): { settings: Record<string, unknown>; cleared: string[] } {
  const settings: Record<string, unknown> = {};
  const cleared: string[] = [];
  for (const [key, value] of Object.entries(check.read(config))) {
    if (value === undefined) continue;
    if (options.allowed?.has(key) === false) check.fail(key, options.refusal ?? "cannot be set");
    else if (value === null || value === "") cleared.push(key);
    else {
      const rule = VALUE_RULES[key as keyof Config] as ((...args: unknown[]) => unknown) | undefined;
      settings[key] = rule ? rule(check, value, db) : value;
    }
  }
  return { settings, cleared };
}
