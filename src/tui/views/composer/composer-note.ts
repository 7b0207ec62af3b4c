/** The note at the right of the composer: characters left, slow mode's countdown, or that the draft is saved. */
import { shownSet } from "../../../model/select.ts";
import type { ChannelEntry, State } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import { DEFAULT_MAX_MESSAGE_LENGTH } from "../../../wire/constants.ts";
import { timeToMs } from "../../../wire/time.ts";
import { placeKey } from "../../screen/place-key.ts";
import { boxOf, composerPlace } from "../../screen/screen.ts";
import { memoizeLast, type Reads } from "../../screen/store.ts";

/** The remaining characters are shown from this many on. */
const LENGTH_WARNING = 200;

/** When slow mode lets the user post again, ms; 0 when that is allowed now. */
const slowModeEnd = memoizeLast((state: State, entry: ChannelEntry | undefined, now: number): number => {
  const { cooldown = 0, own_capabilities: capabilities = [] } = entry?.channel ?? {};
  if (!entry || cooldown <= 0 || capabilities.includes("skip-slow-mode")) return 0;
  const messages = shownSet(state, { cid: entry.cid })?.messages;
  for (let i = (messages?.length ?? 0) - 1; i >= 0; i--) {
    const { user, created_at } = messages!.at(i)!;
    const until = timeToMs(created_at) + cooldown * 1000;
    if (until <= now) return 0;
    if (user?.id === state.me?.id) return until;
  }
  return 0;
});

/** Whether the composer shows slow mode's countdown. */
export function countsDown({ state, screen, now }: Reads<"state" | "now" | "cid" | "panels">): boolean {
  const place = composerPlace(screen);
  return slowModeEnd(state, place && state.channels.get(place.cid), now) > now;
}

/** The slices that {@link composerNote} reads. */
export const NOTE_SLICES = ["state", "now", "composers", "cid", "panels", "waitingSends"] as const;

export function composerNote({ state, screen, now }: Reads<(typeof NOTE_SLICES)[number]>): string {
  const place = composerPlace(screen);
  const { editor, editing } = boxOf(screen);
  const entry = place && state.channels.get(place.cid);
  const maxLength = entry?.channel.config?.max_message_length ?? DEFAULT_MAX_MESSAGE_LENGTH;
  if (place && screen.waitingSends.has(placeKey(place))) return words.files.whenUploaded;
  const remaining = maxLength - editor.text.length;
  if (remaining <= LENGTH_WARNING) return words.channel.left(remaining);
  const until = slowModeEnd(state, entry, now);
  if (until > now && !editing) return words.channel.slowMode(`${Math.ceil((until - now) / 1000)} s`);
  return place && editor.text !== "" && !editing ? words.channel.draftSaved : "";
}
