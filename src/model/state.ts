/** The client's state: immutable snapshots, changed only by the reducers. */
import type { Channel, Member, Read } from "../wire/entities/channel.ts";
import type { Draft } from "../wire/entities/draft.ts";
import type { SharedLocation } from "../wire/entities/location.ts";
import type { Message } from "../wire/entities/message.ts";
import type { OwnUser, User } from "../wire/entities/user.ts";
import type { Position } from "./locations.ts";

export type LinkPhase = "idle" | "connecting" | "open" | "waiting" | "offline" | "stopped";

/** `refused`: the credentials were rejected, so the user has to sign in again. `ended`: the provider closes every connection before it is established. `blocked`: by a certificate or a proxy, until somebody fixes it. */
type LinkCause = "refused" | "ended" | "blocked";

export interface Link {
  phase: LinkPhase;
  transport?: "websocket" | "longpoll";
  /** Failures in a row, the n of specification/realtime.md §6. */
  failures: number;
  /** When `waiting`: the time of the next attempt, by the provider's clock like all times shown. */
  retryAt?: number;
  /** Recovery is running: what is shown may be out of date. */
  catchingUp: boolean;
  /** Why the link is not open, a sentence. */
  reason?: string;
  /** What to do, with `blocked`. */
  hint?: string;
  /** Why it cannot open, if retrying alone does not help. */
  cause?: LinkCause;
  /** The provider's error code, with `refused`. */
  code?: number;
  /** Milliseconds of the last ping's round trip. */
  latency?: number;
}

export type ClientMessage = Message & {
  /** Absent: the provider has it (R-SEND-13). */
  status?: "sending" | "failed";
  /** While `sending`: what it is waiting for, and until when (wall clock) if known. */
  waits?: {
    for: "turn" | "answer" | "network" | "rateLimit" | "slowMode" | "signIn" | "undo";
    until?: number;
  };
  error?: { message: string; code?: number };
  /** An answer that the provider does not store (R-SEND-11): shown to its author until the program ends. */
  unstored?: true;
  /** Its reminder was reported as due, and is due by the clock of this machine, too (R-REM-2). */
  reminderDue?: true;
  /** An edit or a delete of it that has not been acknowledged. */
  pendingChange?: "edit" | "delete" | "react";
  /** Earlier positions of its live location, as far as this client saw them. */
  trail?: Trail;
};

/** Earlier positions, oldest first; degrees. */
export type Trail = readonly Position[];

export type TrackedLocation = SharedLocation & { trail?: Trail };

/** An ordered, immutable list of messages. */
export interface Timeline {
  readonly length: number;
  at(index: number): ClientMessage | undefined;
  /** Position of the message with this id, −1 when absent. */
  indexOf(id: string): number;
  slice(start: number, end: number): ClientMessage[];
  [Symbol.iterator](): Iterator<ClientMessage>;
}

export interface MessageSet {
  messages: Timeline;
  hasPrev: boolean;
  hasNext: boolean;
  isLatest: boolean;
  isCurrent: boolean;
  loading?: "prev" | "next";
}

export interface ThreadEntry {
  parentId: string;
  /** The link was lost since its newest page was loaded: replies before new ones may be missing. */
  stale?: boolean;
  sets: readonly MessageSet[];
}

interface TypingEntry {
  user: User;
  parentId?: string;
  /** Monotonic milliseconds of the last `typing.start`. */
  since: number;
}

export interface ChannelEntry {
  cid: string;
  channel: Channel;
  membership?: Member;
  members: ReadonlyMap<string, Member>;
  memberCount: number;
  watchers: ReadonlyMap<string, User>;
  watcherCount: number;
  watched: boolean;
  read: ReadonlyMap<string, Read>;
  unread: number;
  mentions: number;
  /** The message below the new-messages line; fixed while the channel is open. */
  firstUnreadId?: string;
  /** Marked unread by the user: automatic reading is off until the user leaves (R-READ-6). */
  keepsUnread: boolean;
  sets: readonly MessageSet[];
  /** Loaded messages that arrived alone, by a send or before the channel had caught up: messages before them may be missing (D6). */
  detached?: ReadonlySet<string>;
  pinned: readonly Message[];
  threads: ReadonlyMap<string, ThreadEntry>;
  typing: readonly TypingEntry[];
  liveLocations: readonly TrackedLocation[];
  draft?: Draft;
  hidden: boolean;
  /** The user's push level for this channel, shared by all devices (specification/users.md §10). */
  pushLevel?: string;
  /** Deleted or no longer readable; the entry stays to show that (specification/realtime.md §7.4). */
  unavailable: boolean;
  /** From the cache or from before a reconnect, not yet confirmed. */
  stale: boolean;
}

export interface Notice {
  id: string;
  level: "info" | "success" | "warning" | "error";
  text: string;
  reason?: string;
  origin?: string;
  /** When it disappears, monotonic ms. */
  until: number;
}

export interface State {
  link: Link;
  me?: OwnUser;
  users: ReadonlyMap<string, User>;
  channels: ReadonlyMap<string, ChannelEntry>;
  totals: { unread: number; channels: number; threads: number };
  notices: readonly Notice[];
  /** Number of outbox rows that have not been acknowledged. */
  outbox: number;
  /** A sentence if the disk fails (full, read-only, damaged). */
  storage?: string;
}

/** A channel, or a thread of it. */
export interface ThreadRef {
  cid: string;
  parentId?: string;
}
