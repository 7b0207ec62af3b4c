/** Finds the channel that a name means which was typed at the start or after `/join` (specification/screen.md §1). */
import type { Core } from "../../core/core.ts";
import { listedChannels } from "../../model/channels.ts";
import { ChannelNotFound } from "../../model/errors.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import type { State } from "../../model/state.ts";
import { splitCid } from "../../wire/ids.ts";

/** The channel of the user's list that is called so, if there is one alone: the sidebar shows its name without its type. */
function onlyChannelCalled(state: State, name: string): string | undefined {
  const called = listedChannels(state).filter(
    ({ cid, channel }) => channel.name === name || splitCid(cid)?.id === name,
  );
  return called.length === 1 ? called[0]!.cid : undefined;
}

/** The channel of `#ops`, `ops` or `team:ops`, and whether the user is in it. */
export function channelToJoin(
  state: State,
  typed: string,
  channelType: string,
): { cid: string; isOwn: boolean } {
  const name = typed.replace(/^#/, "");
  const cid = name.includes(":") ? name : `${channelType}:${name}`;
  if (state.channels.get(cid)?.membership) return { cid, isOwn: true };
  const own = onlyChannelCalled(state, name);
  return { cid: own ?? cid, isOwn: own !== undefined };
}

/**
 * The channel to open at the start: `@user` opens a direct channel; one the user is not a member of is looked up, never by a query that
 * would create it (specification/command-line.md §5); where the default type has none, it is the only one of the list that is called so.
 * Throws `ChannelNotFound`.
 */
export async function findRequested(
  core: Pick<Core, "call" | "openDirect" | "state" | "userId">,
  requested: string,
  channelType: string,
): Promise<string> {
  if (requested.startsWith("@")) return core.openDirect([requested.slice(1)], channelType);
  if (core.state().channels.has(requested)) return requested;
  try {
    await lookUpChannel(core, requested);
    return requested;
  } catch (error) {
    const { type, id = "" } = splitCid(requested) ?? {};
    const called = type === channelType ? onlyChannelCalled(core.state(), id) : undefined;
    if (!(error instanceof ChannelNotFound) || called === undefined) throw error;
    return called;
  }
}
