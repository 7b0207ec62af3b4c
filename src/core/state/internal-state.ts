/** The internal state: the public snapshot, and the bookkeeping that makes reducers idempotent. */
import type { AnyEvent } from "../../wire/events.ts";
import type { OutboxAction } from "../base/outbox-row.ts";
import type { Refetch } from "./change.ts";
import type { ClientMessage, State } from "../../model/state.ts";

/** The only inputs of a reducer besides the state. */
export interface ReduceContext {
  me: string | undefined;
  /** Provider time, milliseconds since the epoch: local clock + offset (specification/wire.md §7). */
  now: number;
  /** Milliseconds that never go back. */
  monotonic: number;
}

/** An unacknowledged edit, delete or reaction on a loaded message (R-SEND-14). */
export interface PendingChange {
  seq: number;
  action: OutboxAction;
}

interface Pending {
  /** The provider's last version of the message. */
  base: ClientMessage;
  changes: readonly PendingChange[];
}

/** Times of the newest events applied to the parts of a message, so that an older event changes nothing (R-MSG-4, specification/state.md §2). */
export interface AppliedVersion {
  body: string;
  reactions: string;
  /** Reaction type of the current user → normal time of its newest event. */
  own: Readonly<Record<string, string>>;
  /** Reaction type of the current user → revision that applied its newest event. */
  ownRevisions: Readonly<Record<string, number>>;
  /** Revision that applied the last event. */
  revision: number;
}

/** A part of a channel that events change; parts of one user or message end with its id. */
export type ChannelPart =
  | "channel"
  | "availability"
  | "hidden"
  | "memberCount"
  | `${"member" | "ban" | "watch" | "draft" | "reminder" | "location"} ${string}`;

interface PartVersion {
  /** Normal time of the newest event. */
  at: string;
  /** Revision that applied it. */
  revision: number;
}

/** Bookkeeping of a channel that is never shown. Message keys are those of `orderKey` (timeline.ts). */
export interface ChannelMeta {
  /** The provider's unread number at the last snapshot (specification/reading.md §1). */
  snapshotCount: number;
  /** Revisions that applied the last snapshot, and that last made its number uncertain (D9). */
  snapshotRevision: number;
  recountRevision: number;
  /** The snapshot was estimated from loaded messages while a read mark was in flight; it is fetched again afterwards. */
  isEstimate: boolean;
  /** Ids of the known messages that the number counts. */
  countedIds: ReadonlySet<string>;
  /** Key up to which messages are in the snapshot. */
  snapshotEnd: string;
  /** Keys of later messages that count (R-READ-2), ascending. */
  newerKeys: readonly string[];
  /** Keys of unread messages that mention the current user, ascending (R-READ-10). */
  mentions: readonly string[];
  /** Ids of deleted messages: never counted again, and subtracted from the snapshot once if it counts them (R-READ-7). */
  deletedIds: ReadonlySet<string>;
  /** Time of the newest applied read or mark-unread of the current user (D8). */
  readEventAt: string;
  /** Revision that last moved the user's read cursor: an answer requested before may not include it (D8). */
  readRevision: number;
  /** Revision after which the next answer may lower the user's read state; 0 = none (D8). */
  readUnknownRevision: number;
  /** Time of a read mark that the provider has not accepted yet; empty = none (D8). */
  localReadAt: string;
  /** Hard-deleted ids. */
  tombstones: ReadonlySet<string>;
  /** Key up to which messages were truncated; `keptMessageId` is the system message that stays (R-SET-16). */
  truncatedUpTo: string;
  keptMessageId?: string;
  /** Events of messages that are not loaded yet, in order of arrival, at most 100. */
  heldEvents: readonly AnyEvent[];
  /** Events of messages older than the loaded ones, or in no list, at most 100: a page that was asked for before lacks them. */
  outsideEvents: readonly HeldEvent[];
  versions: ReadonlyMap<string, AppliedVersion>;
  pending: ReadonlyMap<string, Pending>;
  /** How many messages of the latest set stay loaded while it is current. */
  windowSize: number;
  /** Somebody reads in it: `HELD_WINDOW_SIZE` messages stay. */
  isHeld: boolean;
  partVersions: ReadonlyMap<ChannelPart, PartVersion>;
}

export interface HeldEvent {
  event: AnyEvent;
  /** Revision at its arrival. */
  revision: number;
}

export interface InternalState {
  state: State;
  channelMeta: ReadonlyMap<string, ChannelMeta>;
  /** Events of channels that are not loaded yet, at most 100 each. */
  heldEvents: ReadonlyMap<string, readonly HeldEvent[]>;
  refetchQueue: readonly Refetch[];
  /** Keys of requested refetches without an answer yet. */
  refetchRequested: ReadonlySet<string>;
  revision: number;
  /** Provider clock − local clock, milliseconds. */
  offset: number;
  /** Time of the newest event whose counters were applied (R-READ-8). */
  totalsAt: string;
  /** Time of the newest event of any channel: answers count at least up to here. */
  lastEventAt: string;
  /** Revision that last made everything stale: answers requested before it are outdated (D6). */
  interruptedRevision: number;
}

/** Default of `ChannelMeta.windowSize`. */
export const WINDOW_SIZE = 1000;
/** The same while the channel is held. */
export const HELD_WINDOW_SIZE = 10_000;
/** Events kept per channel that is not loaded, and for messages that are not (specification/state.md §1). */
export const MAX_HELD_EVENTS = 100;
/** Channels that are not loaded of which events are kept. */
export const MAX_HELD_CHANNELS = 300;

export const EMPTY_CHANNEL_META: ChannelMeta = {
  snapshotCount: 0,
  snapshotRevision: 0,
  recountRevision: 0,
  isEstimate: false,
  countedIds: new Set(),
  snapshotEnd: "",
  newerKeys: [],
  mentions: [],
  deletedIds: new Set(),
  readEventAt: "",
  readRevision: 0,
  readUnknownRevision: 0,
  localReadAt: "",
  tombstones: new Set(),
  truncatedUpTo: "",
  heldEvents: [],
  outsideEvents: [],
  versions: new Map(),
  pending: new Map(),
  windowSize: WINDOW_SIZE,
  isHeld: false,
  partVersions: new Map(),
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
  lastEventAt: "",
  interruptedRevision: 0,
};
