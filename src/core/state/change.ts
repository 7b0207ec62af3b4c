/** Everything but events that changes the state, as one union: answers, pages, outbox rows and the user's actions. */
import type { ChannelState, Member } from "../../wire/entities/channel.ts";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import type { MessagePagination } from "../../wire/entities/query.ts";
import type { OwnUser, User } from "../../wire/entities/user.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import type { HeldMessage, Link, Notice } from "../../model/state.ts";

export type StateChange =
  /** Some keys of the link; given `undefined` clears a key. */
  | { kind: "link"; link: { [K in keyof Link]?: Link[K] | undefined } }
  /** `me` of a first frame: replaces the own user, its mutes and the totals; undefined after a disconnect (R-MUTE-2, R-READ-8). */
  | { kind: "me"; me: OwnUser | undefined }
  /** Provider clock − local clock, milliseconds, learned from health checks (specification/wire.md §7). */
  | { kind: "offset"; ms: number }
  /**
   * Channel states of a query: hold them, merge their messages as a page without cursor (R-SET-4, -9, -10 with
   * `messageLimit` as L), replace members, read and watchers, keep local sending/failed rows (specification/realtime.md §7.3).
   */
  /** `since` = revision of the state when the answer was asked for: what was read later is not taken back (D8). */
  | { kind: "channels"; states: ChannelState[]; messageLimit: number; watched: boolean; since?: number }
  /** From the cache: held and shown as `stale`, never over what is newer. */
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
      /** Revision of the state when the page was asked for: what was told later is newer (specification/state.md §2). */
      since?: number;
    }
  /** A page of a channel's members, asked for at revision `since`; the others that are held stay. */
  | { kind: "members"; cid: string; members: Member[]; since: number }
  /** A load of one direction began or ended on the current set (R-SET-15). */
  | { kind: "loading"; cid: string; parentId?: string; loading: "prev" | "next" | undefined }
  /** The set that holds this message, or the latest one when no id is given, becomes current (R-SET-12, -14). */
  | { kind: "current"; cid: string; parentId?: string; messageId?: string }
  /** What is held is behind from now on; typing and watchers are forgotten (R-TYPE-7). */
  | { kind: "stale" }
  /** Nobody can say what changed before this message meanwhile: what is older is loaded anew when it is wanted (D7). */
  | { kind: "olderUnknown"; cid: string; from: Message }
  /** Deleted or no longer readable (specification/realtime.md §7.4). */
  | { kind: "unavailable"; cids: string[] }
  | { kind: "unwatched"; cid: string }
  /** One message of an HTTP answer. `since` = `machine.revision()` when the request began (specification/state.md §2). */
  | { kind: "message"; message: Message; since?: number }
  /** The answer of a vote, for every message that holds the poll: own votes always, the rest when no event came since. */
  | { kind: "poll"; poll: Poll; since?: number }
  /** Unread mentions found by the search after a start (specification/reading.md §1). */
  | { kind: "mentions"; cid: string; messages: Message[] }
  /** Nobody has the message that a refetch asked for. */
  | { kind: "unknownMessage"; cid: string; id: string }
  /** A row was made durable: its echo or its optimistic change appears (R-SEND-5, R-SEND-14). `fresh`: written just now, not found at a start. */
  | { kind: "queued"; row: OutboxRow; user: User; fresh: boolean }
  /** What the row waits for has changed. */
  | { kind: "marked"; row: OutboxRow; waits: NonNullable<HeldMessage["waits"]> }
  /** Acknowledged; `message` is the provider's copy (R-SEND-6, R-SEND-7), `heard` one that an event has told (D3). */
  | {
      kind: "settled";
      row: OutboxRow;
      message?: Message;
      reaction?: Reaction;
      since?: number;
      heard?: true;
    }
  /** Refused for good: a send stays as `failed`, anything else is undone (R-SEND-8, R-SEND-14); `answer` is a reply of type error or ephemeral (R-SEND-11). */
  | { kind: "rejected"; row: OutboxRow; answer?: Message }
  /** A button was pressed; `message` is what stands there now, none when it is gone. */
  | { kind: "acted"; cid: string; messageId: string; message?: Message; since?: number }
  /** Taken back or dropped by the user: its echo or change goes away. */
  | { kind: "dropped"; row: OutboxRow }
  /** Unread numbers in all, asked for because no first frame told them (R-READ-8). */
  | { kind: "totals"; unread: number; channels: number; threads: number }
  | { kind: "outbox"; count: number }
  /** The channel is on screen at its newest message: nothing is unread up to it (R-READ-3). */
  | { kind: "seen"; cid: string }
  /** The provider has taken an own read mark, up to that moment. */
  | { kind: "readTaken"; cid: string; at: string; messageId?: string }
  /** Own read marks up to this moment, or all of them, will not be made: from now on the provider knows better. */
  | { kind: "readGivenUp"; cid: string; upTo?: string }
  /** A mark failed and took others with it: the provider is asked how far it has been read. */
  | { kind: "readUnknown"; cid: string }
  /** The user looks elsewhere (R-READ-6). */
  | { kind: "left"; cid: string }
  /** `id` and `until` are made when absent; same text and origin renews (R-NOTE-2). */
  | { kind: "notice"; notice: Pick<Notice, "level" | "text"> & Partial<Notice> }
  | { kind: "dismiss"; id: string }
  | { kind: "storage"; storage: string | undefined }
  /** The user is gone: everything but the link and the notices is forgotten (specification/auth.md §4, disconnectUser). */
  | { kind: "reset" };

/** What the state cannot make by itself: somebody has to ask the provider for it, once. */
export type Refetch =
  | { kind: "channel"; cid: string }
  | { kind: "message"; cid: string; id: string }
  /** What the unread number was told with does not say whether it counts something (D9): the channel is asked anew, when it is quiet. */
  | { kind: "unread"; cid: string }
  /** A delete changes the numbers over all channels and tells none (R-READ-8); `cid` is empty. */
  | { kind: "totals"; cid: "" }
  /** Own role or membership changed: capabilities may have. */
  | { kind: "capabilities"; cid: string };
