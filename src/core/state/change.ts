/** Everything but events that changes the state: query answers, page loads, the link, outbox marks, notices. */
import type { ChannelState } from "../../wire/channel.ts";
import type { Message } from "../../wire/message.ts";
import type { MessagePagination } from "../../wire/query.ts";
import type { OwnUser } from "../../wire/user.ts";
import type { HeldMessage, Link, Notice } from "./model.ts";

export type StateChange =
  /** Some keys of the link; given `undefined` clears a key. */
  | { kind: "link"; link: { [K in keyof Link]?: Link[K] | undefined } }
  /** `me` of a first frame: replaces the own user, its mutes and the totals; undefined after a disconnect. */
  | { kind: "me"; me: OwnUser | undefined }
  /**
   * Channel states of a query: hold them, merge their messages as a page without cursor (R-SET-4, -9, -10 with
   * `messageLimit` as L), replace members, read and watchers, keep local sending/failed rows (realtime.md §7.3).
   */
  | { kind: "channels"; states: ChannelState[]; messageLimit: number; watched: boolean }
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
    }
  /** A load of one direction began or ended on the current set (R-SET-15). */
  | { kind: "loading"; cid: string; parentId?: string; loading: "prev" | "next" | undefined }
  /** The set that holds this message, or the latest one when no id is given, becomes current (R-SET-12, -14). */
  | { kind: "current"; cid: string; parentId?: string; messageId?: string }
  /** All watched channels are behind from now on, typing and watchers are forgotten (R-TYPE-7). */
  | { kind: "stale" }
  /** Deleted or no longer readable (realtime.md §7.4). */
  | { kind: "unavailable"; cids: string[] }
  | { kind: "unwatched"; cid: string }
  /** An own message of the outbox as it now stands: inserted, replaced or remarked; `undefined` message removes it. */
  | {
      kind: "outbox";
      cid: string;
      parentId?: string;
      messageId: string;
      message?: HeldMessage | undefined;
      count: number;
    }
  | { kind: "notice"; notice: Notice }
  | { kind: "notices.expired"; now: number }
  | { kind: "storage"; storage: string | undefined }
  /** The user is gone: everything but the link and the notices is forgotten (auth.md §4, disconnectUser). */
  | { kind: "reset" };
