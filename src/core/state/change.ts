/** All changes of the state except events, as one union: answers, pages, outbox rows and the user's actions. */
import type { ChannelState, Member } from "../../wire/entities/channel.ts";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import type { MessagePagination } from "../../wire/entities/query.ts";
import type { OwnUser, User } from "../../wire/entities/user.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import type { ClientMessage, Link, Notice } from "../../model/state.ts";

export type StateChange =
  /** Some keys of the link; given `undefined` clears a key. */
  | { kind: "link"; link: { [K in keyof Link]?: Link[K] | undefined } }
  /** `me` of a first frame: replaces the current user, their mutes and the totals; undefined after a disconnect (R-MUTE-2, R-READ-8). */
  | { kind: "me"; me: OwnUser | undefined }
  /** Provider clock − local clock, milliseconds, learned from health checks (specification/wire.md §7). */
  | { kind: "offset"; ms: number }
  /**
   * Channel states of a query: merges their messages as a page without cursor (R-SET-4, -9, -10 with `messageLimit` as L),
   * replaces members, read and watchers, keeps local sending/failed messages (specification/realtime.md §7.3).
   * `since` = revision of the state at the request: later reads are not undone (D8).
   */
  | { kind: "channels"; states: ChannelState[]; messageLimit: number; watched: boolean; since?: number }
  /** From the cache: loaded as `stale`, never over a newer version. */
  | { kind: "restored"; me?: OwnUser; states: ChannelState[] }
  /** A page of messages of a channel, or of replies when `parentId` is given (R-SET-3…11, limit = L). */
  | {
      kind: "page";
      cid: string;
      parentId?: string;
      messages: Message[];
      pagination: MessagePagination & { limit: number };
      /** Makes the receiving set current (R-SET-12). */
      current?: boolean;
      /** Revision of the state at the request: events after it are newer than the page (specification/state.md §2). */
      since?: number;
    }
  /** A page of a channel's members, requested at revision `since`; other loaded members stay. */
  | { kind: "members"; cid: string; members: Member[]; since: number }
  /** Loading a page beside the current set began or ended (R-SET-15). */
  | { kind: "loading"; cid: string; parentId?: string; loading: "prev" | "next" | undefined }
  /** Makes the set with this message current, or the latest one without an id (R-SET-12, -14). */
  | { kind: "current"; cid: string; parentId?: string; messageId?: string }
  /** The connection was lost: everything loaded is stale; typing and watchers are cleared (R-TYPE-7). */
  | { kind: "stale" }
  /** Unloads messages before this one, which may have changed unnoticed; they are loaded again when needed (D7). */
  | { kind: "dropOlder"; cid: string; from: Message }
  /** Deleted or no longer readable (specification/realtime.md §7.4). */
  | { kind: "unavailable"; cids: string[] }
  | { kind: "unwatched"; cid: string }
  /** One message of an HTTP answer. `since` = `machine.revision()` when the request began (specification/state.md §2). */
  | { kind: "message"; message: Message; since?: number }
  /** The answer to a vote, for every message with the poll: always sets own votes, the rest only when no event came since. */
  | { kind: "poll"; poll: Poll; since?: number }
  /** Unread mentions found by the search after a start (specification/reading.md §1). */
  | { kind: "mentions"; cid: string; messages: Message[] }
  /** The provider does not have the message that a refetch requested. */
  | { kind: "unknownMessage"; cid: string; id: string }
  /** A row was stored: shows its echo or its optimistic change (R-SEND-5, R-SEND-14). `fresh`: created just now, not found at a start. */
  | { kind: "queued"; row: OutboxRow; user: User; fresh: boolean }
  /** The reason why the row waits has changed. */
  | { kind: "marked"; row: OutboxRow; waits: NonNullable<ClientMessage["waits"]> }
  /** Acknowledged; `message` is the provider's copy (R-SEND-6, R-SEND-7), which an event brought with `fromEvent` (D3). */
  | {
      kind: "settled";
      row: OutboxRow;
      message?: Message;
      reaction?: Reaction;
      since?: number;
      fromEvent?: true;
    }
  /** Refused: a send stays as `failed`, other changes are undone (R-SEND-8, R-SEND-14); `answer` is a message of type error or ephemeral (R-SEND-11). */
  | { kind: "rejected"; row: OutboxRow; answer?: Message }
  /** The answer to a pressed button; `message` replaces the old one, absent when it was removed. */
  | { kind: "actionAnswered"; cid: string; messageId: string; message?: Message; since?: number }
  /** Dropped by the user: removes its echo or change. */
  | { kind: "dropped"; row: OutboxRow }
  /** Total unread numbers, requested because no first frame had them (R-READ-8). */
  | { kind: "totals"; unread: number; channels: number; threads: number }
  | { kind: "outbox"; count: number }
  /** Messages of the channel have been in sight (R-READ-3): those up to this time; without it, all that are loaded. */
  | { kind: "seen"; cid: string; upTo?: string }
  /** The provider accepted a read mark of the current user, up to this time. */
  | { kind: "readAccepted"; cid: string; at: string; messageId?: string }
  /** Read marks up to this time, or all, are given up: the provider's read state counts. */
  | { kind: "readMarkDropped"; cid: string; upTo?: string }
  /** Marking unread failed: the read state must be fetched from the provider. */
  | { kind: "readUnknown"; cid: string }
  /** The channel is no longer on screen (R-READ-6). */
  | { kind: "channelClosed"; cid: string }
  | { kind: "held"; cid: string; on: boolean }
  /** `id` and `until` get defaults; the same text and origin renews a notice (R-NOTE-2). */
  | { kind: "notice"; notice: Pick<Notice, "level" | "text"> & Partial<Notice> }
  | { kind: "dismiss"; id: string }
  | { kind: "storage"; storage: string | undefined }
  /** The user signed out: clears everything but the link and the notices (specification/auth.md §4, disconnectUser). */
  | { kind: "reset" };

/** Data that must be fetched from the provider, because events do not contain it. */
export type Refetch =
  | { kind: "channel"; cid: string }
  | { kind: "message"; cid: string; id: string }
  /** The unread number has become uncertain (D9): the channel is queried again once no more changes come. */
  | { kind: "unread"; cid: string }
  /** A delete changes the totals without an event that contains them (R-READ-8); `cid` is empty. */
  | { kind: "totals"; cid: "" }
  /** The user's role or membership changed, and perhaps their capabilities. */
  | { kind: "capabilities"; cid: string };
