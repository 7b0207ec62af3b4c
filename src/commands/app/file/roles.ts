/** Compares the roles and grants of an app file. */
import { creation, changedParts, type Change, type CompareOptions } from "./changes.ts";
import { noSteps, type AppStep, type AppSteps } from "./sections.ts";
import type { AppFile } from "./shape.ts";

/** Roles consist of a name only. */
export function roleSteps(
  wanted: readonly string[] | undefined,
  current: Required<AppFile>,
  options: CompareOptions,
  removedTypes: ReadonlySet<string>,
): AppSteps {
  if (wanted === undefined) return noSteps;
  const created = wanted.filter((name) => !current.roles.includes(name));
  const removed = options.prune ? current.roles.filter((name) => !wanted.includes(name)) : [];
  return {
    build: [...new Set(created)].map((name) => ({
      changes: [creation(name, "role", {})],
      send: (core) => core.call("createRole", { body: { name } }),
    })),
    remove: removed.flatMap((name) => [
      ...revokeSteps(name, current, removedTypes),
      {
        changes: [{ action: "remove", kind: "role", name, now: {}, wanted: null, damage: "removes" }],
        send: (core) => core.call("deleteRole", { path: { name } }),
      },
    ]),
  };
}

/** A role must lose its grants before it can be deleted; grants of removed types disappear with the type. */
function revokeSteps(role: string, current: Required<AppFile>, removedTypes: ReadonlySet<string>): AppStep[] {
  const scopes: [string, Record<string, string[]>][] = [
    ["app", current.grants],
    ...Object.entries(current.channel_types).map(([name, type]): [string, Record<string, string[]>] => [
      name,
      type?.grants ?? {},
    ]),
  ];
  return scopes
    .filter(([scope, grants]) => !removedTypes.has(scope) && (grants[role]?.length ?? 0) > 0)
    .map(([scope, grants]) => ({
      changes: grantChanges(scope, { [role]: [] }, grants),
      send: grantRequest(scope, { [role]: [] }),
    }));
}

export const grantRequest =
  (scope: string, grants: Record<string, string[]>): AppStep["send"] =>
  (core) =>
    scope === "app"
      ? core.call("updateApp", { body: { grants } })
      : core.call("updateChannelType", { path: { name: scope }, body: { grants } });

export const grantChanges = (
  scope: string,
  wanted: Record<string, string[]>,
  now: Record<string, string[]>,
): Change[] =>
  changedParts({ kind: "grants", name: scope }, wanted, now, {}, () => true).map((change) => ({
    ...change,
    now: change.now ?? [],
  }));
