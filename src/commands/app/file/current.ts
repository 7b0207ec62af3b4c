/** Reads all settings of an app from the provider in the form of an app file. */
import type { Core } from "../../../core/core.ts";
import type { ChannelType } from "../../../wire/entities/channel-type.ts";
import type { AppReply } from "../../../wire/endpoints/app.ts";
import type { Shape } from "../../../wire/entities/fields.ts";
import type { CommandSets } from "./channel-types.ts";
import { pushName, APP_SETTINGS, TYPE_SETTINGS, type AppFile } from "./shape.ts";
import type { Fields } from "../../../wire/json-object.ts";

/** Sorts by key, so that equal apps give equal files. */
const sortByKey = <T>(entries: [string, T][]): Record<string, T> =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Only the fields a file may have; null = never set. */
const pickFields = (shape: Shape, all: Fields): Fields =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([key, { nulls }]) => {
      const value = all[key] ?? null;
      return value === null && !nulls ? [] : [[key, value]];
    }),
  );

function settingsOf(app: AppReply["app"]): Fields {
  const { push_notifications: push, ...rest } = app;
  const service = (name: "apn" | "firebase" | "huawei" | "xiaomi"): [string, unknown] => {
    const config = push?.[name];
    return [`${name}_config`, config?.enabled ? config : null];
  };
  return pickFields(APP_SETTINGS, {
    ...rest,
    ...(push ? { push_config: { version: push.version, offline_only: push.offline_only } } : {}),
    ...Object.fromEntries((["apn", "firebase", "huawei", "xiaomi"] as const).map(service)),
  });
}

const typeOf = ({
  commands,
  grants,
  ...config
}: ChannelType): Fields & { grants: Record<string, string[]> } => ({
  ...pickFields(TYPE_SETTINGS, { ...config, commands: commands.map(({ name }) => name) }),
  grants,
});

const without = (entry: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => !keys.includes(key)));
const TIMESTAMPS = ["created_at", "updated_at"];

/** All sections, also empty ones, and the sets of all known commands. */
export async function currentApp(
  core: Pick<Core, "call">,
): Promise<{ current: Required<AppFile>; sets: CommandSets }> {
  const [{ app }, types, roles, permissions, commands, blocklists, push] = await Promise.all([
    core.call("getApp"),
    core.call("listChannelTypes"),
    core.call("listRoles"),
    core.call("listPermissions"),
    core.call("listCommands"),
    core.call("listBlocklists"),
    core.call("listPushProviders"),
  ]);
  const customPermissions = permissions.permissions.filter(({ custom }) => custom);
  const known = [
    ...commands.commands,
    ...Object.values(types.channel_types).flatMap((type) => type.commands),
  ];
  const current = {
    settings: settingsOf(app),
    roles: roles.roles.flatMap(({ name, custom }) => (custom ? [name] : [])).toSorted(),
    permissions: sortByKey(
      customPermissions.map((one) => [
        one.id,
        without({ ...one }, ["id", "custom", "level", "owner_resource", ...TIMESTAMPS]),
      ]),
    ),
    commands: sortByKey(
      commands.commands.map((one) => [one.name, without({ ...one }, ["name", ...TIMESTAMPS])]),
    ),
    blocklists: sortByKey(blocklists.blocklists.map(({ name, type, words }) => [name, { type, words }])),
    channel_types: sortByKey(Object.entries(types.channel_types).map(([name, type]) => [name, typeOf(type)])),
    grants: sortByKey(Object.entries(app.grants ?? {})),
    push_providers: sortByKey(
      push.push_providers.map((one) => [pushName(one), without({ ...one }, ["type", "name", ...TIMESTAMPS])]),
    ),
  };
  return { current, sets: new Map(known.map(({ name, set }) => [name, set])) };
}
