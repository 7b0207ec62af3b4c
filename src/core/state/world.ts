/** The whole of what is known: the snapshot faces read, and beside it the books that make reducers idempotent. */
import type { AnyEvent } from "../../wire/events.ts";
import type { OutboxAction } from "../store/store.ts";
import type { Want } from "./change.ts";
import type { HeldMessage, State } from "./model.ts";

/** What a reducer may know besides the state: nothing else comes from outside. */
export interface Facts {
  me: string | undefined;
  /** Provider time, milliseconds since the epoch: local clock + offset (decisions 21). */
  now: number;
  /** Milliseconds that never go back. */
  monotonic: number;
}

/** An unacknowledged edit, delete or reaction over a held message (R-SEND-14). */
export interface PendingChange {
  seq: number;
  action: OutboxAction;
}

export interface Pending {
  /** The message as the provider last told it. */
  base: HeldMessage;
  changes: readonly PendingChange[];
}

/** The newest moments at which parts of a message were told, so that an older event changes nothing (R-MSG-4, decisions 23). */
export interface Told {
  body: string;
  reactions: string;
  /** Own reaction type → normal time of its newest event. */
  own: Readonly<Record<string, string>>;
  /** Own reaction type → number of the reduction that applied its newest event. */
  ownSerials: Readonly<Record<string, number>>;
  /** Number of the reduction that applied the last event. */
  serial: number;
}

/** A delete and what it takes off the unread number. */
export interface Lowered {
  /** Normal time of the delete. */
  at: string;
  /** Place key of the message. */
  key: string;
  /** It was not known as deleted until then, and counted. */
  counted: boolean;
  /** It counts while it is not deleted. */
  worth: boolean;
  /** The base counts the message: it is taken off it. */
  open: boolean;
}

/** A stretch of messages that the base was told or made with: it says of each whether the base counts it. */
export interface Counted {
  /** Place keys of its ends, both within. */
  from: string;
  to: string;
  /** Ids of those that had not been deleted. */
  alive: ReadonlySet<string>;
}

/** Books of a channel that nobody draws. Keys are place keys (timeline.ts). */
export interface Book {
  /** The provider's unread number at the last snapshot (decisions 22). */
  base: number;
  /** Moment the number was told for; deletes up to it are in it. */
  baseAt: string;
  /** Numbers of the reductions that took the last snapshot, and that last left the base unsure (D9). */
  baseSerial: number;
  doubtSerial: number;
  /** The base was made of a held list with a gap, because a mark was on its way: when that ends, the provider has to say. */
  clamped: boolean;
  /** The page that came with the number; a delete of a message within it needs no clock. */
  page?: Counted | undefined;
  /** Messages up to here are in `base`. */
  boundary: string;
  /** Keys of later messages that count (R-READ-2), ascending. */
  counted: readonly string[];
  /** Keys of unread messages that mention the own user, ascending (R-READ-10). */
  mentions: readonly string[];
  /** Deleted messages by id: never counted again, and taken off `base` once where it includes them (R-READ-7). */
  lowered: ReadonlyMap<string, Lowered>;
  /** Moment of the newest own read or mark-unread applied (D8). */
  readStamp: string;
  /** Number of the reduction that moved the own cursor last: an answer asked for before it may not know of it (D8). */
  readSerial: number;
  /** Number of the reduction that left the own read state to the provider's word, 0 = none: the next answer may take it back (D8). */
  believeSerial: number;
  /** Moment of an own read mark that the provider has not taken yet; empty when there is none (D8). */
  claimed: string;
  /** Hard-deleted ids. */
  tombs: ReadonlySet<string>;
  /** Messages up to here were truncated away; `cutKeeps` is the system message that stays (R-SET-16). */
  cut: string;
  cutKeeps?: string;
  /** Events of messages not held yet, in order of arrival, at most 100. */
  ahead: readonly AnyEvent[];
  told: ReadonlyMap<string, Told>;
  pending: ReadonlyMap<string, Pending>;
  /** Messages of the latest set kept while it is current. */
  room: number;
  /** Newest moment of a channel update applied. */
  updateStamp: string;
  /** User id → newest moment his membership was told. */
  memberStamps: ReadonlyMap<string, string>;
}

export interface World {
  state: State;
  books: ReadonlyMap<string, Book>;
  /** Events of channels that are not held yet, at most 100 each. */
  waiting: ReadonlyMap<string, readonly AnyEvent[]>;
  wants: readonly Want[];
  /** Wishes uttered and not served. */
  asked: ReadonlySet<string>;
  serial: number;
  /** Provider clock − local clock, milliseconds. */
  offset: number;
  /** Moment of the newest event whose counters were taken (R-READ-8). */
  totalsAt: string;
}

/** Messages of the latest set kept in memory while it is current. */
export const ROOM = 1000;
/** Events kept for a channel or messages not known yet (reliability.md §1, "Applying"). */
export const QUEUE = 100;

export const EMPTY_BOOK: Book = {
  base: 0,
  baseAt: "",
  baseSerial: 0,
  doubtSerial: 0,
  clamped: false,
  boundary: "",
  counted: [],
  mentions: [],
  lowered: new Map(),
  readStamp: "",
  readSerial: 0,
  believeSerial: 0,
  claimed: "",
  tombs: new Set(),
  cut: "",
  ahead: [],
  told: new Map(),
  pending: new Map(),
  room: ROOM,
  updateStamp: "",
  memberStamps: new Map(),
};

export const EMPTY_STATE: State = {
  link: { phase: "idle", failures: 0, catchingUp: false },
  users: new Map(),
  channels: new Map(),
  totals: { unread: 0, channels: 0, threads: 0 },
  notices: [],
  outbox: 0,
};

export const EMPTY_WORLD: World = {
  state: EMPTY_STATE,
  books: new Map(),
  waiting: new Map(),
  wants: [],
  asked: new Set(),
  serial: 0,
  offset: 0,
  totalsAt: "",
};
