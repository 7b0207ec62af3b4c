/** Which of a channel's sets of messages a place shows, and the message a thread hangs from. */
import type { HeldMessage, MessageSet, State } from "../../core/state/model.ts";
import type { ScreenPlace } from "./screen.ts";

/** The current set (R-SET-12), else the latest one. */
export function currentSet(state: State, place: ScreenPlace): MessageSet | undefined {
  const entry = state.channels.get(place.cid);
  const sets = place.parentId === undefined ? entry?.sets : entry?.threads.get(place.parentId)?.sets;
  return sets?.find((s) => s.isCurrent) ?? sets?.find((s) => s.isLatest) ?? sets?.at(-1);
}

export function parentOf(state: State, cid: string, parentId: string): HeldMessage | undefined {
  for (const set of state.channels.get(cid)?.sets ?? []) {
    const at = set.messages.indexOf(parentId);
    if (at >= 0) return set.messages.at(at);
  }
  return undefined;
}
