/** GET /unread: the channels and threads in which something is unread, and their sums (users.md §9). */
import { timeFromMicros } from "../../../wire/time.ts";
import type { Call, Reply } from "../../handler.ts";
import { actor } from "../asked/acting.ts";
import type { ChannelRow, ReadRow } from "./rows.ts";
import { unreadThreads, unreadTotals } from "./unread.ts";

const LISTED = 100;

export function getUnread(call: Call): Reply {
  const { db } = call;
  const me = actor(call, call.query);
  const channels = db.all<ReadRow & Pick<ChannelRow, "type">>(
    `SELECT r.*, c.type FROM reads r JOIN channels c ON c.cid = r.cid
     WHERE r.user_id = ? AND r.unread > 0 AND c.deleted_at IS NULL ORDER BY c.last_message_at DESC, c.cid LIMIT ?`,
    me.id,
    LISTED,
  );
  const types = new Map<string, { channel_type: string; channel_count: number; unread_count: number }>();
  for (const { type, unread } of channels) {
    const sum = types.get(type) ?? { channel_type: type, channel_count: 0, unread_count: 0 };
    types.set(type, {
      ...sum,
      channel_count: sum.channel_count + 1,
      unread_count: sum.unread_count + unread,
    });
  }
  const threads = db.all<{
    parent_id: string;
    unread: number;
    last_read: number;
    last_read_id: string | null;
  }>("SELECT * FROM threads WHERE user_id = ? AND unread > 0 ORDER BY last_read DESC LIMIT ?", me.id, LISTED);
  return {
    total_unread_count: unreadTotals(db, me.id).total_unread_count,
    total_unread_threads_count: unreadThreads(db, me.id),
    channels: channels.map((row) => ({
      channel_id: row.cid,
      unread_count: row.unread,
      last_read: timeFromMicros(row.last_read),
    })),
    channel_type: [...types.values()],
    threads: threads.map((row) => ({
      parent_message_id: row.parent_id,
      unread_count: row.unread,
      last_read: timeFromMicros(row.last_read),
      last_read_message_id: row.last_read_id ?? "",
    })),
    total_unread_count_by_team: {},
  };
}
