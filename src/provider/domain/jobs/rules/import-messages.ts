/** Stores messages and reactions of an import, and settles the counts of the channels it touched (specification/admin.md §10). */
import type { ImportItem } from "../../../../wire/import.ts";
import { customOfItem, messageTypeOf } from "../../../../wire/import-forms.ts";
import { configOf } from "../../access/storage/access.ts";
import type { Fields } from "../../validation/check.ts";
import { findChannel, memberRow } from "../../channels/storage/rows.ts";
import { recount } from "../../reads/storage/unread.ts";
import { findMessage, type MessageData, type MessageRow } from "../../messages/storage/rows.ts";
import type { Ground } from "./import-apply.ts";
import { cidOfItem } from "./import-check.ts";
import { micros } from "./import-people.ts";
import { remember } from "../storage/seen.ts";
import { settleReactions } from "../../messages/storage/reactions.ts";

export function putMessage(ground: Ground, item: ImportItem): void {
  const { db, now } = ground;
  const { data } = item;
  const id = data.id as string;
  const before = findMessage(db, id);
  if (before && ground.insertOnly) return;
  const cid = cidOfItem(item);
  const deleted = micros(data.deleted_at);
  const parentId = (data.parent_id as string | null | undefined) ?? null;
  const listed = parentId === null || data.show_in_channel === true;
  const created = micros(data.created_at) ?? before?.created_at ?? now;
  const kept = before ? (JSON.parse(before.data) as MessageData) : undefined;
  const custom = {
    ...(ground.merge ? kept?.custom : undefined),
    ...customOfItem(item),
  };
  const mentioned = (data.mentioned_users_ids as string[] | undefined) ?? [];
  const attachments = (data.attachments as MessageData["attachments"] | undefined) ?? [];
  const content: MessageData = {
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(mentioned.length > 0 ? { mentioned } : {}),
    ...(data.html == null || data.html === "" ? {} : { html: data.html as string }),
    ...(parentId !== null && data.show_in_channel === true ? { show_in_channel: true } : {}),
    ...memberPart(ground, cid, data.user as string, kept),
    ...(Object.keys(custom).length > 0 ? { custom } : {}),
  };
  const type = deleted === null ? messageTypeOf(data) : "deleted";
  const config = configOf(db, findChannel(db, cid)!.type);
  const counts = listed && deleted === null && config?.read_events === true;
  const restricted = (data.restricted_visibility as string[] | undefined) ?? [];
  const values = [
    created,
    Math.max(created, deleted ?? 0),
    data.user as string,
    type,
    Number(listed),
    Number(counts),
    parentId,
    (data.quoted_message_id as string | null | undefined) ?? null,
    (data.text as string | null | undefined) ?? "",
    restricted.length > 0 ? JSON.stringify(restricted) : null,
    counts ? readersOf(ground, cid, data.user as string, created) : null,
    deleted === null ? micros(data.pinned_at) : null,
    deleted === null ? micros(data.pin_expires) : null,
    deleted === null ? ((data.pinned_by_id as string | null | undefined) ?? null) : null,
    deleted,
    deleted === null ? null : parentId === null ? "regular" : "reply",
    JSON.stringify(content),
  ];
  if (before)
    db.run(
      `UPDATE message_rows SET created_at = ?, updated_at = ?, user_id = ?, type = ?, listed = ?, counts = ?, parent_id = ?,
       quoted_id = ?, text = ?, restricted = ?, uncounted = ?, pinned_at = ?, pin_expires = ?, pinned_by = ?,
       deleted_at = ?, was = ?, data = ? WHERE id = ?`,
      ...values,
      id,
    );
  else
    db.run(
      `INSERT INTO message_rows (created_at, updated_at, user_id, type, listed, counts, parent_id, quoted_id, text, restricted,
       uncounted, pinned_at, pin_expires, pinned_by, deleted_at, was, data, id, cid)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...values,
      id,
      cid,
    );
  countReply(ground, before, {
    parentId,
    living: deleted === null,
    author: data.user as string,
    cid,
    created,
  });
  remember(db, ground.importId, "channel", cid);
}

/** Role and custom fields of the author's membership, as a send keeps them. */
function memberPart(
  { db }: Ground,
  cid: string,
  author: string,
  kept: MessageData | undefined,
): Pick<MessageData, "member"> {
  if (kept?.member) return { member: kept.member };
  const row = memberRow(db, cid, author);
  return row ? { member: { ...(JSON.parse(row.data) as Fields), channel_role: row.channel_role } } : {};
}

/** Who has read it although it is newer than their mark: all but those whose `last_read` the file gave. */
function readersOf({ db, importId }: Ground, cid: string, author: string, created: number): string | null {
  const readers = db.all<{ user_id: string }>(
    `SELECT user_id FROM reads WHERE cid = ?1 AND last_read < ?2 AND user_id <> ?3 AND NOT EXISTS
     (SELECT 1 FROM job_seen s WHERE s.job_id = ?4 AND s.kind = 'unread' AND s.key = ?1 || ' ' || user_id)`,
    cid,
    created,
    author,
    importId,
  );
  return readers.length > 0 ? JSON.stringify(readers.map(({ user_id }) => user_id)) : null;
}

interface Reply {
  parentId: string | null;
  living: boolean;
  author: string;
  cid: string;
  created: number;
}

/** Counts a reply under its parent, and its author among those who take part; nobody has it unread. */
function countReply({ db }: Ground, before: MessageRow | undefined, reply: Reply): void {
  const count = (parentId: string, living: boolean, by: 1 | -1, author: string): void => {
    const column = living ? "reply_count" : "deleted_reply_count";
    db.run(`UPDATE message_rows SET ${column} = max(0, ${column} + ?) WHERE id = ?`, by, parentId);
    if (living)
      db.run(
        "UPDATE threads SET written = max(0, written + ?) WHERE parent_id = ? AND user_id = ?",
        by,
        parentId,
        author,
      );
  };
  if (before?.parent_id != null) count(before.parent_id, before.deleted_at === null, -1, before.user_id);
  const { parentId, living, author, cid, created } = reply;
  if (parentId === null) return;
  const parent = findMessage(db, parentId);
  for (const userId of new Set([parent?.user_id ?? author, author]))
    db.run(
      `INSERT INTO threads (parent_id, user_id, cid, created_at, last_read) VALUES (?1, ?2, ?3, ?4, ?4)
       ON CONFLICT DO UPDATE SET last_read = max(last_read, excluded.last_read)`,
      parentId,
      userId,
      cid,
      created,
    );
  count(parentId, living, 1, author);
}

export function putReaction(ground: Ground, item: ImportItem): void {
  const { db } = ground;
  const { data } = item;
  const { custom, ...flat } = customOfItem(item);
  const created = micros(data.created_at)!;
  const fields: Fields = { ...flat, ...(typeof custom === "object" ? custom : {}) };
  const { changes } = db.run(
    `INSERT INTO reactions (message_id, user_id, type, score, created_at, updated_at, data)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT ${
       ground.insertOnly
         ? "DO NOTHING"
         : `DO UPDATE SET score = excluded.score, created_at = excluded.created_at, updated_at = excluded.updated_at,
            data = excluded.data`
     }`,
    data.message_id as string,
    data.user_id as string,
    data.type as string,
    (data.score as number | undefined) ?? 1,
    created,
    created,
    JSON.stringify(fields),
  );
  if (Number(changes) > 0) ground.reacted.add(data.message_id as string);
}

/** Writes the derived reactions of the messages of one batch. */
export function settleReacted({ db, reacted }: Ground): void {
  for (const id of reacted) settleReactions(db, id);
}

/** Counts, newest message and unread numbers of one channel, drawn anew from what is stored. */
export function settleChannel({ db, importId }: Pick<Ground, "db" | "importId">, cid: string): void {
  db.run(
    `UPDATE channels SET
       member_count = (SELECT count(*) FROM members WHERE cid = ?1),
       message_count = (SELECT count(*) FROM messages WHERE cid = ?1),
       last_message_at = (SELECT created_at FROM messages WHERE cid = ?1 AND listed = 1 ORDER BY created_at DESC LIMIT 1),
       last_stamp = max(last_stamp, coalesce((SELECT max(created_at) FROM messages WHERE cid = ?1), 0))
     WHERE cid = ?1`,
    cid,
  );
  const given = db.all<{ key: string }>(
    "SELECT key FROM job_seen WHERE job_id = ?1 AND kind = 'unread' AND key >= ?2 AND key < ?3",
    importId,
    `${cid} `,
    `${cid}!`,
  );
  for (const { key } of given) {
    const userId = key.slice(cid.length + 1);
    const read = db.get<{ last_read: number }>(
      "SELECT last_read FROM reads WHERE cid = ? AND user_id = ?",
      cid,
      userId,
    );
    if (!read) continue;
    db.run(
      "UPDATE reads SET unread = ? WHERE cid = ? AND user_id = ?",
      recount(db, cid, userId, read.last_read),
      cid,
      userId,
    );
  }
}
