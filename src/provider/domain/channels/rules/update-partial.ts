/** PATCH of a channel: `set` and `unset` by path (specification/channels.md §7). */
import type { Database } from "../../../base/database.ts";
import { readGrants } from "../../admin/rules/grants.ts";
import { readConfig } from "../../admin/rules/type-settings.ts";
import { BodyReader, isObject, invalidField, type Fields } from "../../validation/check.ts";
import { OVERRIDABLE } from "../../access/storage/channel-types.ts";
import { settableData } from "../../../../wire/bodies/channels.ts";
import { builtInFields } from "../../../../wire/custom.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { requireReadChannel, callerPermissions } from "../../access/view/policy.ts";
import { maybeActor } from "../../users/rules/acting-user.ts";
import { applyPartial, firstStep, readPartial } from "../../validation/paths.ts";
import { People } from "../../users/view/users.ts";
import { readChannelData, type ChannelData } from "./input.ts";
import { channelRow, type ChannelRow } from "../storage/rows.ts";
import { cidOfPath } from "../../../base/channel-path.ts";
import { channelFor, channelView, memberList } from "../view/channels.ts";
import { requireDataRights, requireTeamRight, writeChannel, type ChangedKeys } from "./write.ts";

/** `config_overrides` as stored JSON, null for none: `{}` removes all overrides. Throws code 4 with the key's path. */
function readOverrides(db: Database, value: unknown, field: string): string | null {
  if (value === undefined || value === null) return null;
  if (!isObject(value)) throw invalidField(field, "must be an object");
  const check = new BodyReader(value, `${field}.`);
  const { settings } = readConfig(db, check, { allowed: OVERRIDABLE, refusal: "cannot be overridden" });
  const grants = readGrants(db, check, true);
  check.done();
  const overrides: Fields = { ...settings, ...(grants && Object.keys(grants).length > 0 ? { grants } : {}) };
  return Object.keys(overrides).length === 0 ? null : JSON.stringify(overrides);
}

/** Built-in keys that `set` and `unset` may change, also in batch updates (specification/channels.md §13). */
export const SETTABLE_KEYS: ReadonlySet<string> = new Set(Object.keys(settableData));

/** The object that the paths of `set` and `unset` apply to. */
const editableObject = (channel: ChannelRow): Fields => ({
  ...(JSON.parse(channel.data) as Fields),
  frozen: channel.frozen === 1,
  disabled: channel.disabled === 1,
  cooldown: channel.cooldown,
  filter_tags: JSON.parse(channel.filter_tags) as string[],
  ...(channel.team === null ? {} : { team: channel.team }),
  auto_translation_enabled: channel.auto_translation_enabled === 1,
  ...(channel.auto_translation_language === null
    ? {}
    : { auto_translation_language: channel.auto_translation_language }),
  ...(channel.overrides === null ? {} : { config_overrides: JSON.parse(channel.overrides) as Fields }),
});

/** The row's columns from the changed object; keys that were removed get their default. */
const columnsOf = (data: ChannelData): Partial<ChannelRow> => ({
  data: JSON.stringify(data.custom),
  frozen: Number(data.frozen ?? false),
  disabled: Number(data.disabled ?? false),
  cooldown: data.cooldown ?? 0,
  team: data.team ?? null,
  filter_tags: JSON.stringify(data.filterTags ?? []),
  auto_translation_enabled: Number(data.autoTranslation ?? false),
  auto_translation_language: data.language ?? null,
});

/** Which keys the paths change; naming a key counts even if its value stays the same. */
function changedKeys(paths: readonly string[]): ChangedKeys {
  const changed: ChangedKeys = { frozen: false, cooldown: false, disabled: false, rest: false };
  for (const step of paths.map(firstStep))
    changed[Object.hasOwn(changed, step) ? (step as keyof ChangedKeys) : "rest"] = true;
  return changed;
}

export function updateChannelPartial(call: RouteCall): Reply<"updateChannelPartial"> {
  const { db, emit } = call;
  const channel = channelRow(db, cidOfPath(call.path));
  const me = maybeActor(call);
  const permissions = callerPermissions(call, channel);
  requireReadChannel(permissions);
  const check = new BodyReader(call.body);
  const partial = readPartial(check);
  const paths = [...Object.keys(partial.set), ...partial.unset];
  for (const path of paths)
    if (builtInFields("channel").has(firstStep(path)) && !SETTABLE_KEYS.has(firstStep(path)))
      check.fail(path, "cannot be changed");
  check.done();
  const overriding = paths.some((path) => firstStep(path) === "config_overrides");
  if (overriding && !permissions.unrestricted)
    throw ApiProblem.notAllowed("Only a server may override the configuration of a channel");
  const { config_overrides: overrides, ...after } = applyPartial(editableObject(channel), partial);
  const inner = new BodyReader(after, "set.");
  const data = readChannelData(inner, after);
  inner.done();
  requireDataRights(permissions, changedKeys(paths));
  requireTeamRight(call, channel, data.team ?? null);
  const now = call.now();
  const storedOverrides = overriding
    ? readOverrides(db, overrides, "set.config_overrides")
    : channel.overrides;
  const changed = writeChannel(call, channel, { ...columnsOf(data), overrides: storedOverrides }, now);
  const people = new People(db, emit);
  if (changed)
    emit.watchers(channel.cid, {
      type: "channel.updated",
      ...(me ? { user: people.get(me.id) } : {}),
      channel: channelView(people, channel),
    });
  return {
    channel: channelFor(db, people, callerPermissions(call, channel), now),
    members: memberList(db, people, channel),
  };
}
