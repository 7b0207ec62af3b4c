/** The whole of what is known: the snapshot faces read, and beside it the books that make reducers idempotent. */
import type { AnyEvent } from "../../wire/events.ts";
import type { OutboxAction } from "../store/store.ts";
import type { Want } from "./change.ts";
import type { HeldMessage, State } from "../../model/state.ts";

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

/** Books of a channel that nobody draws. Keys are place keys (timeline.ts). */
export interface Book {
  /** The provider's unread number at the last snapshot (decisions 22). */
  base: number;
  /** Numbers of the reductions that took the last snapshot, and that last left the base unsure (D9). */
  baseSerial: number;
  doubtSerial: number;
  /** The base was made of the held list, because a mark was on its way: when that ends, the provider has to say. */
  guessed: boolean;
  /** From here on the number came with every message it counts; of older ones it is not known which. */
  floor: string;
  /** Ids of those that it counts. */
  known: ReadonlySet<string>;
  /** Messages up to here are in `base`. */
  boundary: string;
  /** Keys of later messages that count (R-READ-2), ascending. */
  counted: readonly string[];
  /** Keys of unread messages that mention the own user, ascending (R-READ-10). */
  mentions: readonly string[];
  /** Ids of deleted messages: never counted again, and taken off `base` once where it includes them (R-READ-7). */
  deleted: ReadonlySet<string>;
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

export interface Waiting {
  event: AnyEvent;
  /** Number of the reduction that it came with. */
  serial: number;
}

export interface World {
  state: State;
  books: ReadonlyMap<string, Book>;
  /** Events of channels that are not held yet, at most 100 each. */
  waiting: ReadonlyMap<string, readonly Waiting[]>;
  wants: readonly Want[];
  /** Wishes uttered and not served. */
  asked: ReadonlySet<string>;
  serial: number;
  /** Provider clock − local clock, milliseconds. */
  offset: number;
  /** Moment of the newest event whose counters were taken (R-READ-8). */
  totalsAt: string;
  /** Number of the reduction that left everything held behind last: answers asked for before it know nothing of now (D6). */
  interrupted: number;
}

/** Messages of the latest set kept in memory while it is current. */
export const ROOM = 1000;
/** Events kept for a channel or messages not known yet (reliability.md §1, "Applying"). */
export const QUEUE = 100;

export const EMPTY_BOOK: Book = {
  base: 0,
  baseSerial: 0,
  doubtSerial: 0,
  guessed: false,
  floor: "",
  known: new Set(),
  boundary: "",
  counted: [],
  mentions: [],
  deleted: new Set(),
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
  interrupted: 0,
};
