/** An entry of Inbox, Threads, Later or Drafts as data. */
import { cidTitle, userName } from "../../../model/channels.ts";
import type { State, ThreadRef } from "../../../model/state.ts";
import { excerpt } from "../../../model/message-words.ts";
import type { Message } from "../../../wire/entities/message.ts";

/** Somebody's words, cleaned. */
interface Said {
  who?: string;
  text: string;
}

export interface ListEntry {
  /** The same for as long as it is the same thing. */
  key: string;
  /** The head above the first of its kind. */
  group?: string;
  where: string;
  /** Milliseconds since the epoch. */
  at?: number;
  /** What is new in it. */
  fresh: number;
  mentions?: number;
  /** Instead of the number, such as how long there is left. */
  note?: string;
  said: readonly Said[];
  place: ThreadRef;
  /** The message it is about. */
  messageId?: string;
}

/** Who and the first line; one's own words say `you`. */
export const saidIn = (message: Message, me: string | undefined): Said => ({
  who: message.user?.id === me ? "you" : userName(message.user),
  text: excerpt(message),
});

/** `#general`, `#general · thread` or the names of the others. */
export const whereOf = (state: State, { cid, parentId }: ThreadRef): string =>
  parentId === undefined ? cidTitle(state, cid) : `${cidTitle(state, cid)} · thread`;
