/** Sets the window title: the open channel and the number of unread messages. */
import { channelTitle, isMuted } from "../../model/channels.ts";
import type { State } from "../../model/state.ts";
import type { Ports } from "../ports/ports.ts";
import { memoizeLast, type Reads } from "../screen/store.ts";

/** `(3) #general · Parley`: counts unread messages of channels that are not muted. Sanitised when it is written. */
export function windowTitle(
  state: State,
  cid: string | undefined,
  now: number,
  me: string | undefined,
): string {
  const entry = cid === undefined ? undefined : state.channels.get(cid);
  let unread = 0;
  for (const channel of state.channels.values())
    if (
      channel.unread > 0 &&
      !channel.hidden &&
      !channel.membership?.archived_at &&
      !isMuted(state, channel.cid, now)
    )
      unread += channel.unread;
  const where = entry ? `${channelTitle(entry, me)} · Parley` : "Parley";
  return unread > 0 ? `(${unread}) ${where}` : where;
}

/** Returns a function to call after each change. */
export function titleUpdater({
  core,
  terminal,
}: Pick<Ports, "core" | "terminal">): (model: Reads<"state" | "cid" | "minute">) => void {
  const set = memoizeLast((title: string) => terminal.setTitle(title));
  return ({ state, screen, minute }) => set(windowTitle(state, screen.cid, minute, core.userId));
}
