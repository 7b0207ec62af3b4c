/** The interface of the domain that the transport calls. */
import type { DatabaseSync } from "node:sqlite";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import type { Gone, Subjects } from "../../wire/gone.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Task } from "../../wire/entities/task.ts";
import type { ImportTask } from "../../wire/entities/import.ts";
import type { OwnUser, User } from "../../wire/entities/user.ts";
import type { RouteCall, DomainHandlers, Prefetches } from "./handler.ts";
import type { Emit } from "./emit.ts";
import type { Database, Derived } from "./database.ts";

/** The facts about a stored user that authentication needs (specification/auth.md §3.9, §3.11, §3.12). */
export interface Account {
  role: string;
  /** App-wide ban: connecting is allowed, writes are refused with code 17. */
  banned: boolean;
  /** When the ban ends, whole microseconds; undefined: never. */
  banExpires?: number | undefined;
  deactivated: boolean;
  deleted: boolean;
  invisible: boolean;
  /** Tokens issued before this moment fail with code 40; whole microseconds. */
  revokedBefore: number | undefined;
}

/** The common interface of a `Map` by user id and a `Set` of user ids. */
export interface UserSet {
  readonly size: number;
  has(userId: string): boolean;
  keys(): IterableIterator<string>;
}

/** The context of scheduled work, which runs in a separate transaction. */
export type DueContext = Pick<RouteCall, "db" | "emit" | "now" | "uuid" | "jobFiles" | "uploads"> & {
  /** Reports an error in a part of the work that was skipped. */
  reportError?(error: unknown): void;
};

/** Finds what of the subjects is deleted; the domain knows it. */
export type FindGone = (db: Database, subjects: Subjects) => Gone;

/** Scheduled work (reminders, mutes, campaigns). The schedule is stored, so it survives a restart. */
export interface DueWork {
  readonly name: string;
  /** The next due time, whole microseconds; undefined when nothing is scheduled. Called after commits, so it must be one indexed read. */
  next(db: Database): number | undefined;
  /** Runs one step in one transaction; repeated in each turn of the event loop while `next` is due. */
  run(due: DueContext): void;
}

/** `path`: of an uploaded file. `complete` fills what is empty, `replace` overwrites what the file says. */
export interface ImportOrder {
  path: string;
  mode: "complete" | "replace";
}

export interface Domain {
  /** SQL texts, each applied once, in order. */
  readonly migrations: readonly string[];
  /** Registers the SQL functions that the migrations and queries call. */
  registerFunctions?(raw: DatabaseSync): void;

  readonly derived?: Derived;
  /** Called before every commit that wrote, for work that is cheaper once for all calls of a transaction. */
  beforeCommit?(db: Database): void;
  readonly handlers: DomainHandlers;
  readonly prefetches: Prefetches;
  readonly due: readonly DueWork[];
  /** A task that a dry run would start, as it would end; undefined when that is not known soon. */
  tryTask?(call: RouteCall, id: string): Task | undefined;
  /** Read-only routes that may take long and can move to a reading thread. */
  readonly longRoutes: ReadonlySet<EndpointName>;
  /** Whether a call of a long route goes to a reading thread at once, without a try on the main thread. */
  needsReadingThread(db: Database, name: EndpointName): boolean;
  /** Starts watching channels for a call that a reading thread answers; throws an `ApiProblem` where the caller may not. */
  watchFor(call: RouteCall, cids: readonly string[]): void;
  /** Merge upsert of the handshake's `user_details` (specification/users.md §4); sets `last_active`. `now` in whole microseconds. */
  connectUser(
    db: Database,
    emit: Emit,
    userId: string,
    details: Record<string, unknown>,
    now: number,
    /** Default: a live connect of a user who is online when `emit` says so. */
    options?: { live: boolean; wasOnline: boolean },
  ): void;
  ownUser(db: Database, emit: Emit, userId: string, now: number): OwnUser;
  account(db: Database, userId: string): Account | undefined;
  /** When this user was erased for good, if no account was made since; whole microseconds. */
  erasedAt?(db: Database, userId: string): number | undefined;
  /** Writes `last_active`; returns the user as others see it, for presence events. */
  touch(db: Database, emit: Emit, userId: string, now: number): User | undefined;
  /** Whether watchers get an event when the user starts or stops watching: the type has `connect_events` and the user is not invisible. */
  announcesWatching(db: Database, userId: string, cid: string): boolean;
  /** The `users` that are members of the channel without a pending invite, for code N of specification/events.md §2. */
  membersAmong(db: Database, cid: string, users: UserSet): string[];
  /** The member of a channel of two who has blocked `causedBy` and gets no events caused by that user there (specification/events.md §2). */
  blockedRecipient(db: Database, cid: string, causedBy: string): string | undefined;
  /** The member of a channel of two whom the reader has blocked. */
  blockedAuthor(db: Database, cid: string, reader: string): string | undefined;
  /** The time up to which the channel's history is hidden from the reader, whole microseconds; 0 hides nothing. */
  hiddenBefore?(db: Database, cid: string, reader: string): number;
  /** What of these is deleted; readers of stored copies leave it out. */
  findGone?: FindGone;
  /** The `device` key of a handshake (specification/realtime.md §1). Throws an `ApiProblem` of code 4. */
  connectDevice(db: Database, userId: string, device: Record<string, unknown>, now: number): void;
  /** The fields a webhook carries besides its event: the channel's members with their unread numbers (specification/admin.md §12). */
  hookExtras?(db: Database, emit: Pick<Emit, "online">, event: AnyEvent): Record<string, unknown>;
  /** The `cids` that are unknown, deleted or not readable for the user. */
  inaccessible(db: Database, userId: string, cids: string[]): string[];
  /** Throws an `ApiProblem` unless the caller may upload to the channel (UP-1). */
  requireUpload(call: RouteCall, cid: string): void;
  /** Starts the import of an uploaded file for the owner of the provider, whose modes keep what exists (specification/admin.md §10). Throws code 4. */
  startImport(due: DueContext, order: ImportOrder): ImportTask;
  /** Whether the caller may delete other users' files in the channel (UP-6). Throws an `ApiProblem` when the channel is deleted or disabled. */
  canDeleteUpload(call: RouteCall, cid: string): boolean;
}
