/** What of some messages and polls is deleted, and triggers that queue the copies of deleted ones (store/copies.ts). */
import type { Database } from "../../../base/database.ts";
import type { Gone, Subjects } from "../../../../wire/gone.ts";
import { REMOVE_UNUSED_POLL } from "../../polls/storage/votes.ts";
import { HIDDEN_POLL } from "../../polls/storage/rows.ts";
import { isQueued } from "../../../store/erasures.ts";

const QUEUE = (kind: string, id: string): string =>
  `INSERT INTO erasures (kind, id) SELECT '${kind}', ${id}
    WHERE ${id} IS NOT NULL AND EXISTS (SELECT 1 FROM content_copies WHERE subject = ${id}) ON CONFLICT DO NOTHING;`;
const FREED = "INSERT INTO freed_content (one) VALUES (1) ON CONFLICT DO NOTHING;";

/** Whatever deletes a message or a poll, its copies are emptied, and a poll goes with its last message. */
export const goneSchema = `
CREATE TRIGGER IF NOT EXISTS polls_go_with_message AFTER DELETE ON message_rows WHEN OLD.poll_id IS NOT NULL BEGIN
  ${REMOVE_UNUSED_POLL("OLD.poll_id")}
END;
CREATE TRIGGER IF NOT EXISTS message_copies_go AFTER DELETE ON message_rows BEGIN
  ${QUEUE("message", "OLD.id")} ${QUEUE("poll", "OLD.poll_id")} ${FREED}
END;
CREATE TRIGGER IF NOT EXISTS polls_go_with_pruned AFTER UPDATE OF poll_id ON message_rows
  WHEN OLD.poll_id IS NOT NULL AND NEW.poll_id IS NULL AND NEW.type = 'deleted' BEGIN
  ${REMOVE_UNUSED_POLL("OLD.poll_id")}
END;
CREATE TRIGGER IF NOT EXISTS message_copies_hide AFTER UPDATE OF type ON message_rows WHEN NEW.type = 'deleted' AND OLD.type <> 'deleted' BEGIN
  ${QUEUE("message", "OLD.id")} ${QUEUE("poll", "OLD.poll_id")}
END;
CREATE TRIGGER IF NOT EXISTS poll_copies_go AFTER DELETE ON polls BEGIN
  ${QUEUE("poll", "OLD.id")} ${FREED}
END;
`;

/** Which of these logged events are from a channel that no longer exists, or from before the channel that has its id now. */
export const eventsOfLostChannels = (db: Database, seqs: readonly number[]): Set<number> =>
  new Set(
    db.column<number>(
      `SELECT l.seq FROM json_each(?) k CROSS JOIN event_log l ON l.seq = k.value
       LEFT JOIN channels c ON c.cid = l.cid
       WHERE (c.cid IS NULL OR l.at < c.created_at) AND l.type <> 'notification.removed_from_channel'`,
      JSON.stringify(seqs),
    ),
  );

const among = (ids: ReadonlySet<string>): string => JSON.stringify([...ids]);

/** A poll is gone with its row, or with the last message that shows it; a new one waits for its message. */
function gonePolls(db: Database, ids: ReadonlySet<string>): Set<string> {
  if (ids.size === 0) return new Set();
  return new Set(
    db.column<string>(
      `SELECT k.value FROM json_each(?) k WHERE NOT EXISTS (SELECT 1 FROM polls WHERE id = k.value)
       OR (${HIDDEN_POLL("k.value")})`,
      among(ids),
    ),
  );
}

/** Messages that are stored and shown, or deleted but stored; those that are neither stored nor pending are erased. */
export function findGone(db: Database, { messages, polls }: Subjects): Gone {
  const states = new Map(
    db
      .all<{ id: string; deleted: number }>(
        `SELECT id, type = 'deleted' AS deleted FROM messages WHERE id IN (SELECT value FROM json_each(?1))
         UNION ALL SELECT id, 0 FROM pending_messages WHERE id IN (SELECT value FROM json_each(?1))`,
        among(messages),
      )
      .map(({ id, deleted }) => [id, deleted === 1 ? ("deleted" as const) : undefined]),
  );
  const lost = gonePolls(db, polls);
  return {
    message: (id) => (states.has(id) ? states.get(id) : "erased"),
    poll: (id) => lost.has(id),
    channel: () => false,
    user: (id) => isQueued(db, "user", id),
  };
}
