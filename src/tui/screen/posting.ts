/** Why nothing can be posted in a place, in words. */
import type { ChannelEntry, State } from "../../model/state.ts";
import { shortWhen, type Zone } from "../../text/times.ts";
import { words } from "../../text/words.ts";
import { postingBlock } from "../../model/membership.ts";

/** A sentence; undefined where something can be posted. `now` = wall clock, ms. */
export function cannotPostReason(
  state: State,
  entry: ChannelEntry | undefined,
  now: number,
  zone: Zone,
): string | undefined {
  if (!entry) return undefined;
  const { channel, unavailable, members } = entry;
  const membership = entry.membership ?? (state.me && members.get(state.me.id));
  const found = postingBlock({ channel, unavailable, membership, me: state.me }, now);
  if (!found) return undefined;
  const { shut } = words.channel;
  if (found.kind !== "banned" && found.kind !== "bannedEverywhere") return shut[found.kind];
  return shut[found.kind](found.until === undefined ? "" : shortWhen(found.until, now, zone));
}
