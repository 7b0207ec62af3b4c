/** Compares the channel types of an app file: settings, commands (by name or set) and grants. */
import { isTexts, type CompareOptions } from "./changes.ts";
import { grantRequest, grantChanges } from "./roles.ts";
import { entrySteps, noSteps, TYPES, type AppStep, type AppSteps } from "./sections.ts";
import type { AppFile } from "./shape.ts";
import type { Fields } from "../../../wire/json-object.ts";

/** Replaces sets of commands by the known commands in them, as the provider returns only names. */
function expandCommandSets(types: AppFile["channel_types"], file: AppFile, sets: CommandSets): typeof types {
  if (types === undefined) return undefined;
  const all = new Map([
    ...sets,
    ...Object.entries(file.commands ?? {}).map(([name, one]): [string, string] => [
      name,
      typeof one?.set === "string" ? one.set : "",
    ]),
  ]);
  const names = (commands: readonly string[]): string[] =>
    commands.length === 0 || commands.includes("all")
      ? [...all.keys()]
      : commands.flatMap((one) =>
          all.has(one) ? [one] : [...all].flatMap(([name, set]) => (set === one ? [name] : [])),
        );
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [
      name,
      type && isTexts(type.commands) ? { ...type, commands: names(type.commands) } : type,
    ]),
  );
}

/** Command name → set, of all known commands. */
export type CommandSets = ReadonlyMap<string, string>;

/** Steps for channel types; changes of settings and of grants are listed separately. */
export function typeSteps(
  file: AppFile,
  current: Required<AppFile>,
  sets: CommandSets,
  options: CompareOptions,
): AppSteps {
  const wanted = expandCommandSets(file.channel_types, file, sets);
  const settings = (all: NonNullable<AppFile["channel_types"]>): Record<string, Fields | null> =>
    Object.fromEntries(
      Object.entries(all).map(([name, type]) => {
        if (type === null) return [name, null];
        const { grants: _, ...settings } = type;
        return [name, settings];
      }),
    );
  if (wanted === undefined) return noSteps;
  const steps = entrySteps(
    TYPES,
    settings(wanted),
    settings(current.channel_types) as Record<string, Fields>,
    options,
  );
  // The changes list each command, but the request sends what the file says.
  const build = steps.build.map((step): AppStep => {
    const { name, action } = step.changes[0]!;
    const { grants: _, ...fields } = file.channel_types![name]!;
    return { ...step, send: action === "create" ? TYPES.create(name, fields) : TYPES.change(name, fields) };
  });
  const grants = Object.entries(wanted).flatMap(([name, type]): AppStep[] => {
    const changes = grantChanges(name, type?.grants ?? {}, current.channel_types[name]?.grants ?? {});
    return changes.length === 0 ? [] : [{ changes, send: grantRequest(name, type!.grants!) }];
  });
  return { build: [...build, ...grants], remove: steps.remove };
}
