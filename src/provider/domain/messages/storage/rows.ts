/** Stored message rows, and which of them a reader may see. */
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import type { Attachment } from "../../../../wire/entities/attachment.ts";
import type { MessageType, Reaction, ReactionGroup } from "../../../../wire/entities/message.ts";
import type { Fields } from "../../validation/check.ts";

export interface MessageRow {
  id: string;
  cid: string;
  created_at: number;
  updated_at: number;
  user_id: string;
  type: MessageType;
  listed: number;
  counts: number;
  parent_id: string | null;
  quoted_id: string | null;
  poll_id: string | null;
  text: string;
  silent: number;
  restricted: string | null;
  /** 1: only its author sees it, because of a shadow ban or blocklist; `restricted` is an empty list then. */
  shadowed: number;
  uncounted: string | null;
  pinned_at: number | null;
  pin_expires: number | null;
  pinned_by: string | null;
  deleted_at: number | null;
  /** The original type of a soft-deleted message; null otherwise. */
  was: MessageType | null;
  text_updated_at: number | null;
  reply_count: number;
  deleted_reply_count: number;
  has_location: number;
  reactions: string | null;
  data: string;
}

/** The JSON of `data`. */
export interface MessageData {
  attachments?: Attachment[];
  mentioned?: string[];
  command?: string;
  args?: string;
  show_in_channel?: true;
  /** Role and custom fields of the author's membership when it was sent. */
  member?: Fields;
  mentioned_channel?: true;
  mentioned_here?: true;
  /** HTML given by a server, used instead of the rendered text. */
  html?: string;
  /** The text rendered as HTML, stored because rendering for every reader is slow; absent for plain text. */
  rendered?: string;
  mml?: string;
  /** The source language's code under `language`, the texts under `<code>_text`. */
  i18n?: Record<string, string>;
  /** Participants of the thread whose unread count this reply did not raise. */
  not_notified?: string[];
  /** The same list, as older versions stored it. */
  undisturbed?: string[];
  /** Who wrote the current content, when it is not the author. */
  edited_by?: string;
  /** The address whose preview the provider attached. */
  enriched?: string;
  custom?: Fields;
}

/** Participants of the thread whose unread count a reply did not raise. */
export const notNotifiedBy = ({ not_notified, undisturbed }: MessageData): readonly string[] =>
  not_notified ?? undisturbed ?? [];

/** The JSON of `reactions`; contains user ids instead of users. */
export interface StoredReactions {
  groups: Record<string, ReactionGroup>;
  latest: Omit<Reaction, "user">[];
}

/** Any stored message, including soft-deleted ones and regardless of visibility. */
export function findMessage(db: Database, id: string): MessageRow | undefined {
  return db.get<MessageRow>("SELECT * FROM messages WHERE id = ?", id);
}

/** Whether the message is pinned; an expired pin counts as none (specification/messages.md §6). */
export const isPinnedRow = (row: MessageRow, now: number): boolean =>
  row.pinned_at !== null && (row.pin_expires === null || row.pin_expires > now);

/** What a reader may see of a channel: restricted messages or not, and only messages after `since`. */
export interface Visibility {
  /** Undefined for a server, which sees everything. */
  userId: string | undefined;
  readsRestricted: boolean;
  /** Messages at or before this time are hidden; 0 hides none. */
  since: number;
}

/** SQL condition on `m`: its readers, without regard to time; bind `readerValues` for its parameters. */
export const SHOWN_TO_READER = `(m.restricted IS NULL OR ? > m.shadowed OR m.user_id = ?
  OR EXISTS (SELECT 1 FROM json_each(m.restricted) v WHERE v.value = ?))`;
export const readerValues = ({
  userId,
  readsRestricted,
}: Omit<Visibility, "since">): [number, string, string] => [
  // A server also sees shadowed messages.
  readsRestricted ? (userId === undefined ? 2 : 1) : 0,
  userId ?? "",
  userId ?? "",
];

/** SQL condition on `m`; bind `visibilityValues` for its parameters. */
export const VISIBLE = `m.created_at > ? AND ${SHOWN_TO_READER}`;
export const visibilityValues = (visibility: Visibility): [number, number, string, string] => [
  visibility.since,
  ...readerValues(visibility),
];

/** The same as VISIBLE, for a loaded row. */
export function isVisible(visibility: Visibility, row: MessageRow): boolean {
  if (row.created_at <= visibility.since) return false;
  if (row.shadowed === 1)
    return (
      row.user_id === visibility.userId || (visibility.userId === undefined && visibility.readsRestricted)
    );
  if (row.restricted === null || visibility.readsRestricted || row.user_id === visibility.userId) return true;
  return (JSON.parse(row.restricted) as string[]).includes(visibility.userId ?? "");
}

export const noMessage = (id: string): ApiProblem =>
  ApiProblem.notFound(`Message ${id.slice(0, 255)} does not exist`);

/** A message by id; 404 (code 16) when it does not exist. Does not check visibility. */
export function messageRow(db: Database, id: string): MessageRow {
  const row = findMessage(db, id);
  if (!row) throw noMessage(id);
  return row;
}

/** When the user last wrote in a channel after `since`. */
export function lastWrittenAt(db: Database, cid: string, userId: string, since: number): number | undefined {
  return db.value<number>(
    "SELECT created_at FROM messages WHERE cid = ? AND created_at > ? AND user_id = ? ORDER BY created_at DESC LIMIT 1",
    cid,
    since,
    userId,
  );
}

/** Messages with a poll that are not deleted, oldest first. */
export function messagesWithPoll(db: Database, pollId: string): MessageRow[] {
  return db.all<MessageRow>(
    "SELECT * FROM messages WHERE poll_id = ? AND type <> 'deleted' ORDER BY created_at",
    pollId,
  );
}

/** The messages with these ids, regardless of visibility. */
export function messagesAmong(db: Database, ids: readonly string[]): MessageRow[] {
  return db.all<MessageRow>(
    "SELECT * FROM messages WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(ids),
  );
}

/** Including deleted replies. */
export function repliesTo(db: Database, parentId: string): MessageRow[] {
  return db.all<MessageRow>("SELECT * FROM messages WHERE parent_id = ?", parentId);
}

/** Messages of a channel up to a time that have a reminder or a draft. */
export function messagesWithDependents(db: Database, cid: string, upTo: number): string[] {
  return db.column<string>(
    `SELECT m.id FROM messages m WHERE m.cid = ?1 AND m.created_at <= ?2 AND (EXISTS (SELECT 1 FROM reminders r WHERE r.message_id = m.id)
       OR EXISTS (SELECT 1 FROM drafts d WHERE d.parent_id = m.id AND d.parent_id <> '')
       OR EXISTS (SELECT 1 FROM drafts d WHERE d.quoted_id = m.id AND d.quoted_id IS NOT NULL))`,
    cid,
    upTo,
  );
}
