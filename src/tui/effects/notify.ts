/** Desktop notices of messages that come while nobody looks. */
import { channelTitle, isDirect, isMuted, userName } from "../../model/channels.ts";
import { holdMessage, isMessage } from "../../model/held-message.ts";
import type { ChannelEntry, HeldMessage, State } from "../../model/state.ts";
import { cleanLine } from "../../text/sanitize.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { timeToMs } from "../../wire/time.ts";
import type { Ports } from "../screen/ports.ts";

/** Do-not-disturb is on: no notice of any kind (specification/screen.md §7). */
export function isQuiet(state: State, now: number): boolean {
  const until = state.me?.push_preferences?.disabled_until;
  return until !== undefined && timeToMs(until) > now;
}

/** The message of an event as far as somebody may want to hear of it: another person's, and not meant to be quiet. */
function newsIn(event: AnyEvent, me: string | undefined): HeldMessage | undefined {
  const { message: raw } = event as { message?: unknown };
  if (!isMessage(raw) || raw.user?.id === me || raw.silent || raw.type === "system") return undefined;
  return holdMessage(raw, (user) => user);
}

type Needs = Pick<Ports, "core" | "store" | "settings" | "terminal">;

function isWanted(message: HeldMessage, entry: ChannelEntry, { core, settings }: Needs): boolean {
  if (settings.notifications === "all") return true;
  const mentioned = message.mentioned_users.some((user) => user.id === core.userId);
  return mentioned || (settings.notifications === "direct" && isDirect(entry));
}

/** A message that came: a desktop notice when nobody looks, never for muted channels (specification/screen.md §7). */
export function notifyOf(event: AnyEvent, ports: Needs): void {
  const { core, store, settings, terminal } = ports;
  const { state, screen, now } = store.get();
  const message = newsIn(event, core.userId);
  const cid = event.cid ?? message?.cid;
  if (!message || cid === undefined || screen.windowFocused || settings.notifications === "off") return;
  const entry = state.channels.get(cid);
  if (!entry || isMuted(state, cid, now) || isQuiet(state, now) || !isWanted(message, entry, ports)) return;
  terminal.notify(`${userName(message.user)} · ${channelTitle(entry, core.userId)}`, cleanLine(message.text));
}
