/** The whole internal state: the snapshot that faces read, and what makes reducers idempotent. */
import type { AnyEvent } from "../../wire/events.ts";
import type { OutboxAction } from "../base/outbox-row.ts";
import type { Refetch } from "./change.ts";
import type { HeldMessage, State } from "../../model/state.ts";

/** What a reducer may know besides the state: nothing else comes from outside. */
export interface ReduceContext {
  me: string | undefined;
  /** Provider time, milliseconds since the epoch: local clock + offset (specification/wire.md §7). */
  now: number;
  /** Milliseconds that never go back. */
  monotonic: number;
}

/** An unacknowledged edit, delete or reaction over a held message (R-SEND-14). */
export interface PendingChange {
  seq: number;
  action: OutboxAction;
}

interface Pending {
  /** The message as the provider last told it. */
  base: HeldMessage;
  changes: readonly PendingChange[];
}

/** The newest moments at which parts of a message were told, so that an older event changes nothing (R-MSG-4, specification/state.md §2). */
export interface AppliedVersion {
  body: string;
  reactions: string;
  /** Own reaction type → normal time of its newest event. */
  own: Readonly<Record<string, string>>;
  /** Own reaction type → number of the reduction that applied its newest event. */
  ownRevisions: Readonly<Record<string, number>>;
  /** Number of the reduction that applied the last event. */
  revision: number;
}

/** A part of a channel that events tell, or of it what concerns one user or message, by its id. */
export type ToldPart =
  | "channel"
  | "there"
  | "hidden"
  | "memberCount"
  | `${"member" | "ban" | "watch" | "draft" | "reminder" | "location"} ${string}`;

interface Telling {
  /** Normal time of the newest event. */
  at: string;
  /** Number of the reduction that took it. */
  revision: number;
}

/** What is known of a channel and drawn by nobody. Keys are place keys (timeline.ts). */
export interface ChannelMeta {
  /** The provider's unread number at the last snapshot (specification/reading.md §1). */
  snapshotCount: number;
  /** Numbers of the reductions that took the last snapshot, and that last left its number unsure (D9). */
  snapshotRevision: number;
  recountRevision: number;
  /** The snapshot was made of the held list, because a mark was on its way: when that ends, the provider has to say. */
  guessed: boolean;
  /** From here on the number came with every message it counts; of older ones it is not known which. */
  floor: string;
  /** Ids of those that it counts. */
  known: ReadonlySet<string>;
  /** Messages up to here are in the snapshot. */
  snapshotEnd: string;
  /** Keys of later messages that count (R-READ-2), ascending. */
  newerKeys: readonly string[];
  /** Keys of unread messages that mention the own user, ascending (R-READ-10). */
  mentions: readonly string[];
  /** Ids of deleted messages: never counted again, and taken off the snapshot once where it counts them (R-READ-7). */
  deletedIds: ReadonlySet<string>;
  /** Moment of the newest own read or mark-unread applied (D8). */
  readStamp: string;
  /** Number of the reduction that moved the own cursor last: an answer asked for before it may not know of it (D8). */
  readRevision: number;
  /** Number of the reduction that left the own read state to the provider's word, 0 = none: the next answer may take it back (D8). */
  trustRevision: number;
  /** Moment of an own read mark that the provider has not taken yet; empty when there is none (D8). */
  localReadAt: string;
  /** Hard-deleted ids. */
  tombstones: ReadonlySet<string>;
  /** Messages up to here were truncated away; `keptMessageId` is the system message that stays (R-SET-16). */
  truncatedUpTo: string;
  keptMessageId?: string;
  /** Events of messages not held yet, in order of arrival, at most 100. */
  heldEvents: readonly AnyEvent[];
  versions: ReadonlyMap<string, AppliedVersion>;
  pending: ReadonlyMap<string, Pending>;
  /** Messages of the latest set kept while it is current. */
  windowSize: number;
  told: ReadonlyMap<ToldPart, Telling>;
}

export interface HeldEvent {
  event: AnyEvent;
  /** Number of the reduction that it came with. */
  revision: number;
}

export interface InternalState {
  state: State;
  channelMeta: ReadonlyMap<string, ChannelMeta>;
  /** Events of channels that are not held yet, at most 100 each. */
  heldEvents: ReadonlyMap<string, readonly HeldEvent[]>;
  refetchQueue: readonly Refetch[];
  /** Keys of refetches that were requested and are not answered yet. */
  refetchRequested: ReadonlySet<string>;
  revision: number;
  /** Provider clock − local clock, milliseconds. */
  offset: number;
  /** Moment of the newest event whose counters were taken (R-READ-8). */
  totalsAt: string;
  /** Moment of the newest event of a channel: what an answer counts was told up to here at least. */
  heardAt: string;
  /** Number of the reduction that left everything held behind last: answers asked for before it know nothing of now (D6). */
  interruptedAt: number;
}

/** Messages of the latest set kept in memory while it is current. */
export const WINDOW_SIZE = 1000;
/** Events kept for a channel or messages not known yet (specification/state.md §1). */
export const MAX_HELD_EVENTS = 100;
/** Channels not known yet of which events are kept. */
export const MAX_HELD_CHANNELS = 300;

export const EMPTY_CHANNEL_META: ChannelMeta = {
  snapshotCount: 0,
  snapshotRevision: 0,
  recountRevision: 0,
  guessed: false,
  floor: "",
  known: new Set(),
  snapshotEnd: "",
  newerKeys: [],
  mentions: [],
  deletedIds: new Set(),
  readStamp: "",
  readRevision: 0,
  trustRevision: 0,
  localReadAt: "",
  tombstones: new Set(),
  truncatedUpTo: "",
  heldEvents: [],
  versions: new Map(),
  pending: new Map(),
  windowSize: WINDOW_SIZE,
  told: new Map(),
};

export const EMPTY_STATE: State = {
  link: { phase: "idle", failures: 0, catchingUp: false },
  users: new Map(),
  channels: new Map(),
  totals: { unread: 0, channels: 0, threads: 0 },
  notices: [],
  outbox: 0,
};

export const EMPTY_INTERNAL_STATE: InternalState = {
  state: EMPTY_STATE,
  channelMeta: new Map(),
  heldEvents: new Map(),
  refetchQueue: [],
  refetchRequested: new Set(),
  revision: 0,
  offset: 0,
  totalsAt: "",
  heardAt: "",
  interruptedAt: 0,
};
