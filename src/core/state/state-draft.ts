/** A working copy of the internal state for one batch; each container is copied on its first write. */
import { sameList } from "../../model/same-list.ts";
import { compareTimes } from "../../wire/time.ts";
import type { Channel } from "../../wire/entities/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { User } from "../../wire/entities/user.ts";
import type { Refetch } from "./change.ts";
import type { ChannelEntry, MessageSet, State } from "../../model/state.ts";
import { TimelineEdit } from "./timeline.ts";
import {
  EMPTY_CHANNEL_META,
  MAX_HELD_CHANNELS,
  MAX_HELD_EVENTS,
  type ChannelMeta,
  type ReduceContext,
  type HeldEvent,
  type InternalState,
} from "./internal-state.ts";

export interface SetDraft {
  edit: TimelineEdit;
  hasPrev: boolean;
  hasNext: boolean;
  isLatest: boolean;
  isCurrent: boolean;
  loading?: "prev" | "next" | undefined;
  /** The set it was copied from. */
  origin?: MessageSet;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function refetchKey(refetch: Refetch): string {
  return `${refetch.kind} ${refetch.cid} ${refetch.kind === "message" ? refetch.id : ""}`;
}

function finishSet(draft: SetDraft): MessageSet {
  const messages = draft.edit.finish();
  const { origin, hasPrev, hasNext, isLatest, isCurrent, loading } = draft;
  if (
    origin &&
    origin.messages === messages &&
    origin.hasPrev === hasPrev &&
    origin.hasNext === hasNext &&
    origin.isLatest === isLatest &&
    origin.isCurrent === isCurrent &&
    origin.loading === loading
  )
    return origin;
  return { messages, hasPrev, hasNext, isLatest, isCurrent, ...(loading && { loading }) };
}

export class StateDraft {
  readonly context: ReduceContext;
  readonly state: Mutable<State>;
  readonly revision: number;
  offset: number;
  totalsAt: string;
  lastEventAt: string;
  interruptedRevision: number;
  #before: InternalState;
  #channels: Map<string, ChannelEntry> | undefined;
  #entries = new Map<string, Mutable<ChannelEntry>>();
  #metas = new Map<string, Mutable<ChannelMeta>>();
  #sets = new Map<string, SetDraft[]>();
  #users: Map<string, User> | undefined;
  #shared = new Map<string, unknown>();
  /** Maps copied in this batch: they can be changed in place. */
  #ownedMaps = new WeakSet<ReadonlyMap<unknown, unknown>>();
  #heldEvents: Map<string, readonly HeldEvent[]>;
  #refetches: Refetch[];
  #requested: Set<string>;
  /** Held events that became applicable in this batch. */
  readonly requeued: AnyEvent[] = [];
  /** The events are older than the loaded snapshot, whose numbers include them already. */
  isReplay = false;
  /** Local events to emit after the state has changed (R-TYPE-5). */
  readonly emitted: AnyEvent[] = [];

  constructor(before: InternalState, context: ReduceContext) {
    this.#before = before;
    this.context = context;
    this.state = { ...before.state };
    this.revision = before.revision + 1;
    this.offset = before.offset;
    this.totalsAt = before.totalsAt;
    this.lastEventAt = before.lastEventAt;
    this.interruptedRevision = before.interruptedRevision;
    this.#heldEvents = new Map(before.heldEvents);
    this.#refetches = [...before.refetchQueue];
    this.#requested = new Set(before.refetchRequested);
  }

  /** Whether an answer was requested before the connection was lost: it is outdated, and its watch has ended. */
  isLate(since: number | undefined): boolean {
    return since !== undefined && since < this.interruptedRevision;
  }

  has(cid: string): boolean {
    return (this.#channels ?? this.#before.state.channels).has(cid);
  }
  get cids(): string[] {
    return [...(this.#channels ?? this.#before.state.channels).keys()];
  }

  /** The current entry, for reading only; its `sets` and `threads` may lag behind `sets()`. */
  peek(cid: string): Readonly<ChannelEntry> | undefined {
    return this.#entries.get(cid) ?? (this.#channels ?? this.#before.state.channels).get(cid);
  }

  #channelsForChange(): Map<string, ChannelEntry> {
    return (this.#channels ??= new Map(this.#before.state.channels));
  }

  /** The entry for changing; undefined when the channel is not loaded. */
  entry(cid: string): Mutable<ChannelEntry> | undefined {
    const owned = this.#entries.get(cid);
    if (owned) return owned;
    const held = this.peek(cid);
    if (!held) return undefined;
    const copy = { ...held };
    this.#entries.set(cid, copy);
    this.#channelsForChange().set(cid, copy);
    return copy;
  }

  create(channel: Channel): Mutable<ChannelEntry> {
    const entry: Mutable<ChannelEntry> = {
      cid: channel.cid,
      channel,
      members: new Map(),
      memberCount: channel.member_count ?? 0,
      watchers: new Map(),
      watcherCount: 0,
      watched: false,
      read: new Map(),
      unread: 0,
      mentions: 0,
      keepsUnread: false,
      sets: [],
      pinned: [],
      threads: new Map(),
      typing: [],
      liveLocations: [],
      hidden: false,
      unavailable: false,
      stale: false,
    };
    this.#entries.set(channel.cid, entry);
    this.#channelsForChange().set(channel.cid, entry);
    return entry;
  }

  clear(): void {
    this.#channels = new Map();
    this.#entries.clear();
    this.#metas.clear();
    this.#sets.clear();
    this.#users = new Map();
    this.#heldEvents.clear();
    this.#refetches = [];
    this.#requested.clear();
    this.#before = { ...this.#before, channelMeta: new Map() };
  }

  meta(cid: string): Mutable<ChannelMeta> {
    let meta = this.#metas.get(cid);
    if (!meta)
      this.#metas.set(cid, (meta = { ...(this.#before.channelMeta.get(cid) ?? EMPTY_CHANNEL_META) }));
    return meta;
  }
  peekMeta(cid: string): Readonly<ChannelMeta> {
    return this.#metas.get(cid) ?? this.#before.channelMeta.get(cid) ?? EMPTY_CHANNEL_META;
  }

  /** The sets of a channel or thread, for changing; undefined when it is not loaded. */
  sets(cid: string, parentId?: string): SetDraft[] | undefined {
    const key = `${cid}\u0000${parentId ?? ""}`;
    const existing = this.#sets.get(key);
    if (existing) return existing;
    const entry = this.peek(cid);
    const sets = parentId === undefined ? entry?.sets : entry?.threads.get(parentId)?.sets;
    if (!sets) return undefined;
    const drafts = sets.map((set): SetDraft => ({
      edit: new TimelineEdit(set.messages),
      hasPrev: set.hasPrev,
      hasNext: set.hasNext,
      isLatest: set.isLatest,
      isCurrent: set.isCurrent,
      loading: set.loading,
      origin: set,
    }));
    this.#sets.set(key, drafts);
    return drafts;
  }

  setSets(cid: string, parentId: string | undefined, sets: SetDraft[]): void {
    this.#sets.set(`${cid}\u0000${parentId ?? ""}`, sets);
  }

  /** Adds a thread without messages if it is not loaded yet. */
  openThread(cid: string, parentId: string): SetDraft[] {
    const entry = this.entry(cid)!;
    if (!entry.threads.has(parentId))
      entry.threads = this.writable(entry.threads).set(parentId, { parentId, sets: [] });
    return this.sets(cid, parentId)!;
  }
  closeThread(cid: string, parentId: string): void {
    if (!this.peek(cid)?.threads.has(parentId)) return;
    const entry = this.entry(cid)!;
    entry.threads = this.without(entry.threads, parentId);
    this.#sets.delete(`${cid}\u0000${parentId}`);
  }

  /** All loaded message lists of a channel: its own and those of its threads. */
  messageLists(cid: string): SetDraft[][] {
    const threads = [...(this.peek(cid)?.threads.keys() ?? [])];
    return [undefined, ...threads].map((parentId) => this.sets(cid, parentId) ?? []);
  }

  userOf(id: string): User | undefined {
    return (this.#users ?? this.#before.state.users).get(id);
  }

  /** The shared object of a user; `fresh` takes the given one even when it is not newer (queries, `user.*`). */
  user(user: User, fresh = false): User {
    const held = this.userOf(user.id);
    if (held === user) return held;
    if (held) {
      const order = compareTimes(user.updated_at, held.updated_at);
      if (order < 0 || (order === 0 && !fresh)) return held;
      let same = true;
      for (const key of Object.keys(user) as (keyof User)[])
        if (user[key] !== held[key] && typeof user[key] !== "object") same = false;
      if (same && order === 0) return held;
    }
    // A complete user object replaces the old one; a partial one is merged.
    const next = held && !(fresh && user.created_at) ? { ...held, ...user } : user;
    (this.#users ??= new Map(this.#before.state.users)).set(user.id, next);
    return next;
  }
  readonly intern = (user: User): User => this.user(user);

  /** One object for equal values in this batch: configs and capabilities of a channel type are alike and take most of the memory. */
  shared<T>(value: T): T {
    const text = JSON.stringify(value);
    if (!this.#shared.has(text)) this.#shared.set(text, value);
    return this.#shared.get(text) as T;
  }

  /** The map for changing: copied once per batch, because many events may change the same large map. */
  writable<K, V>(map: ReadonlyMap<K, V>): Map<K, V> {
    if (this.#ownedMaps.has(map)) return map as Map<K, V>;
    const copy = new Map(map);
    this.#ownedMaps.add(copy);
    return copy;
  }

  without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
    if (!map.has(key)) return map;
    const next = this.writable(map);
    next.delete(key);
    return next;
  }

  requestRefetch(refetch: Refetch): void {
    const key = refetchKey(refetch);
    if (this.#requested.has(key)) return;
    this.#requested.add(key);
    this.#refetches.push(refetch);
  }
  isRefetchRequested(refetch: Refetch): boolean {
    return this.#requested.has(refetchKey(refetch));
  }
  refetchDone(refetch: Refetch): void {
    const key = refetchKey(refetch);
    if (!this.#requested.delete(key)) return;
    this.#refetches = this.#refetches.filter((each) => refetchKey(each) !== key);
  }

  /** Keeps an event of a channel that is not loaded. */
  holdEvent(cid: string, event: AnyEvent): void {
    const queue = this.#heldEvents.get(cid) ?? [];
    this.#heldEvents.set(cid, [...queue, { event, revision: this.revision }].slice(-MAX_HELD_EVENTS));
    const [oldest] = this.#heldEvents.keys();
    if (this.#heldEvents.size > MAX_HELD_CHANNELS) this.#heldEvents.delete(oldest!);
  }
  /** Removes and returns the kept events, except those from before revision `since`, which the answer includes. */
  releaseEvents(cid: string, since = -1): readonly AnyEvent[] {
    const queue = this.#heldEvents.get(cid) ?? [];
    this.#heldEvents.delete(cid);
    return queue.filter(({ revision }) => revision > since).map(({ event }) => event);
  }

  finish(): InternalState {
    for (const [key, drafts] of this.#sets) {
      const [cid, parentId] = key.split("\u0000") as [string, string];
      const sets = drafts.map(finishSet);
      const held = this.peek(cid);
      if (!held) continue;
      if (parentId === "") {
        if (!sameList(held.sets, sets)) this.entry(cid)!.sets = sets;
        continue;
      }
      const thread = held.threads.get(parentId);
      if (!thread || sameList(thread.sets, sets)) continue;
      const entry = this.entry(cid)!;
      entry.threads = this.writable(entry.threads).set(parentId, { ...thread, sets });
    }
    if (this.#channels) this.state.channels = this.#channels;
    if (this.#users) this.state.users = this.#users;
    let { channelMeta: metas } = this.#before;
    if (this.#metas.size) {
      const next = new Map(metas);
      for (const [cid, meta] of this.#metas) next.set(cid, meta);
      metas = next;
    }
    return {
      state: this.state,
      channelMeta: metas,
      heldEvents: this.#heldEvents,
      refetchQueue: this.#refetches,
      refetchRequested: this.#requested,
      revision: this.revision,
      offset: this.offset,
      totalsAt: this.totalsAt,
      lastEventAt: this.lastEventAt,
      interruptedRevision: this.interruptedRevision,
    };
  }
}
