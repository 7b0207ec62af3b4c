/** Everything but events that changes the state: answers, pages, outbox rows and what the user does, as one union. */
import type { ChannelState, Member } from "../../wire/channel.ts";
import type { Message } from "../../wire/message.ts";
import type { Poll } from "../../wire/poll.ts";
import type { MessagePagination } from "../../wire/query.ts";
import type { OwnUser, User } from "../../wire/user.ts";
import type { Place } from "../core.ts";
import type { OutboxRow } from "../store/store.ts";
import type { HeldMessage, Link, Notice } from "./model.ts";

export type StateChange =
  /** The connect answer: replaces the own user and the totals (R-MUTE-2, R-READ-8). */
  | { kind: "me"; me: OwnUser }
  | { kind: "link"; link: Partial<Link> }
  /** Provider clock − local clock, milliseconds, learned from health checks (decisions 21). */
  | { kind: "offset"; ms: number }
  /** An answer of QueryChannels, of one channel's query, or the cache; `messageLimit` is what was asked for (R-SET-4). */
  | {
      kind: "channels";
      states: ChannelState[];
      messageLimit: number;
      watched: boolean;
      from?: "provider" | "cache";
    }
  /** One page of a channel or a thread; `limit` is what was asked for (R-SET-3…12). */
  | {
      kind: "page";
      place: Place;
      pagination: MessagePagination;
      limit: number;
      messages: Message[];
      makeCurrent?: boolean;
    }
  /** A load of that side of the current set began or ended (R-SET-15). */
  | { kind: "loading"; place: Place; side: "prev" | "next"; on: boolean }
  /** The set holding the message becomes current; without an id the latest (R-SET-12, R-SET-14). */
  | { kind: "current"; place: Place; messageId?: string }
  /** One message of an HTTP answer. `since` = `machine.serial()` when the request began (decisions 23). */
  | { kind: "message"; message: Message; since?: number }
  /** The answer of a vote: own votes always, the rest when no event came since. */
  | { kind: "poll"; cid: string; messageId: string; poll: Poll; since?: number }
  | { kind: "members"; cid: string; members: Member[] }
  | { kind: "watched"; cid: string; watched: boolean }
  /** Unread mentions found by the search after a start (decisions 22). */
  | { kind: "mentions"; cid: string; messages: Message[] }
  /** The answer of the wish `message`: it is held, or nobody has it. */
  | { kind: "unknownMessage"; cid: string; id: string }
  /** A row was made durable: its echo or its optimistic change appears (R-SEND-5, R-SEND-14). */
  | { kind: "queued"; row: OutboxRow; user: User; fresh: boolean }
  /** What the row waits for has changed. */
  | { kind: "marked"; row: OutboxRow; waits: NonNullable<HeldMessage["waits"]> }
  /** Acknowledged; `message` is the provider's copy (R-SEND-6, R-SEND-7). */
  | { kind: "settled"; row: OutboxRow; message?: Message; since?: number }
  /** Refused for good: a send stays as `failed`, anything else is undone (R-SEND-8, R-SEND-14). */
  | { kind: "rejected"; row: OutboxRow; answer?: Message }
  /** Taken back or dropped by the user: the echo goes away. */
  | { kind: "dropped"; row: OutboxRow }
  | { kind: "outbox"; count: number }
  /** The channel is on screen at its newest message: nothing is unread up to it. */
  | { kind: "seen"; cid: string }
  /** The user looks elsewhere (R-READ-6). */
  | { kind: "left"; cid: string }
  | { kind: "notice"; notice: Pick<Notice, "level" | "text"> & Partial<Notice> }
  | { kind: "dismiss"; id: string }
  /** The own call truncated the channel. */
  | { kind: "truncated"; cid: string; at?: string; message?: Message }
  /** Deleted or no longer readable. */
  | { kind: "unavailable"; cid: string }
  /** What is held of these channels (default all) may be behind; typing entries go (R-TYPE-7). */
  | { kind: "stale"; cids?: string[] }
  | { kind: "storage"; text?: string }
  /** Forgets everything of the user but the notices. */
  | { kind: "signedOut" };

/** What the state cannot make by itself: somebody has to ask the provider for it, once. */
export type Want =
  | { kind: "channel"; cid: string }
  | { kind: "message"; cid: string; id: string }
  /** Own role or membership changed: capabilities may have. */
  | { kind: "capabilities"; cid: string };
