/** The interface between transport and domain: what the transport asks. */
import type { DatabaseSync } from "node:sqlite";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { OwnUser, User } from "../../wire/entities/user.ts";
import type { RouteCall, DomainHandlers, Prefetches } from "./handler.ts";
import type { Emit } from "./emit.ts";
import type { Database, Derived } from "./database.ts";

/** What authentication needs to know about a stored user (specification/auth.md §3.9, §3.11, §3.12). */
export interface Account {
  role: string;
  /** App-wide ban: connecting is allowed, writes are refused with code 17. */
  banned: boolean;
  /** When that ban is over, whole microseconds; undefined: never. */
  banExpires?: number | undefined;
  deactivated: boolean;
  deleted: boolean;
  invisible: boolean;
  /** Tokens issued before this moment fail with code 40; whole microseconds. */
  revokedBefore: number | undefined;
}

/** What a `Map` by user id and a `Set` of user ids have in common. */
export interface UserSet {
  readonly size: number;
  has(userId: string): boolean;
  keys(): IterableIterator<string>;
}

/** What work by the clock is given: a transaction of its own. */
export type Due = Pick<RouteCall, "db" | "emit" | "now" | "uuid" | "jobFiles" | "uploads"> & {
  /** Says to the operator what went wrong with a part of the work that is passed over. */
  failed?(error: unknown): void;
};

/** Work that becomes due by the clock (reminders, mutes, campaigns). It is stored, so a restart forgets none. */
export interface DueWork {
  readonly name: string;
  /** When it is due next, whole microseconds; undefined while nothing waits. Asked after commits: one indexed read. */
  next(db: Database): number | undefined;
  /** One step in one transaction; while `next` is not later than now, one step follows in each turn of the event loop. */
  run(due: Due): void;
}

export interface Domain {
  /** SQL texts applied once each, in order. */
  readonly migrations: readonly string[];
  /** Gives the database the SQL functions that the migrations and the queries call. */
  registerFunctions?(raw: DatabaseSync): void;
  /** What can be made anew from the rest when it alone is damaged. */
  readonly derived?: Derived;
  /** Called before every commit that wrote: what is cheaper for all calls of a transaction at once. */
  settle?(db: Database): void;
  readonly handlers: DomainHandlers;
  readonly prefetches: Prefetches;
  readonly due: readonly DueWork[];
  /** Routes that only read and may take long; reading threads answer them where they do. */
  readonly longRoutes: ReadonlySet<EndpointName>;
  /** Whether a call of them is not even tried on the thread that answers everybody. */
  needsReadingThread(db: Database, name: EndpointName): boolean;
  /** The connection of a call that a reading thread answers watches channels; throws an `ApiProblem` where it may not. */
  watchFor(call: RouteCall, cids: readonly string[]): void;
  /** Merge upsert of the handshake's `user_details` (specification/users.md §4); sets `last_active`. `now` in whole microseconds. */
  connectUser(
    db: Database,
    emit: Emit,
    userId: string,
    details: Record<string, unknown>,
    now: number,
    /** Default: a live connect of a user who is online when `emit` says so. */
    how?: { live: boolean; wasOnline: boolean },
  ): void;
  ownUser(db: Database, emit: Emit, userId: string, now: number): OwnUser;
  account(db: Database, userId: string): Account | undefined;
  /** Writes `last_active`; answers the user as others see it, for presence events. */
  touch(db: Database, emit: Emit, userId: string, now: number): User | undefined;
  /** Is it told when the user starts or stops watching: the type has `connect_events` and the user is not invisible. */
  announcesWatching(db: Database, userId: string, cid: string): boolean;
  /** Those of `users` that are members of the channel without a pending invite, for code N of specification/events.md §2. */
  membersAmong(db: Database, cid: string, users: UserSet): string[];
  /** The member of a channel of two who has blocked `causedBy` and hears nothing of it there (specification/events.md §2). */
  blockedRecipient(db: Database, cid: string, causedBy: string): string | undefined;
  /** The member of a channel of two whom the reader has blocked. */
  blockedAuthor(db: Database, cid: string, reader: string): string | undefined;
  /** Up to when the channel's history is hidden from the reader, whole microseconds; 0 hides none. */
  hiddenBefore?(db: Database, cid: string, reader: string): number;
  /** The `device` key of a handshake (specification/realtime.md §1). Throws an `ApiProblem` of code 4. */
  connectDevice(db: Database, userId: string, device: Record<string, unknown>, now: number): void;
  /** What a webhook carries besides its event: the members of its channel with their unread numbers (specification/admin.md §12). */
  hookExtras?(db: Database, emit: Pick<Emit, "online">, event: AnyEvent): Record<string, unknown>;
  /** Those of `cids` that are unknown, deleted or not readable for the user. */
  inaccessible(db: Database, userId: string, cids: string[]): string[];
  /** Throws an `ApiProblem` unless the caller may upload to the channel (UP-1). */
  requireUpload(call: RouteCall, cid: string): void;
  /** May the caller delete files of others in the channel (UP-6). Throws an `ApiProblem` when it is gone or disabled. */
  canDeleteUpload(call: RouteCall, cid: string): boolean;
}
