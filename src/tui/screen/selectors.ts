/** Selectors over a snapshot: channels and messages, the selected range, drafts, and why the user cannot post. */
import { newestDefault, type DefaultMessage } from "../../model/default-message.ts";
import { isPresent } from "../../model/message-state.ts";
import { parentOf, shownSet } from "../../model/select.ts";
import type { ChannelEntry, ClientMessage, State, ThreadRef } from "../../model/state.ts";
import { browsePlace, scrollOf } from "./screen.ts";
import type { Model, Reads } from "./store.ts";
import { shortWhen } from "../../text/times.ts";
import type { Zone } from "../../text/zones.ts";
import { words } from "../../text/words.ts";
import { postingBlock } from "../../model/membership.ts";
import { placeKey } from "./place-key.ts";
import type { Core } from "../../core/core.ts";
import type { LocalDraft } from "../../core/store/store.ts";

/** The open channel. */
export const openEntry = ({ state, screen }: Reads<"state" | "cid">): ChannelEntry | undefined =>
  screen.cid === undefined ? undefined : state.channels.get(screen.cid);

/** The target of a channel action: the channel selected in the focused sidebar, else the open channel. */
export function targetChannel({
  state,
  screen,
}: Reads<"state" | "cid" | "focus" | "sidebar">): ChannelEntry | undefined {
  const { focus, sidebar, cid } = screen;
  const at = focus === "sidebar" ? (sidebar.cursor ?? cid) : cid;
  return at === undefined ? undefined : state.channels.get(at);
}

/** The parent message of a thread, from its channel or from the list of threads. */
export function threadParent(
  { state, lists }: Pick<Model, "state" | "lists">,
  cid: string,
  parentId: string,
): ClientMessage | undefined {
  const listed = lists.threads.threads.find((thread) => thread.parent_message_id === parentId);
  return parentOf(state, cid, parentId) ?? listed?.parent_message;
}

/** A message shown in a place, or the parent of its thread. */
export function messageIn(state: State, place: ThreadRef, id: string): ClientMessage | undefined {
  const set = shownSet(state, place);
  const at = set?.messages.indexOf(id) ?? -1;
  if (at >= 0) return set!.messages.at(at);
  return place.parentId === id ? parentOf(state, place.cid, id) : undefined;
}

/** The target of a command without a message id: the selected message, else the newest of its kind. */
export function defaultMessageIn(
  { state, screen }: Reads<"state" | "views">,
  place: ThreadRef,
  which: DefaultMessage,
): ClientMessage | undefined {
  const { selected } = scrollOf(screen, place);
  const chosen = selected === undefined ? undefined : messageIn(state, place, selected);
  return chosen && isPresent(chosen) ? chosen : newestDefault(state, place, which, state.me?.id);
}

/** The message under the browse cursor. */
export function selectedIn({
  state,
  lists,
  screen,
}: Reads<"state" | "lists" | "cid" | "panels" | "focus" | "views">): ClientMessage | undefined {
  const place = browsePlace(screen);
  const id = scrollOf(screen, place).selected;
  if (!place || id === undefined) return undefined;
  const found = messageIn(state, place, id);
  return found ?? (place.parentId === id ? threadParent({ state, lists }, place.cid, id) : undefined);
}

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

/** The selected messages, oldest first; undefined if no range is selected in the focused list. */
export function selectedRange({
  state,
  screen,
}: Reads<"state" | "cid" | "panels" | "focus" | "views" | "range">): ClientMessage[] | undefined {
  const place = browsePlace(screen);
  if (!screen.range || !place || placeKey(place) !== screen.range.key) return undefined;
  const set = shownSet(state, place);
  const { selected } = scrollOf(screen, place);
  if (!set || selected === undefined) return undefined;
  const ends = [set.messages.indexOf(screen.range.from), set.messages.indexOf(selected)];
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  return from < 0 ? [] : set.messages.slice(from, to + 1);
}

/** The messages that reached the provider. */
export const sentMessages = (messages: readonly ClientMessage[]): ClientMessage[] =>
  messages.filter(isPresent);

/**
 * Drafts with text by `placeKey`, newest first. Drafts of other devices are listed where this machine has none, and not
 * in places whose composer is `cleared`: it had taken them over, and they are about to be deleted.
 */
export function draftsByPlace(
  core: Pick<Core, "drafts" | "providerDrafts">,
  cleared: (key: string) => boolean = () => false,
): ReadonlyMap<string, LocalDraft> {
  const own = new Map(core.drafts().map((draft) => [placeKey(draft), draft]));
  const others = core.providerDrafts
    .state()
    .map((draft) => [placeKey(draft), draft] as const)
    .filter(([key]) => !own.has(key) && !cleared(key));
  return new Map(
    [...own, ...others]
      .filter(([, { text }]) => text.trim() !== "")
      .toSorted(([, a], [, b]) => b.updatedAt - a.updatedAt),
  );
}
