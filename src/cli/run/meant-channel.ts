/** Finds the channel of another type that `#name` may have meant, once there turned out to be none of the usual type. */
import type { Core } from "../../core/core.ts";
import { type ExitContext, exitOf } from "../base/exit.ts";
import type { Shell } from "../base/shell.ts";
import { makeCid } from "../../wire/ids.ts";

/** Gives the error the channel as its hint, where exactly one of one's own has that id or name. */
export async function hintMeant(
  core: Core,
  { argv, settings }: Pick<Shell, "argv" | "settings">,
  error: unknown,
): Promise<void> {
  const context = error as ExitContext;
  const name = argv.find((word) => /^#./.test(word))?.slice(1);
  if (name === undefined || context.about !== "channel" || exitOf(error) !== 3) return;
  const me = core.userId;
  const called = { $or: [{ id: name }, { name }] };
  const filter = me === undefined ? called : { $and: [{ members: { $in: [me] } }, called] };
  const found = await core
    .call("queryChannels", { body: { filter_conditions: filter, limit: 2, state: false } })
    .catch(() => undefined);
  const [one, ...more] = found?.channels ?? [];
  if (one && more.length === 0)
    context.hint = `Write ${one.channel.cid}: #${name} stands for ${makeCid(settings.channelType, name)}.`;
}
