/** What the transport half asks of the domain half: the one list of things they know about each other. */
import type { ConnectPayload } from "../wire/endpoints.ts";
import type { OwnUser, User } from "../wire/user.ts";
import type { Call, Handlers } from "./handler.ts";
import type { Emit } from "./realtime/emit.ts";
import type { Database } from "./store/database.ts";

/** What authentication needs to know about a stored user (auth.md §3 steps 10, 12 and 13). */
export interface Account {
  role: string;
  /** App-wide ban: connecting is allowed, writes are refused with code 17. */
  banned: boolean;
  deactivated: boolean;
  deleted: boolean;
  invisible: boolean;
  /** Tokens issued before this moment fail with code 40; whole microseconds. */
  revokedBefore: number | undefined;
}

export interface Domain {
  /** SQL texts applied once each, in order. */
  readonly migrations: readonly string[];
  readonly handlers: Handlers;
  /** Merge upsert of the handshake's `user_details` (users.md §4); sets `last_active`. */
  connectUser(call: Pick<Call, "db" | "emit" | "caller" | "now" | "uuid">, payload: ConnectPayload): void;
  ownUser(db: Database, emit: Emit, userId: string, now: number): OwnUser;
  /** The public object of a user as others see it; undefined when unknown. */
  publicUser(db: Database, emit: Emit, userId: string): User | undefined;
  account(db: Database, userId: string): Account | undefined;
  /** Writes `last_active` (whole microseconds): at disconnect and every 15 minutes while connected. */
  touch(db: Database, userId: string, now: number): void;
  /** Members of a channel that have accepted, for code N of events.md §2. */
  memberIds(db: Database, cid: string): string[];
  /** Those of `cids` that are unknown, deleted or not readable for the user. */
  inaccessible(db: Database, userId: string, cids: string[]): string[];
  /** Throws a `Refusal` unless the caller may upload to the channel (UP-1). */
  mayUpload(call: Call, cid: string): void;
  /** May the caller delete files of others in the channel (UP-6). */
  mayDeleteUpload(call: Call, cid: string): boolean;
}
