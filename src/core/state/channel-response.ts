/** Merges a channel answered by the provider or read from the cache into the state (R-CHAN-4, R-REC-1, R-REC-2). */
import { compareTimes } from "../../wire/time.ts";
import type { ChannelState, Member, Read } from "../../wire/entities/channel.ts";
import type { SharedLocation } from "../../wire/entities/location.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { MessagePagination } from "../../wire/entities/query.ts";
import { mergeChannel } from "./channel-events.ts";
import { isMessage } from "../../model/held-message.ts";
import { answeredAt, applyHeldEvents, find, isGone, mergeVersion, sortPins, versionOf } from "./messages.ts";
import { isPinned } from "../../model/message-state.ts";
import { spreadUser } from "./spread-user.ts";
import { makeCurrent, receivePage } from "./sets.ts";
import type { HeldMessage } from "../../model/state.ts";
import { lastKeyOf, orderKey } from "./timeline.ts";
import { addMentions, applyReadOfOther, snapshot, type SnapshotPage } from "./unread.ts";
import { withTrails } from "./trails.ts";
import type { StateDraft } from "./state-draft.ts";
import { idsOf, toldSince, withTold } from "./told.ts";
import { WINDOW_SIZE } from "./internal-state.ts";

interface Asked {
  limit: number;
  watched: boolean;
  cached: boolean;
  /** Revision of the state when the answer was asked for. */
  since?: number;
}

/** One page into the sets of its place (R-SET-3…11). */
export function applyPage(
  draft: StateDraft,
  cid: string,
  parentId: string | undefined,
  messages: readonly Message[],
  asked: { pagination: MessagePagination; limit: number; current?: boolean; live?: boolean; since?: number },
): void {
  if (!draft.has(cid)) return;
  const sets = parentId === undefined ? draft.sets(cid)! : draft.openThread(cid, parentId);
  const good = messages.filter((message) => isMessage(message) && !isGone(draft, cid, message));
  // An event that came after the asking is newer than the answer (specification/state.md §2).
  const via = answeredAt(asked.since);
  const held = good
    .map((message): HeldMessage => mergeVersion(draft, cid, message, via))
    .toSorted((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1));
  const detached = draft.peek(cid)?.detached;
  const receiving = receivePage(sets, held, { ...asked, returned: messages.length }, detached);
  attachPage(draft, cid, messages);
  receiving.loading = undefined;
  if (asked.current) makeCurrent(sets, receiving);
  if (parentId !== undefined && receiving.isLatest && !draft.isLate(asked.since))
    freshThread(draft, cid, parentId);
  if (parentId === undefined) draft.meta(cid).windowSize = Math.max(WINDOW_SIZE, receiving.edit.length + 256);
  applyHeldEvents(draft, cid, new Set(good.map((message) => message.id)));
}

function freshThread(draft: StateDraft, cid: string, parentId: string): void {
  const thread = draft.peek(cid)?.threads.get(parentId);
  if (!thread?.stale) return;
  const { stale: _, ...fresh } = thread;
  const entry = draft.entry(cid)!;
  entry.threads = draft.writable(entry.threads).set(parentId, fresh);
}

/** What a page holds stands among its neighbours; what no list holds any more is forgotten. */
function attachPage(draft: StateDraft, cid: string, messages: readonly Message[]): void {
  const detached = draft.peek(cid)?.detached;
  if (!detached?.size) return;
  const told = new Set(messages.map((message) => message.id));
  const lists = draft.places(cid).flat();
  const left = [...detached].filter((id) => !told.has(id) && lists.some((set) => set.edit.has(id)));
  if (left.length < detached.size) draft.entry(cid)!.detached = new Set(left);
}

/** The stretch the answer knows message by message, up to the newest moment it knows of: its unread number includes that. */
function snapshotPageOf(state: ChannelState, limit: number): SnapshotPage {
  const messages = state.messages ?? [];
  let to = state.channel.last_message_at ? lastKeyOf(state.channel.last_message_at) : "";
  for (const message of messages) if (orderKey(message) > to) to = orderKey(message);
  const oldest = messages.map((message) => orderKey(message)).toSorted()[0] ?? "\uffff";
  return { from: messages.length < limit ? "" : oldest, to, messages };
}

export function applyChannel(draft: StateDraft, state: ChannelState, asked: Asked): void {
  const { channel } = state;
  if (!channel || typeof channel.cid !== "string") return;
  const known = draft.peek(channel.cid);
  // What is on disk is never newer than what has been told since the start.
  if (asked.cached && known) return;
  const told = toldSince(draft, channel.cid, asked.since);
  draft.refetchDone({ kind: "channel", cid: channel.cid });
  draft.refetchDone({ kind: "capabilities", cid: channel.cid });
  if (known?.unavailable && told.has("there")) return;
  const entry = known ? draft.entry(channel.cid)! : draft.create(channel);
  const own = ownOf(draft, channel);
  if (known && !told.has("channel") && compareTimes(channel.updated_at, entry.channel.updated_at) >= 0)
    entry.channel = { ...mergeChannel(entry.channel, channel), ...own };
  else entry.channel = { ...entry.channel, ...own };
  delete (entry.channel as { members?: unknown }).members;
  applyPeople(draft, state, asked, told);
  applyTruncation(draft, state);
  if (asked.limit > 0)
    applyPage(draft, entry.cid, undefined, state.messages ?? [], {
      pagination: {},
      limit: asked.limit,
      live: known !== undefined && !entry.stale,
      ...(asked.since !== undefined && { since: asked.since }),
    });
  entry.pinned = pinsOf(draft, state, asked.since);
  applyReads(draft, state, asked);
  applyLocations(draft, state, told);
  if (!told.has("draft ")) {
    if (state.draft) entry.draft = state.draft;
    else if (!asked.cached) delete entry.draft;
  }
  if (!told.has("hidden")) entry.hidden = state.hidden ?? channel.hidden ?? false;
  const level = state.push_preferences?.chat_level;
  if (level !== undefined) entry.pushLevel = level;
  else delete entry.pushLevel;
  const late = draft.isLate(asked.since);
  entry.watched = !late && (asked.watched || (entry.watched && !entry.stale));
  entry.unavailable = false;
  entry.stale = asked.cached || late;
  // Nothing follows on it, and a recovery that began before it came does not know the channel (D6).
  if (late) draft.requestRefetch({ kind: "channel", cid: entry.cid });
  if (!asked.cached) draft.again.push(...draft.releaseEvents(entry.cid, asked.since));
}

/** The pinned messages of an answer; what was told of a message since it was asked for is newer (specification/state.md §2). */
function pinsOf(draft: StateDraft, state: ChannelState, since: number | undefined): HeldMessage[] {
  const { cid } = state.channel;
  const isTold = ({ id }: Message): boolean => versionOf(draft, cid, id).revision > (since ?? Infinity);
  // What was told and is held nowhere lost its pin, and is above what is shown.
  const isKnown = (message: Message): boolean =>
    isMessage(message) && (!isTold(message) || find(draft, cid, message.id) !== undefined);
  const answered = (state.pinned_messages ?? [])
    .filter(isKnown)
    .map((message) => mergeVersion(draft, cid, message, answeredAt(since)));
  const named = new Set(answered.map(({ id }) => id));
  const others = draft.peek(cid)!.pinned.filter((message) => isTold(message) && !named.has(message.id));
  return sortPins([...answered, ...others]).filter((message) => isPinned(message, draft.context.now));
}

function applyLocations(
  draft: StateDraft,
  { channel: { cid }, active_live_locations: answered }: ChannelState,
  told: ReadonlySet<string>,
): void {
  if (!answered) return;
  const entry = draft.entry(cid)!;
  const later = idsOf(told, "location");
  const isTold = ({ message_id }: SharedLocation): boolean => later.has(message_id ?? "");
  entry.liveLocations = [
    ...withTrails(entry.liveLocations, answered).filter((location) => !isTold(location)),
    ...entry.liveLocations.filter(isTold),
  ];
}

/** What was cut away, and the message that says so. */
function applyTruncation(draft: StateDraft, { channel, messages }: ChannelState): void {
  if (!channel.truncated_at) return;
  const meta = draft.meta(channel.cid);
  const upTo = lastKeyOf(channel.truncated_at);
  if (upTo <= meta.truncatedUpTo) return;
  meta.truncatedUpTo = upTo;
  const kept = messages.find((message) => message.type === "system" && orderKey(message) <= upTo);
  if (kept) meta.keptMessageId = kept.id;
}

/** How far everybody has read, and what is unread for the own user. */
function applyReads(draft: StateDraft, state: ChannelState, asked: Asked): void {
  const { cid } = state.channel;
  const { me } = draft.context;
  for (const read of state.read ?? [])
    if (read?.user?.id !== me) applyReadOfOther(draft, cid, withUser(draft, read));
  const own = state.read?.find((read) => read?.user?.id === me);
  const page = snapshotPageOf(state, asked.cached ? 0 : asked.limit);
  snapshot(draft, cid, own && withUser(draft, own), page, asked.since);
  addMentions(draft, cid, state.messages ?? []);
  draft.refetchDone({ kind: "unread", cid });
  // What was told after the asking may be in the answer or not.
  if (draft.peekMeta(cid).recountRevision > (asked.since ?? Number.MAX_SAFE_INTEGER))
    draft.requestRefetch({ kind: "unread", cid });
}

/** What an answer says personally and an event never does. */
function ownOf(draft: StateDraft, channel: ChannelState["channel"]): Partial<ChannelState["channel"]> {
  const { own_capabilities, config } = channel;
  return {
    ...(own_capabilities && { own_capabilities: draft.shared(own_capabilities) }),
    ...(config && { config: draft.shared(config) }),
  };
}

const withUser = (draft: StateDraft, read: Read): Read => ({ ...read, user: draft.user(read.user, true) });

function applyPeople(draft: StateDraft, state: ChannelState, asked: Asked, told: ReadonlySet<string>): void {
  const entry = draft.entry(state.channel.cid)!;
  const { me } = draft.context;
  const members = idsOf(told, "member", "ban");
  if (Array.isArray(state.members))
    entry.members = withTold(membersOf(draft, state.members), entry.members, members);
  if (!told.has("memberCount"))
    entry.memberCount = state.channel.member_count ?? Math.max(entry.memberCount, entry.members.size);
  if (me === undefined || !members.has(me)) {
    const mine = state.membership ?? (me === undefined ? undefined : entry.members.get(me));
    if (mine) entry.membership = mine;
    else if (!asked.cached) delete entry.membership;
  }
  const watchers = idsOf(told, "watch");
  if (Array.isArray(state.watchers)) {
    const answered = new Map(state.watchers.map((user) => [user.id, draft.user(user, true)]));
    entry.watchers = withTold(answered, entry.watchers, watchers);
  }
  if (state.watcher_count !== undefined && watchers.size === 0) entry.watcherCount = state.watcher_count;
}

/** A page of members beside those that are held; what was told of one since it was asked for is newer (specification/state.md §2). */
export function applyMembers(
  draft: StateDraft,
  { cid, members, since }: { cid: string; members: readonly Member[]; since: number },
): void {
  const entry = draft.entry(cid);
  if (!entry) return;
  const told = idsOf(toldSince(draft, cid, since), "member", "ban");
  for (const [id, member] of membersOf(draft, members)) {
    if (!told.has(id)) entry.members = draft.writable(entry.members).set(id, member);
    if (member.user) spreadUser(draft, member.user);
  }
}

function membersOf(draft: StateDraft, members: readonly Member[]): Map<string, Member> {
  const map = new Map<string, Member>();
  for (const member of members) {
    const id = member?.user_id ?? member?.user?.id;
    if (!id) continue;
    const user = member.user && draft.user(member.user, true);
    map.set(id, { ...member, user_id: id, ...(user && { user }) });
  }
  return map;
}
