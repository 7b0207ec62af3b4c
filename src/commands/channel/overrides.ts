/** `config_overrides`: the settings in which one channel differs from its type (specification/admin.md §2). */
import type { Core } from "../../core/core.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import { splitCid } from "../../wire/ids.ts";
import type { ChannelConfig } from "../../wire/entities/channel.ts";
import { readPairs } from "../base/custom-fields.ts";
import { CommandError, type Args, type ArgValues } from "../base/define-command.ts";
import { unknownFields } from "../base/known-fields.ts";

export const OVERRIDE_ARGS = {
  override: {
    kind: "list",
    value: "name=value",
    help: "Override this setting of its type in this channel (repeatable); needs the app's secret",
  },
  resetOverride: {
    kind: "list",
    value: "name",
    help: "Let its type decide on this setting again; all: on every setting",
  },
} as const satisfies Args;

type OverrideArgs = ArgValues<typeof OVERRIDE_ARGS>;
type Overrides = Record<string, unknown>;

/** Every override, as a name of `--reset-override`. */
const EVERY = "all";

export const isOverriding = (args: OverrideArgs): boolean =>
  args.override.length + args.resetOverride.length > 0;

const overridableSettings = async (): Promise<typeof import("../../wire/bodies/admin.ts").channelOverrides> =>
  (await import("../../wire/bodies/admin.ts")).channelOverrides;

/** Settings as they are written: commands by their names. */
const written = (value: unknown): unknown =>
  Array.isArray(value) && value.every((one) => typeof one === "object" && one !== null && "name" in one)
    ? value.map(({ name }: { name: unknown }) => name)
    : value;

/** Where a channel's configuration differs from its type's. No answer says what is overridden, so one that equals the type is not found. */
function differences(names: readonly string[], channel: Overrides, type: Overrides): Overrides {
  const found: Overrides = {};
  for (const name of names) {
    // The grants of a channel are nothing but what it changes.
    const before = name === "grants" ? undefined : written(type[name]);
    const now = written(channel[name]);
    if (now !== undefined && JSON.stringify(now) !== JSON.stringify(before)) found[name] = now;
  }
  return found;
}

/** The overrides in force, for the app only; empty where an answer lacks the configuration. */
export async function overridesOf(
  core: Core,
  cid: string,
  config: ChannelConfig | undefined,
): Promise<Overrides> {
  if (config === undefined) return {};
  const type = await core.call("getChannelType", { path: { name: splitCid(cid)!.type } });
  return differences(Object.keys(await overridableSettings()), { ...config }, { ...type });
}

/** The overrides after the change, all of them: a provider replaces the whole object. Throws `CommandError` (usage, rejected). */
export async function changedOverrides(core: Core, cid: string, args: OverrideArgs): Promise<Overrides> {
  const given = readPairs(args.override, "--override");
  const resets = new Set(args.resetOverride);
  const shape = await overridableSettings();
  const named = [...resets].filter((name) => name !== EVERY).map((name) => [name, null]);
  const [unknown] = unknownFields(shape, { ...given, ...Object.fromEntries(named) });
  if (unknown) throw new CommandError("rejected", `A channel cannot override ${unknown.path}.`, unknown.hint);
  const twice = Object.keys(given).find((name) => resets.has(name));
  if (twice !== undefined)
    throw new CommandError("usage", `--override and --reset-override both name ${twice}.`);
  if (resets.has(EVERY)) return given;
  const { channel } = await lookUpChannel(core, cid);
  const kept = Object.entries(await overridesOf(core, cid, channel.config));
  return { ...Object.fromEntries(kept.filter(([name]) => !resets.has(name))), ...given };
}
