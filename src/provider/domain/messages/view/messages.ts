/** Converts message rows to messages of the wire; a whole page is read with a few queries. */
import { htmlOf } from "../../../../text/html.ts";
import type { Message, Reaction } from "../../../../wire/entities/message.ts";
import { timeFromMicros, maybeTime } from "../../../../wire/time.ts";
import { emptiedMessage } from "../../../../wire/gone.ts";
import { spendViews } from "../../../store/budget.ts";
import type { Database } from "../../../base/database.ts";
import type { Fields } from "../../validation/check.ts";
import { can, userPermissions } from "../../access/view/policy.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import { threadDraftsOf } from "../../drafts/storage/drafts.ts";
import { locationsOf } from "../../locations/view/locations.ts";
import {
  isPinnedRow,
  type MessageData,
  type MessageRow,
  type StoredReactions,
  messagesAmong,
} from "../storage/rows.ts";
import { pollsOf } from "../../polls/view/polls.ts";
import { remindersOn } from "../../reminders/storage/reminders.ts";
import { storedReaction, ownReactionsOn } from "../storage/reactions.ts";
import { deletedForMe } from "../storage/deleted-for-me.ts";
import { hiddenReplies, writersUnder, type HiddenReplies } from "../../threads/storage/rows.ts";
import type { ViewContext } from "../../users/view/view-context.ts";

interface ParsedRow {
  row: MessageRow;
  data: MessageData;
  reactions: StoredReactions | undefined;
}

/** Data of other tables for a page of messages, by message id; each map is read in one query. */
interface RelatedData {
  threads: Map<string, string[]>;
  hidden: Map<string, HiddenReplies>;
  own: Map<string, Reaction[]>;
  deletedForMe: Set<string>;
  quoted: Map<string, Message> | undefined;
  polls: ReturnType<typeof pollsOf>;
  locations: ReturnType<typeof locationsOf>;
  drafts: ReturnType<typeof threadDraftsOf>;
  reminders: ReturnType<typeof remindersOn>;
}

/** Messages in the order of the rows. `quoting: false` leaves out quoted messages, so that quotes nest one level only. */
export function messageViews(context: ViewContext, rows: MessageRow[], quoting = true): Message[] {
  if (rows.length === 0) return [];
  spendViews(context.db.raw, rows.length);
  const parsed = rows.map((row): ParsedRow => ({
    row,
    data: JSON.parse(row.data) as MessageData,
    reactions: row.reactions === null ? undefined : (JSON.parse(row.reactions) as StoredReactions),
  }));
  const related = loadRelated(context, parsed, rows, quoting);
  return parsed.map((parsedRow) => viewOfParsed(context, parsedRow, related));
}

function loadRelated(
  context: ViewContext,
  parsed: ParsedRow[],
  rows: MessageRow[],
  quoting: boolean,
): RelatedData {
  const { db, people, viewer } = context;
  const ids = new Set<string>();
  for (const { row, data, reactions } of parsed) {
    ids.add(row.user_id);
    if (row.pinned_by !== null) ids.add(row.pinned_by);
    for (const id of data.mentioned ?? []) ids.add(id);
    for (const { user_id } of reactions?.latest ?? []) ids.add(user_id);
  }
  const threads = participantsOf(db, rows);
  for (const list of threads.values()) for (const id of list) ids.add(id);
  people.load(ids);
  const allIds = rows.map(({ id }) => id);
  return {
    threads,
    hidden: hiddenOf(context, rows),
    own: viewer === undefined ? new Map<string, Reaction[]>() : ownReactions(context, parsed),
    deletedForMe: viewer === undefined ? new Set<string>() : deletedByViewer(db, viewer, rows),
    quoted: quoting ? quotedOf(context, rows) : undefined,
    polls: pollsOf(context, rows),
    locations: locationsOf(db, rows),
    drafts: threadDraftsOf(db, people, viewer, allIds),
    reminders: remindersOn(db, viewer, allIds),
  };
}

function viewOfParsed(
  context: ViewContext,
  { row, data, reactions }: ParsedRow,
  related: RelatedData,
): Message {
  const { people } = context;
  const deleted = row.type === "deleted" || related.deletedForMe.has(row.id);
  const hidesContent = deleted && context.showDeleted !== true;
  const pinned = isPinnedRow(row, context.now);
  const groups = reactions?.groups ?? {};
  const hidden = related.hidden.get(row.id);
  const message: Message & Fields = {
    ...data.custom,
    id: row.id,
    cid: row.cid,
    type: deleted ? "deleted" : row.type,
    text: row.text,
    html: data.html ?? data.rendered ?? htmlOf(row.text),
    user: people.get(row.user_id),
    attachments: data.attachments ?? [],
    mentioned_users: (data.mentioned ?? []).map((id) => people.get(id)),
    reply_count: row.reply_count - (hidden?.count ?? 0),
    deleted_reply_count: row.deleted_reply_count,
    thread_participants: (related.threads.get(row.id) ?? []).flatMap((id) =>
      hidden?.writers.has(id) ? [] : people.get(id),
    ),
    reaction_counts: Object.fromEntries(Object.entries(groups).map(([type, g]) => [type, g.count])),
    reaction_scores: Object.fromEntries(Object.entries(groups).map(([type, g]) => [type, g.sum_scores])),
    reaction_groups: groups,
    latest_reactions: (reactions?.latest ?? []).map((r) => ({ ...r, user: people.get(r.user_id) })),
    own_reactions: related.own.get(row.id) ?? [],
    silent: row.silent === 1,
    pinned,
    pinned_at: pinned ? timeFromMicros(row.pinned_at!) : null,
    pinned_by: pinned && row.pinned_by !== null ? people.get(row.pinned_by) : null,
    pin_expires: pinned ? (maybeTime(row.pin_expires) ?? null) : null,
    shadowed: row.shadowed === 1,
    restricted_visibility: row.restricted === null ? [] : (JSON.parse(row.restricted) as string[]),
    mentioned_channel: data.mentioned_channel === true,
    mentioned_here: data.mentioned_here === true,
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  };
  setOptionalKeys(message, row, data, related);
  if (hidesContent) return emptiedMessage(message);
  setContentKeys(message, row, data, related);
  return message;
}

/** Sets optional keys that deleted messages have too. */
function setOptionalKeys(message: Message, row: MessageRow, data: MessageData, related: RelatedData): void {
  if (row.parent_id !== null) {
    message.parent_id = row.parent_id;
    message.show_in_channel = data.show_in_channel === true;
  }
  if (data.member) message.member = data.member;
  if (row.text_updated_at !== null) message.message_text_updated_at = timeFromMicros(row.text_updated_at);
  if (row.deleted_at !== null) message.deleted_at = timeFromMicros(row.deleted_at);
  if (related.deletedForMe.has(row.id)) message.deleted_for_me = true;
  if (row.quoted_id !== null) message.quoted_message_id = row.quoted_id;
  if (row.poll_id !== null) message.poll_id = row.poll_id;
  const reminder = related.reminders.get(row.id);
  if (reminder) message.reminder = reminder;
}

/**
 * A message in an event for its viewer alone: the event is logged and sent to hooks, where a draft would outlive itself.
 * A quoted message has the viewer's draft in its thread, too.
 */
export function withoutDraft({ draft: _draft, ...message }: Message): Message {
  const { quoted_message: quoted } = message;
  return quoted ? { ...message, quoted_message: withoutDraft(quoted) } : message;
}

/** Sets optional keys that messages shown as deleted do not have. */
function setContentKeys(message: Message, row: MessageRow, data: MessageData, related: RelatedData): void {
  const draft = related.drafts.get(row.id);
  if (draft) message.draft = draft;
  if (data.mml !== undefined) message.mml = data.mml;
  if (data.i18n) message.i18n = data.i18n;
  if (data.command !== undefined) {
    message.command = data.command;
    message.args = data.args ?? "";
  }
  if (row.quoted_id !== null && related.quoted)
    message.quoted_message = related.quoted.get(row.quoted_id) ?? null;
  if (row.poll_id !== null) message.poll = related.polls.get(row.poll_id) ?? null;
  const location = related.locations.get(row.id);
  if (location) message.shared_location = location;
}

export function messageView(context: ViewContext, row: MessageRow): Message {
  return messageViews(context, [row])[0]!;
}

function participantsOf(db: Database, rows: MessageRow[]): Map<string, string[]> {
  const parents = rows.filter((row) => row.reply_count + row.deleted_reply_count > 0).map(({ id }) => id);
  return parents.length === 0 ? new Map() : writersUnder(db, parents);
}

/** The replies that the viewer, or in an event everybody, may not see; a server sees all, as do moderators. */
function hiddenOf({ db, viewer, forEverybody }: ViewContext, rows: MessageRow[]): Map<string, HiddenReplies> {
  const parents = rows.filter((row) => row.reply_count > 0);
  if (parents.length === 0 || (viewer === undefined && !forEverybody)) return new Map();
  const found = hiddenReplies(
    db,
    parents.map(({ id }) => id),
    viewer,
  );
  for (const { id, cid } of found.size > 0 && viewer !== undefined ? parents : [])
    if (found.has(id) && readsRestricted(db, viewer!, cid)) found.delete(id);
  return found;
}

function readsRestricted(db: Database, viewer: string, cid: string): boolean {
  const channel = findChannel(db, cid);
  return (
    channel !== undefined &&
    can(userPermissions(db, viewer, channel), "read-restricted-visibility-message", false)
  );
}

/** The viewer's own reactions by message, at most ten each. */
function ownReactions(context: ViewContext, parsed: ParsedRow[]): Map<string, Reaction[]> {
  const found = new Map<string, Reaction[]>();
  const messageIds: string[] = [];
  for (const { row, reactions } of parsed) if (reactions) messageIds.push(row.id);
  if (messageIds.length === 0) return found;
  const rows = ownReactionsOn(context.db, context.viewer!, messageIds);
  for (const row of rows) {
    const list = found.get(row.message_id) ?? found.set(row.message_id, []).get(row.message_id)!;
    if (list.length < 10) list.push({ ...storedReaction(row), user: context.people.get(row.user_id) });
  }
  return found;
}

function deletedByViewer(db: Database, viewer: string, rows: MessageRow[]): Set<string> {
  const deleted = new Set<string>();
  for (const cid of new Set(rows.map((row) => row.cid)))
    for (const id of deletedForMe(db, viewer, cid)) deleted.add(id);
  return deleted;
}

/** Messages by id; unknown ids are left out. */
export function messagesById(context: ViewContext, ids: readonly string[]): Map<string, Message> {
  return new Map(
    messageViews(context, messagesAmong(context.db, ids)).map((message) => [message.id, message]),
  );
}

/** Quoted messages by id; restricted ones only for their readers, never in events. */
function quotedOf(context: ViewContext, rows: MessageRow[]): Map<string, Message> {
  const ids = rows.flatMap(({ quoted_id }) => (quoted_id === null ? [] : [quoted_id]));
  if (ids.length === 0) return new Map();
  const found = messagesAmong(context.db, ids).filter(
    (row) =>
      row.restricted === null ||
      (context.viewer !== undefined &&
        (row.user_id === context.viewer ||
          (JSON.parse(row.restricted) as string[]).includes(context.viewer))),
  );
  return new Map(messageViews(context, found, false).map((message) => [message.id, message]));
}
