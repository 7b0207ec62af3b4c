/** Defines an entry of Inbox, Threads, Later, Drafts or the pins. */
import { cidTitle, userName } from "../../../model/channels.ts";
import type { State, ThreadRef } from "../../../model/state.ts";
import { excerpt } from "../../../model/message-words.ts";
import type { Message } from "../../../wire/entities/message.ts";

/** A line of text under the title, cleaned. */
interface EntryLine {
  author?: string;
  text: string;
}

export interface ListEntry {
  /** Identifies the entry across changes of the list. */
  key: string;
  /** The heading above the first entry of the group. */
  group?: string;
  title: string;
  /** Milliseconds since the epoch. */
  at?: number;
  /** Unread messages, or 1 for a due reminder. */
  newCount: number;
  mentions?: number;
  /** Shown instead of the counts, such as the time left. */
  note?: string;
  lines: readonly EntryLine[];
  place: ThreadRef;
  /** The message it is about. */
  messageId?: string;
}

/** The author (`you` for the current user) and the first line of a message. */
export const messageLine = (message: Message, me: string | undefined): EntryLine => ({
  author: message.user?.id === me ? "you" : userName(message.user),
  text: excerpt(message),
});

/** `#general`, `#general · thread` or the names of the others. */
export const placeTitle = (state: State, { cid, parentId }: ThreadRef): string =>
  parentId === undefined ? cidTitle(state, cid) : `${cidTitle(state, cid)} · thread`;
