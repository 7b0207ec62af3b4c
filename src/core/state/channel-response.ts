/** Merges a channel from an answer or from the cache into the state (R-CHAN-4, R-REC-1, R-REC-2). */
import { isFullPage } from "../../model/page-walk.ts";
import { receivedLength } from "../../wire/reading.ts";
import { compareTimes } from "../../wire/time.ts";
import type { ChannelState, Member, Read } from "../../wire/entities/channel.ts";
import type { SharedLocation } from "../../wire/entities/location.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { MessagePagination } from "../../wire/entities/query.ts";
import { mergeChannel } from "./channel-events.ts";
import { holdDraft, isMessage } from "../../model/client-message.ts";
import {
  fromAnswer,
  applyHeldEvents,
  applyOutsideEvents,
  findLoaded,
  isGone,
  mergeVersion,
  sortPins,
  versionOf,
} from "./messages.ts";
import { isPinned } from "../../model/message-state.ts";
import { updateUserEverywhere } from "./update-user.ts";
import { makeCurrent, receivePage } from "./sets.ts";
import type { ClientMessage } from "../../model/state.ts";
import { lastKeyOf, orderKey } from "./timeline.ts";
import { addMentions, applyReadOfOther, applySnapshot, moveLineUp, type SnapshotPage } from "./unread.ts";
import { withTrails } from "./trails.ts";
import type { StateDraft } from "./state-draft.ts";
import { idsOfParts, partsChangedSince, keepChanged } from "./part-versions.ts";
import { WINDOW_SIZE } from "./internal-state.ts";

interface ChannelRequest {
  limit: number;
  watched: boolean;
  cached: boolean;
  /** Revision of the state at the request. */
  since?: number;
}

/** Merges a page into the sets of its channel or thread (R-SET-3…11). */
export function applyPage(
  draft: StateDraft,
  cid: string,
  parentId: string | undefined,
  messages: readonly Message[],
  request: {
    pagination: MessagePagination;
    limit: number;
    current?: boolean;
    live?: boolean;
    since?: number;
  },
): void {
  if (!draft.has(cid)) return;
  const sets = parentId === undefined ? draft.sets(cid)! : draft.openThread(cid, parentId);
  const valid = messages.filter((message) => isMessage(message) && !isGone(draft, cid, message));
  // Events since the request are newer than the answer (specification/state.md §2).
  const source = fromAnswer(request.since);
  const held = valid
    .map((message): ClientMessage => mergeVersion(draft, cid, message, source))
    .toSorted((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1));
  const detached = draft.peek(cid)?.detached;
  const receiving = receivePage(sets, held, { ...request, returned: receivedLength(messages) }, detached);
  attachPage(draft, cid, messages);
  receiving.loading = undefined;
  if (request.current) makeCurrent(sets, receiving);
  if (parentId !== undefined && receiving.isLatest && !draft.isLate(request.since))
    clearThreadStale(draft, cid, parentId);
  if (parentId === undefined) draft.meta(cid).windowSize = Math.max(WINDOW_SIZE, receiving.edit.length + 256);
  if (parentId === undefined) moveLineUp(draft, cid);
  const ids = new Set(valid.map((message) => message.id));
  applyHeldEvents(draft, cid, ids);
  applyOutsideEvents(draft, cid, ids, request.since);
}

function clearThreadStale(draft: StateDraft, cid: string, parentId: string): void {
  const thread = draft.peek(cid)?.threads.get(parentId);
  if (!thread?.stale) return;
  const { stale: _, ...fresh } = thread;
  const entry = draft.entry(cid)!;
  entry.threads = draft.writable(entry.threads).set(parentId, fresh);
}

/** Messages of a page have known neighbours: they are no longer detached, nor are messages that no list contains. */
function attachPage(draft: StateDraft, cid: string, messages: readonly Message[]): void {
  const detached = draft.peek(cid)?.detached;
  if (!detached?.size) return;
  const ids = new Set(messages.map((message) => message.id));
  const lists = draft.messageLists(cid).flat();
  const remaining = [...detached].filter((id) => !ids.has(id) && lists.some((set) => set.edit.has(id)));
  if (remaining.length < detached.size) draft.entry(cid)!.detached = new Set(remaining);
}

/** The messages of the answer, their first key, and the newest key that its unread number includes. */
function snapshotPageOf(state: ChannelState, limit: number): SnapshotPage {
  const messages = state.messages ?? [];
  let to = state.channel.last_message_at ? lastKeyOf(state.channel.last_message_at) : "";
  for (const message of messages) if (orderKey(message) > to) to = orderKey(message);
  const oldest = messages.map((message) => orderKey(message)).toSorted()[0] ?? "\uffff";
  return { from: !isFullPage(messages, limit) ? "" : oldest, to, messages };
}

export function applyChannel(draft: StateDraft, state: ChannelState, request: ChannelRequest): void {
  const { channel } = state;
  if (!channel || typeof channel.cid !== "string") return;
  const known = draft.peek(channel.cid);
  // The cache is never newer than what was received since the start.
  if (request.cached && known) return;
  const changed = partsChangedSince(draft, channel.cid, request.since);
  draft.refetchDone({ kind: "channel", cid: channel.cid });
  draft.refetchDone({ kind: "capabilities", cid: channel.cid });
  if (known?.unavailable && changed.has("availability")) return;
  const entry = known ? draft.entry(channel.cid)! : draft.create(channel);
  const own = personalFieldsOf(draft, channel);
  if (known && !changed.has("channel") && compareTimes(channel.updated_at, entry.channel.updated_at) >= 0)
    entry.channel = { ...mergeChannel(entry.channel, channel), ...own };
  else entry.channel = { ...entry.channel, ...own };
  delete (entry.channel as { members?: unknown }).members;
  applyPeople(draft, state, request, changed);
  applyTruncation(draft, state);
  if (request.limit > 0)
    applyPage(draft, entry.cid, undefined, state.messages ?? [], {
      pagination: {},
      limit: request.limit,
      live: known !== undefined && !entry.stale,
      ...(request.since !== undefined && { since: request.since }),
    });
  entry.pinned = pinsOf(draft, state, request.since);
  applyReads(draft, state, request);
  applyLocations(draft, state, changed);
  if (!changed.has("draft ")) {
    if (state.draft) entry.draft = holdDraft(state.draft);
    else if (!request.cached) delete entry.draft;
  }
  if (!changed.has("hidden")) entry.hidden = state.hidden ?? channel.hidden ?? false;
  const level = state.push_preferences?.chat_level;
  if (level !== undefined) entry.pushLevel = level;
  else delete entry.pushLevel;
  const late = draft.isLate(request.since);
  entry.watched = !late && (request.watched || (entry.watched && !entry.stale));
  entry.unavailable = false;
  entry.stale = request.cached || late;
  // Requested before the connection broke: events were missed, and the recovery may not know this channel (D6).
  if (late) draft.requestRefetch({ kind: "channel", cid: entry.cid });
  if (!request.cached) draft.requeued.push(...draft.releaseEvents(entry.cid, request.since));
}

/** The pinned messages of an answer; events since the request are newer (specification/state.md §2). */
function pinsOf(draft: StateDraft, state: ChannelState, since: number | undefined): ClientMessage[] {
  const { cid } = state.channel;
  const isChanged = ({ id }: Message): boolean => versionOf(draft, cid, id).revision > (since ?? Infinity);
  // A message that changed and is not loaded was unpinned.
  const isKnown = (message: Message): boolean =>
    isMessage(message) &&
    !isGone(draft, cid, message) &&
    (!isChanged(message) || findLoaded(draft, cid, message.id) !== undefined);
  const answered = (state.pinned_messages ?? [])
    .filter(isKnown)
    .map((message) => mergeVersion(draft, cid, message, fromAnswer(since)));
  const answeredIds = new Set(answered.map(({ id }) => id));
  const others = draft
    .peek(cid)!
    .pinned.filter((message) => isChanged(message) && !answeredIds.has(message.id));
  return sortPins([...answered, ...others]).filter((message) => isPinned(message, draft.context.now));
}

function applyLocations(
  draft: StateDraft,
  { channel: { cid }, active_live_locations: answered }: ChannelState,
  changed: ReadonlySet<string>,
): void {
  if (!answered) return;
  const entry = draft.entry(cid)!;
  const later = idsOfParts(changed, "location");
  const isChanged = ({ message_id }: SharedLocation): boolean => later.has(message_id ?? "");
  entry.liveLocations = [
    ...withTrails(entry.liveLocations, answered).filter((location) => !isChanged(location)),
    ...entry.liveLocations.filter(isChanged),
  ];
}

function applyTruncation(draft: StateDraft, { channel, messages }: ChannelState): void {
  if (!channel.truncated_at) return;
  const meta = draft.meta(channel.cid);
  const upTo = lastKeyOf(channel.truncated_at);
  if (upTo <= meta.truncatedUpTo) return;
  meta.truncatedUpTo = upTo;
  const notice = messages.find((message) => message.type === "system" && orderKey(message) <= upTo);
  if (notice) meta.keptMessageId = notice.id;
}

/** Read states of all members, and the unread number of the current user. */
function applyReads(draft: StateDraft, state: ChannelState, request: ChannelRequest): void {
  const { cid } = state.channel;
  const { me } = draft.context;
  for (const read of state.read ?? [])
    if (read?.user?.id !== me) applyReadOfOther(draft, cid, withUser(draft, read));
  const own = state.read?.find((read) => read?.user?.id === me);
  const page = snapshotPageOf(state, request.cached ? 0 : request.limit);
  applySnapshot(draft, cid, own && withUser(draft, own), page, request.since);
  addMentions(draft, cid, state.messages ?? []);
  draft.refetchDone({ kind: "unread", cid });
  // A change since the request may or may not be in the answer.
  if (draft.peekMeta(cid).recountRevision > (request.since ?? Number.MAX_SAFE_INTEGER))
    draft.requestRefetch({ kind: "unread", cid });
}

/** Fields for the current user, which answers contain and events never do. */
function personalFieldsOf(
  draft: StateDraft,
  channel: ChannelState["channel"],
): Partial<ChannelState["channel"]> {
  const { own_capabilities, config } = channel;
  return {
    ...(own_capabilities && { own_capabilities: draft.shared(own_capabilities) }),
    ...(config && { config: draft.shared(config) }),
  };
}

const withUser = (draft: StateDraft, read: Read): Read => ({ ...read, user: draft.user(read.user, true) });

function applyPeople(
  draft: StateDraft,
  state: ChannelState,
  request: ChannelRequest,
  changed: ReadonlySet<string>,
): void {
  const entry = draft.entry(state.channel.cid)!;
  const { me } = draft.context;
  const members = idsOfParts(changed, "member", "ban");
  if (Array.isArray(state.members))
    entry.members = keepChanged(membersOf(draft, state.members), entry.members, members);
  if (!changed.has("memberCount"))
    entry.memberCount = state.channel.member_count ?? Math.max(entry.memberCount, entry.members.size);
  if (me === undefined || !members.has(me)) {
    const membership = state.membership ?? (me === undefined ? undefined : entry.members.get(me));
    if (membership) entry.membership = membership;
    else if (!request.cached) delete entry.membership;
  }
  const watchers = idsOfParts(changed, "watch");
  if (Array.isArray(state.watchers)) {
    const answered = new Map(state.watchers.map((user) => [user.id, draft.user(user, true)]));
    entry.watchers = keepChanged(answered, entry.watchers, watchers);
  }
  if (state.watcher_count !== undefined && watchers.size === 0) entry.watcherCount = state.watcher_count;
}

/** Adds a page of members to the loaded ones; events since the request are newer (specification/state.md §2). */
export function applyMembers(
  draft: StateDraft,
  { cid, members, since }: { cid: string; members: readonly Member[]; since: number },
): void {
  const entry = draft.entry(cid);
  if (!entry) return;
  const changed = idsOfParts(partsChangedSince(draft, cid, since), "member", "ban");
  for (const [id, member] of membersOf(draft, members)) {
    if (!changed.has(id)) entry.members = draft.writable(entry.members).set(id, member);
    if (member.user) updateUserEverywhere(draft, member.user);
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
