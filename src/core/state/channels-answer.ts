/** A channel state of the provider or the cache, taken into what is held (R-CHAN-4, R-REC-1, R-REC-2). */
import { compareTimes } from "../../wire/time.ts";
import type { ChannelState, Member, Read } from "../../wire/channel.ts";
import type { Message } from "../../wire/message.ts";
import type { MessagePagination } from "../../wire/query.ts";
import { mergeChannel } from "./channel-events.ts";
import { holdMessage, isMessage } from "./hold.ts";
import { catchUp, isGone, settleVersion, sortPins } from "./messages.ts";
import { isPinned } from "../../model/message-state.ts";
import { makeCurrent, receivePage } from "./sets.ts";
import type { HeldMessage } from "../../model/state.ts";
import { lastKeyOf, placeKey } from "./timeline.ts";
import { addMentions, otherRead, snapshot } from "./unread.ts";
import type { Told } from "./unread.ts";
import type { Work } from "./work.ts";
import { ROOM } from "./world.ts";

export interface Asked {
  limit: number;
  watched: boolean;
  cached: boolean;
  /** Serial of the machine when the answer was asked for. */
  since?: number;
}

/** One page into the sets of its place (R-SET-3…11). */
export function takePage(
  work: Work,
  cid: string,
  parentId: string | undefined,
  messages: readonly Message[],
  asked: { pagination: MessagePagination; limit: number; current?: boolean; live?: boolean; since?: number },
): void {
  if (!work.has(cid)) return;
  const sets = parentId === undefined ? work.sets(cid)! : work.openThread(cid, parentId);
  const good = messages.filter((message) => isMessage(message) && !isGone(work, cid, message));
  // An event that came after the asking is newer than the answer (decisions 23).
  const via = { answer: true, ...(asked.since !== undefined && { since: asked.since }) } as const;
  const held = good
    .map((message): HeldMessage => settleVersion(work, cid, message, via))
    .toSorted((a, b) => (placeKey(a) < placeKey(b) ? -1 : 1));
  const loose = work.peek(cid)?.loose;
  const receiving = receivePage(sets, held, { ...asked, returned: messages.length }, loose);
  tighten(work, cid, messages);
  receiving.loading = undefined;
  if (asked.current) makeCurrent(sets, receiving);
  if (parentId !== undefined && receiving.isLatest && !work.isLate(asked.since))
    freshThread(work, cid, parentId);
  if (parentId === undefined) work.book(cid).room = Math.max(ROOM, receiving.edit.length + 256);
  catchUp(work, cid, new Set(good.map((message) => message.id)));
}

function freshThread(work: Work, cid: string, parentId: string): void {
  const thread = work.peek(cid)?.threads.get(parentId);
  if (!thread?.stale) return;
  const { stale: _, ...fresh } = thread;
  const entry = work.entry(cid)!;
  entry.threads = new Map(entry.threads).set(parentId, fresh);
}

/** What a page holds stands among its neighbours; what no list holds any more is forgotten. */
function tighten(work: Work, cid: string, messages: readonly Message[]): void {
  const loose = work.peek(cid)?.loose;
  if (!loose?.size) return;
  const told = new Set(messages.map((message) => message.id));
  const lists = work.places(cid).flat();
  const left = [...loose].filter((id) => !told.has(id) && lists.some((set) => set.edit.has(id)));
  if (left.length < loose.size) work.entry(cid)!.loose = new Set(left);
}

/** The stretch the answer knows message by message, up to the newest moment it knows of: its unread number includes that. */
function toldBy(state: ChannelState, limit: number): Told {
  const messages = state.messages ?? [];
  let to = state.channel.last_message_at ? lastKeyOf(state.channel.last_message_at) : "";
  for (const message of messages) if (placeKey(message) > to) to = placeKey(message);
  const oldest = messages.map((message) => placeKey(message)).toSorted()[0] ?? "\uffff";
  return { from: messages.length < limit ? "" : oldest, to, messages };
}

export function takeChannel(work: Work, state: ChannelState, asked: Asked): void {
  const { channel } = state;
  if (!channel || typeof channel.cid !== "string") return;
  const known = work.peek(channel.cid);
  // What is on disk is never newer than what has been told since the start.
  if (asked.cached && known) return;
  const entry = known ? work.entry(channel.cid)! : work.create(channel);
  if (known && compareTimes(channel.updated_at, entry.channel.updated_at) >= 0)
    entry.channel = { ...mergeChannel(entry.channel, channel), ...ownOf(channel) };
  else if (known) entry.channel = { ...entry.channel, ...ownOf(channel) };
  delete (entry.channel as { members?: unknown }).members;
  takePeople(work, state, entry.cid, asked);
  if (state.channel.truncated_at) {
    const book = work.book(entry.cid);
    const cut = lastKeyOf(state.channel.truncated_at);
    const keeper = state.messages.find((message) => message.type === "system" && placeKey(message) <= cut);
    if (cut > book.cut) {
      book.cut = cut;
      if (keeper) book.cutKeeps = keeper.id;
    }
  }
  if (asked.limit > 0)
    takePage(work, entry.cid, undefined, state.messages ?? [], {
      pagination: {},
      limit: asked.limit,
      live: known !== undefined && !entry.stale,
      ...(asked.since !== undefined && { since: asked.since }),
    });
  entry.pinned = sortPins(
    (state.pinned_messages ?? [])
      .filter((message) => isMessage(message) && isPinned(message, work.facts.now))
      .map((message) => holdMessage(message, work.intern)),
  );
  for (const read of state.read ?? [])
    if (read?.user?.id !== work.facts.me) otherRead(work, entry.cid, withUser(work, read));
  const own = state.read?.find((read) => read?.user?.id === work.facts.me);
  snapshot(
    work,
    entry.cid,
    own && withUser(work, own),
    toldBy(state, asked.cached ? 0 : asked.limit),
    asked.since,
  );
  addMentions(work, entry.cid, state.messages ?? []);
  work.served({ kind: "unread", cid: entry.cid });
  // What was told after the asking may be in the answer or not.
  if (work.peekBook(entry.cid).doubtSerial > (asked.since ?? Number.MAX_SAFE_INTEGER))
    work.want({ kind: "unread", cid: entry.cid });
  entry.liveLocations = state.active_live_locations ?? entry.liveLocations;
  if (state.draft) entry.draft = state.draft;
  else if (!asked.cached) delete entry.draft;
  entry.hidden = state.hidden ?? channel.hidden ?? false;
  const late = work.isLate(asked.since);
  entry.watched = !late && (asked.watched || (entry.watched && !entry.stale));
  entry.unavailable = false;
  entry.stale = asked.cached || late;
  work.served({ kind: "channel", cid: entry.cid });
  // Nothing follows on it, and a recovery that began before it came does not know the channel (D6).
  if (late) work.want({ kind: "channel", cid: entry.cid });
  work.served({ kind: "capabilities", cid: entry.cid });
  if (!asked.cached) work.again.push(...work.release(entry.cid, asked.since));
}

/** What an answer says personally and an event never does. */
function ownOf(channel: ChannelState["channel"]): Partial<ChannelState["channel"]> {
  const { own_capabilities, config } = channel;
  return { ...(own_capabilities && { own_capabilities }), ...(config && { config }) };
}

const withUser = (work: Work, read: Read): Read => ({ ...read, user: work.user(read.user, true) });

function takePeople(work: Work, state: ChannelState, cid: string, asked: Asked): void {
  const entry = work.entry(cid)!;
  if (Array.isArray(state.members)) entry.members = membersOf(work, state.members);
  entry.memberCount = state.channel.member_count ?? Math.max(entry.memberCount, entry.members.size);
  const mine =
    state.membership ?? (work.facts.me === undefined ? undefined : entry.members.get(work.facts.me));
  if (mine) entry.membership = mine;
  else if (!asked.cached) delete entry.membership;
  if (Array.isArray(state.watchers))
    entry.watchers = new Map(state.watchers.map((user) => [user.id, work.user(user, true)]));
  if (state.watcher_count !== undefined) entry.watcherCount = state.watcher_count;
}

export function membersOf(work: Work, members: readonly Member[]): Map<string, Member> {
  const map = new Map<string, Member>();
  for (const member of members) {
    const id = member?.user_id ?? member?.user?.id;
    if (!id) continue;
    const user = member.user && work.user(member.user, true);
    map.set(id, { ...member, user_id: id, ...(user && { user }) });
  }
  return map;
}
