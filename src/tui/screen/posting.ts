/** Explains why the user cannot post in a channel. */
import type { ChannelEntry, State } from "../../model/state.ts";
import { shortWhen } from "../../text/times.ts";
import type { Zone } from "../../text/zones.ts";
import { words } from "../../text/words.ts";
import { postingBlock } from "../../model/membership.ts";

/** A sentence, or undefined if posting is allowed. `now` = wall clock, ms. */
export function cannotPostReason(
  state: State,
  entry: ChannelEntry | undefined,
  now: number,
  zone: Zone,
): string | undefined {
  if (!entry) return undefined;
  const { channel, unavailable, members } = entry;
  const membership = entry.membership ?? (state.me && members.get(state.me.id));
  const block = postingBlock({ channel, unavailable, membership, me: state.me }, now);
  if (!block) return undefined;
  const { shut } = words.channel;
  if (block.kind !== "banned" && block.kind !== "bannedEverywhere") return shut[block.kind];
  return shut[block.kind](block.until === undefined ? "" : shortWhen(block.until, now, zone));
}
