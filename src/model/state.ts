/** The client's state as faces read it: immutable snapshots, changed only by the reducers. */
import type { Channel, Member, Read } from "../wire/entities/channel.ts";
import type { Draft } from "../wire/entities/draft.ts";
import type { SharedLocation } from "../wire/entities/location.ts";
import type { Message } from "../wire/entities/message.ts";
import type { OwnUser, User } from "../wire/entities/user.ts";
import type { Position } from "./locations.ts";

export type LinkPhase = "idle" | "connecting" | "open" | "waiting" | "offline" | "stopped";

/** `refused`: the provider does not accept the credentials, another sign-in is needed. `ended`: it ends every connection before it begins. `blocked`: a certificate or a proxy is in the way, and somebody has to mend it. */
type LinkCause = "refused" | "ended" | "blocked";

export interface Link {
  phase: LinkPhase;
  transport?: "websocket" | "longpoll";
  /** Failures in a row, the n of specification/realtime.md §6. */
  failures: number;
  /** When the next attempt is made while `waiting`, by the provider's clock as everything else that is shown. */
  retryAt?: number;
  /** Recovery runs: what is shown may be behind. */
  catchingUp: boolean;
  /** Why the link is not open, a sentence. */
  reason?: string;
  /** What to do, with `blocked`. */
  todo?: string;
  /** What keeps it from opening, where time alone does not mend it. */
  cause?: LinkCause;
  /** The provider's error code, with `refused`. */
  code?: number;
  /** Milliseconds of the last ping's round trip. */
  latency?: number;
}

/** A message with what only this client knows about it. */
export type HeldMessage = Message & {
  /** Absent: the provider has it (R-SEND-13). */
  status?: "sending" | "failed";
  /** While `sending`: what it waits for, and until when (wall clock) if known. */
  waits?: {
    for: "turn" | "answer" | "network" | "rateLimit" | "slowMode" | "signIn" | "undo";
    until?: number;
  };
  error?: { message: string; code?: number };
  /** An answer that the provider does not keep (R-SEND-11): shown to its author until the program ends. */
  unstored?: true;
  /** Its reminder was said to be due: not before the clock of this machine says so too (R-REM-2). */
  reminderDue?: true;
  /** An edit or a delete of it that has not been acknowledged. */
  pendingChange?: "edit" | "delete" | "react";
  /** Where its live location was before, as far as this client saw it. */
  trail?: Trail;
};

/** Places somebody was at, oldest first; degrees. */
export type Trail = readonly Position[];

/** A live location of a channel, and where it was before. */
export type TrackedLocation = SharedLocation & { trail?: Trail };

/** An ordered, immutable list of messages. */
export interface Timeline {
  readonly length: number;
  at(index: number): HeldMessage | undefined;
  /** Position of the message with this id, −1 when absent. */
  indexOf(id: string): number;
  slice(start: number, end: number): HeldMessage[];
  [Symbol.iterator](): Iterator<HeldMessage>;
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
  /** The link was lost since its newest page was taken: replies that come now may stand behind a hole. */
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
  /** First message the new-messages line stands above; fixed while the channel is open. */
  firstUnreadId?: string;
  /** Mark-unread by hand: automatic read is off until the user leaves (R-READ-6). */
  heldUnread: boolean;
  sets: readonly MessageSet[];
  /** Held messages that came alone, as a reply to a send or before the channel had caught up: what stood before them may be missing (D6). */
  detached?: ReadonlySet<string>;
  pinned: readonly Message[];
  threads: ReadonlyMap<string, ThreadEntry>;
  typing: readonly TypingEntry[];
  liveLocations: readonly TrackedLocation[];
  draft?: Draft;
  hidden: boolean;
  /** What of it the person wants to be told, as the provider has it for all their devices (specification/users.md §10). */
  pushLevel?: string;
  /** Deleted or no longer readable: kept to say so (specification/realtime.md §7.4). */
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
  /** Monotonic milliseconds at which it goes away. */
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
  /** A sentence when the disk refuses (full, read-only, damaged). */
  storage?: string;
}

/** A channel, or a thread of it. */
export interface ThreadRef {
  cid: string;
  parentId?: string;
}
