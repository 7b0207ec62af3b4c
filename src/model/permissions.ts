/** What a user may do with a message, by capabilities and ownership (specification/channels.md §6.3). */
import type { Capability } from "../wire/entities/capabilities.ts";
import { isPresent } from "./message-state.ts";
import { shownSet } from "./select.ts";
import type { ChannelEntry, ClientMessage, State, ThreadRef } from "./state.ts";

/** Why no file can be added to a message. */
export const UPLOADS_FORBIDDEN = "You may not send files to this channel";

/** True if unknown: channels from the cache may lack capabilities, and then the provider decides. */
export function hasCapability(entry: ChannelEntry | undefined, capability: Capability): boolean {
  const capabilities = entry?.channel.own_capabilities;
  return capabilities === undefined || capabilities.includes(capability);
}

/** False if unknown. */
export const isGranted = (entry: ChannelEntry | undefined, capability: Capability): boolean =>
  entry?.channel.own_capabilities?.includes(capability) ?? false;

/** `me` is the current user's id. */
export function mayEdit(state: State, message: ClientMessage, me: string | undefined): boolean {
  if (!isPresent(message) || message.type === "system" || message.poll_id) return false;
  const entry = state.channels.get(message.cid);
  const own = message.user?.id === me && hasCapability(entry, "update-own-message");
  return own || isGranted(entry, "update-any-message");
}

export function mayRemove(state: State, message: ClientMessage, me: string | undefined): boolean {
  if (!isPresent(message)) return false;
  const entry = state.channels.get(message.cid);
  const own = message.user?.id === me && hasCapability(entry, "delete-own-message");
  return own || isGranted(entry, "delete-any-message");
}

/** Anybody may open a thread with replies, even if its parent was deleted; starting one needs permission to reply. */
export const mayOpenThread = (state: State, message: ClientMessage): boolean =>
  message.reply_count > 0 ||
  (isPresent(message) && hasCapability(state.channels.get(message.cid), "send-reply"));

/** The user's newest message that can be edited or is still being sent. */
export function lastOwn(state: State, place: ThreadRef, me: string | undefined): ClientMessage | undefined {
  const set = shownSet(state, place);
  for (let i = (set?.messages.length ?? 0) - 1; i >= 0; i--) {
    const message = set!.messages.at(i)!;
    if (message.user?.id !== me) continue;
    if (message.status === "sending" || mayEdit(state, message, me)) return message;
  }
  return undefined;
}
