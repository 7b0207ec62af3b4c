/** Counts the contents of an archive, in total and by channel, and lists its gaps. */
import type { DatabaseSync } from "node:sqlite";
import { parseBounded } from "../../wire/bounded-json.ts";

export interface ArchiveCounts {
  channels: number;
  users: number;
  members: number;
  messages: number;
  replies: number;
  reactions: number;
  polls: number;
  attachments: number;
  files: number;
  gaps: number;
}

export interface ChannelCounts {
  cid: string;
  name?: string;
  messages: number;
  replies: number;
  users: number;
  reactions: number;
  /** RFC 3339. */
  first_at?: string;
  last_at?: string;
  first_id?: string;
  last_id?: string;
}

export interface GapRow {
  cid: string;
  /** `channel`, `members`, `messages`, `thread:<id>`, `message:<id>`, `file:<message>:<n>`, or `unread:<kind>:<id>` of an item that is kept as it came. */
  part: string;
  /** Id of the last item that was read; of an unread item the message it belongs to. */
  after?: string;
  reason: string;
  at: string;
  /** An item that could not be read as documented, and is kept as it came. */
  unread?: true;
}

// By indexes only: the messages themselves are many gigabytes.
const TOTALS = `WITH counted AS MATERIALIZED (SELECT count(*) everything, count(parent_id) replies FROM messages)
  SELECT (SELECT count(*) FROM channels) channels, (SELECT count(*) FROM users) users,
  (SELECT count(*) FROM members) members, (SELECT everything - replies FROM counted) messages,
  (SELECT replies FROM counted) replies, (SELECT count(*) FROM reactions) reactions,
  (SELECT count(*) FROM polls) polls, (SELECT count(*) FROM attachments) attachments,
  (SELECT count(*) FROM files) files, (SELECT count(*) FROM gaps) gaps`;

export const archiveCounts = (db: DatabaseSync): ArchiveCounts =>
  ({ ...db.prepare(TOTALS).get() }) as unknown as ArchiveCounts;

/** As the provider wrote it; of a damaged row the normal form. */
const CREATED_AT = "CASE WHEN json_valid(raw) THEN json_extract(raw, '$.created_at') ELSE at END";

const PER_CHANNEL = `WITH reacted AS MATERIALIZED
    (SELECT m.cid, count(*) n FROM reactions r CROSS JOIN messages m ON m.id = r.message_id GROUP BY m.cid)
  SELECT c.cid, c.name,
    count(m.n) - count(m.parent_id) messages, count(m.parent_id) replies, count(DISTINCT m.user_id) users,
    coalesce(r.n, 0) reactions,
    (SELECT ${CREATED_AT} FROM messages WHERE cid = c.cid ORDER BY at, id LIMIT 1) first_at,
    (SELECT ${CREATED_AT} FROM messages WHERE cid = c.cid ORDER BY at DESC, id DESC LIMIT 1) last_at,
    (SELECT id FROM messages WHERE cid = c.cid ORDER BY at, id LIMIT 1) first_id,
    (SELECT id FROM messages WHERE cid = c.cid ORDER BY at DESC, id DESC LIMIT 1) last_id
  FROM channels c LEFT JOIN reacted r ON r.cid = c.cid LEFT JOIN messages m ON m.cid = c.cid GROUP BY c.cid ORDER BY c.cid`;

/** Removes fields that are null. */
const withoutNulls = <T>(row: Record<string, unknown>): T =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;

export function* channelCounts(db: DatabaseSync): Iterable<ChannelCounts> {
  for (const row of db.prepare(PER_CHANNEL).iterate()) yield withoutNulls<ChannelCounts>(row);
}

export const gapsOf = (db: DatabaseSync): GapRow[] =>
  db
    .prepare("SELECT cid, part, after, reason, at FROM gaps ORDER BY cid, part")
    .all()
    .map((row) => ({
      ...withoutNulls<GapRow>(row),
      ...(String(row.part).startsWith(UNREAD) && { unread: true as const }),
    }));

const UNREAD = "unread:";
export const unreadPart = (kind: UnreadKind, id: string): string => `${UNREAD}${kind}:${id}`;

export type UnreadKind = "channel" | "member" | "message" | "reaction" | "read" | "vote";

/** An item that could not be read as a whole, as the provider wrote it. */
interface UnreadRow {
  cid: string;
  kind: string;
  raw: unknown;
}

export function* keptItems(db: DatabaseSync): Iterable<UnreadRow> {
  // An archive of an earlier version, opened for reading, has no such column.
  if (db.prepare("SELECT 1 FROM pragma_table_info('gaps') WHERE name = 'raw'").get() === undefined) return;
  const rows = db.prepare("SELECT cid, part, raw FROM gaps WHERE raw IS NOT NULL ORDER BY cid, part");
  for (const { cid, part, raw } of rows.iterate())
    yield { cid: String(cid), kind: String(part).split(":")[1]!, raw: parseBounded(String(raw)) };
}
