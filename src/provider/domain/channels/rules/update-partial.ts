/** Changing a channel in parts: `set` and `unset` by path (specification/channels.md §7). */
import { settableData } from "../../../../wire/bodies/channels.ts";
import { BUILT_IN_FIELDS } from "../../../../wire/custom.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { readOverrides } from "../../admin/rules/overrides.ts";
import { requireReadChannel, callerPermissions } from "../../access/view/policy.ts";
import { maybeActor } from "../../users/rules/acting.ts";
import { BodyReader, type Fields } from "../../validation/check.ts";
import { applyPartial, firstStep, readPartial } from "../../validation/paths.ts";
import { People } from "../../users/view/users.ts";
import { readChannelData, type ChannelData } from "./input.ts";
import { channelRow, type ChannelRow } from "../storage/rows.ts";
import { cidOfPath } from "../../../base/channel-path.ts";
import { channelFor, channelView, memberList } from "../view/channels.ts";
import { allowData, allowTeam, writeChannel, type Touched } from "./write.ts";

/** What `set` and `unset` may name of the built-in keys; also of many channels at once (specification/channels.md §13). */
export const SETTABLE: ReadonlySet<string> = new Set(Object.keys(settableData));

/** The channel as the object that paths go into. */
const objectOf = (channel: ChannelRow): Fields => ({
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

/** What of the row the object stands for; what was taken out of it goes back to its default. */
const rowOf = (given: ChannelData): Partial<ChannelRow> => ({
  data: JSON.stringify(given.custom),
  frozen: Number(given.frozen ?? false),
  disabled: Number(given.disabled ?? false),
  cooldown: given.cooldown ?? 0,
  team: given.team ?? null,
  filter_tags: JSON.stringify(given.filterTags ?? []),
  auto_translation_enabled: Number(given.translated ?? false),
  auto_translation_language: given.language ?? null,
});

/** Who names a key asks for the right to it, whatever it holds by now. */
function touchedBy(paths: readonly string[]): Touched {
  const touched: Touched = { frozen: false, cooldown: false, disabled: false, rest: false };
  for (const step of paths.map(firstStep))
    touched[Object.hasOwn(touched, step) ? (step as keyof Touched) : "rest"] = true;
  return touched;
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
    if (BUILT_IN_FIELDS.channel.has(firstStep(path)) && !SETTABLE.has(firstStep(path)))
      check.fail(path, "cannot be changed");
  check.done();
  const overriding = paths.some((path) => firstStep(path) === "config_overrides");
  if (overriding && !permissions.all)
    throw ApiProblem.notAllowed("Only a server may override the configuration of a channel");
  const { config_overrides: overrides, ...after } = applyPartial(objectOf(channel), partial);
  const inner = new BodyReader(after, "set.");
  const given = readChannelData(inner, after);
  inner.done();
  allowData(permissions, touchedBy(paths));
  allowTeam(call, channel, given.team ?? null);
  const now = call.now();
  const set = overriding ? readOverrides(db, overrides, "set.config_overrides") : channel.overrides;
  const changed = writeChannel(call, channel, { ...rowOf(given), overrides: set }, now);
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
