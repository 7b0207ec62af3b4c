/** Suggests a channel of another type when `#name` finds none of the default type. */
import type { Core } from "../../core/core.ts";
import { type ErrorFacts, exitOf, refusedUpload } from "../base/exit.ts";
import type { Shell } from "../base/shell.ts";
import { makeCid } from "../../wire/ids.ts";

/** Adds the channel as a hint to the error, if exactly one of the user's channels has that id or name. */
export async function hintOtherType(
  core: Core,
  { argv, settings }: Pick<Shell, "argv" | "settings">,
  error: unknown,
): Promise<void> {
  const context = refusedUpload(error as ErrorFacts) ?? (error as ErrorFacts);
  const name = argv.find((word) => /^#./.test(word))?.slice(1);
  if (name === undefined || context.about !== "channel" || exitOf(error) !== 3) return;
  const me = core.userId;
  const named = { $or: [{ id: name }, { name }] };
  const filter = me === undefined ? named : { $and: [{ members: { $in: [me] } }, named] };
  const found = await core
    .call("queryChannels", { body: { filter_conditions: filter, limit: 2, state: false } })
    .catch(() => undefined);
  const [match, ...others] = found?.channels ?? [];
  const meant = makeCid(settings.channelType, name);
  if (match && others.length === 0 && match.channel.cid !== meant)
    context.hint = `Write ${match.channel.cid}: #${name} means ${meant}.`;
}
