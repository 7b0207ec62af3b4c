/** The note at the right of the composer: characters left, the wait of slow mode, or that the draft is saved. */
import { shownSet } from "../../../model/select.ts";
import type { ChannelEntry, State } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import { DEFAULT_MAX_MESSAGE_LENGTH } from "../../../wire/constants.ts";
import { timeToMs } from "../../../wire/time.ts";
import { boxOf, composerPlace } from "../../screen/screen.ts";
import type { Snapshot } from "../../screen/store.ts";

/** From so many on what is left is told. */
const NEAR = 200;

/** When one may write in a channel of slow mode again, ms; 0 where one may. */
function slowUntil(state: State, entry: ChannelEntry | undefined, now: number): number {
  const { cooldown = 0, own_capabilities: may = [] } = entry?.channel ?? {};
  if (!entry || cooldown <= 0 || may.includes("skip-slow-mode")) return 0;
  const messages = shownSet(state, { cid: entry.cid })?.messages;
  for (let i = (messages?.length ?? 0) - 1; i >= 0; i--) {
    const { user, created_at } = messages!.at(i)!;
    const until = timeToMs(created_at) + cooldown * 1000;
    if (until <= now) return 0;
    if (user?.id === state.me?.id) return until;
  }
  return 0;
}

/** A wait counts down in the box in sight. */
export function countsDown({ state, screen, now }: Snapshot): boolean {
  const place = composerPlace(screen);
  return slowUntil(state, place && state.channels.get(place.cid), now) > now;
}

export function noteIn({ state, screen, now }: Snapshot): string {
  const place = composerPlace(screen);
  const { editor, editing } = boxOf(screen);
  const entry = place && state.channels.get(place.cid);
  const most = entry?.channel.config?.max_message_length ?? DEFAULT_MAX_MESSAGE_LENGTH;
  const left = most - editor.text.length;
  if (left <= NEAR) return words.channel.left(left);
  const until = slowUntil(state, entry, now);
  if (until > now && !editing) return words.channel.slowMode(`${Math.ceil((until - now) / 1000)} s`);
  return place && editor.text !== "" && !editing ? words.channel.draftSaved : "";
}
