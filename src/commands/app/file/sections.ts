/** The requests that create, change and remove the entries of each section of an app file. */
import type { Core } from "../../../core/core.ts";
import { blankSecrets } from "../../../wire/secret-keys.ts";
import { creation, changedParts, type Change, type CompareOptions, type ChangeKind } from "./changes.ts";
import type { Fields } from "../../../wire/json-object.ts";

/** One request and the changes it makes. */
export interface AppStep {
  changes: Change[];
  send(core: Pick<Core, "call">): Promise<unknown>;
}

/** The requests for entries of one kind. */
export interface Section {
  kind: ChangeKind;
  create(name: string, wanted: Fields): AppStep["send"];
  change(name: string, wanted: Fields): AppStep["send"];
  remove(name: string): AppStep["send"];
  rights?: true;
}

/** `build` creates or changes; `remove` runs after all `build` steps. */
export interface AppSteps {
  build: AppStep[];
  remove: AppStep[];
}

export const noSteps: AppSteps = { build: [], remove: [] };

/** Steps for named entries: `null` removes one, `prune` removes those missing from the file. */
export function entrySteps(
  { kind, create, change, remove, rights }: Section,
  wanted: Record<string, Fields | null> | undefined,
  current: Record<string, Fields>,
  options: CompareOptions,
): AppSteps {
  if (wanted === undefined) return { build: [], remove: [] };
  const build = Object.entries(wanted).flatMap(([name, fields]): AppStep[] => {
    if (fields === null) return [];
    const now = current[name];
    if (now === undefined)
      return [{ changes: [creation(name, kind, fields, rights)], send: create(name, fields) }];
    const changes = changedParts({ kind, name }, fields, now, options, () => rights === true);
    return changes.length === 0 ? [] : [{ changes, send: change(name, fields) }];
  });
  const removed = Object.keys(current).filter(
    (name) => wanted[name] === null || (options.prune && !(name in wanted)),
  );
  return {
    build,
    remove: removed.map((name) => ({
      changes: [
        {
          action: "remove",
          kind,
          name,
          now: blankSecrets(current[name]),
          wanted: null,
          damage: "removes" as const,
        },
      ],
      send: remove(name),
    })),
  };
}

export const PERMISSIONS: Section = {
  kind: "permission",
  rights: true,
  create: (id, wanted) => (core) =>
    core.call("createPermission", { body: { action: "", name: id, ...wanted, id } }),
  change: (id, wanted) => (core) => core.call("updatePermission", { path: { id }, body: wanted }),
  remove: (id) => (core) => core.call("deletePermission", { path: { id } }),
};

export const COMMANDS: Section = {
  kind: "command",
  create: (name, wanted) => (core) =>
    core.call("createCommand", { body: { description: "", ...wanted, name } }),
  change: (name, wanted) => (core) => core.call("updateCommand", { path: { name }, body: wanted }),
  remove: (name) => (core) => core.call("deleteCommand", { path: { name } }),
};

export const BLOCKLISTS: Section = {
  kind: "blocklist",
  create: (name, wanted) => (core) =>
    core.call("createBlocklist", { body: { words: [], ...wanted, name } as never }),
  change:
    (name, { words }) =>
    (core) =>
      core.call("updateBlocklist", { path: { name }, body: { words: words as string[] } }),
  remove: (name) => (core) => core.call("deleteBlocklist", { path: { name } }),
};

export const TYPES: Section = {
  kind: "channel type",
  create: (name, wanted) => (core) =>
    core.call("createChannelType", { body: { ...withoutNulls(wanted), name } }),
  change: (name, wanted) => (core) => core.call("updateChannelType", { path: { name }, body: wanted }),
  remove: (name) => (core) => core.call("deleteChannelType", { path: { name } }),
};

export const PUSH: Section = {
  kind: "push service",
  create: (name, wanted) => (core) => core.call("upsertPushProvider", pushBody(name, wanted)),
  change: (name, wanted) => (core) => core.call("upsertPushProvider", pushBody(name, wanted)),
  remove: (key) => (core) => {
    const [type = "", name = ""] = key.split("/");
    return core.call("deletePushProvider", { path: { type, name } });
  },
};

const pushBody = (key: string, wanted: Fields) => {
  const [type, name = ""] = key.split("/");
  return { body: { push_provider: { ...wanted, type: type as "apn", name } } };
};

const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
