/** GET /unread and POST /unread_batch: channels and threads with unread messages, and their totals (specification/users.md §9). */
import type { UnreadReply } from "../../../../wire/endpoints/index.ts";
import { deviceBodies } from "../../../../wire/bodies/devices.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { readApp } from "../../../store/app-settings.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { readBody } from "../../validation/check.ts";
import { unreadByTeam, unreadThreads, unreadTotals } from "../storage/unread.ts";
import { undeletedIds } from "../../users/storage/rows.ts";
import { unreadChannels } from "../storage/reads.ts";
import { unreadThreadRows } from "../../threads/storage/rows.ts";

const MAX_LISTED = 100;

export function getUnread(call: RouteCall): Reply<"getUnread"> {
  return unreadOf(call.db, actor(call, call.query).id);
}

/** The same for many users; unknown and deleted ones are left out. */
export function unreadBatch(call: RouteCall): Reply<"unreadBatch"> {
  const { db } = call;
  const { user_ids: ids } = readBody(call.body, deviceBodies.unreadBatch);
  const existingIds = undeletedIds(db, ids);
  return { counts_by_user: Object.fromEntries(existingIds.map((id) => [id, unreadOf(db, id)])) };
}

function unreadOf(db: Database, userId: string): UnreadReply {
  const channels = unreadChannels(db, userId, MAX_LISTED);
  const types = new Map<string, { channel_type: string; channel_count: number; unread_count: number }>();
  for (const { type, unread } of channels) {
    const sum = types.get(type) ?? { channel_type: type, channel_count: 0, unread_count: 0 };
    types.set(type, {
      ...sum,
      channel_count: sum.channel_count + 1,
      unread_count: sum.unread_count + unread,
    });
  }
  const threads = unreadThreadRows(db, userId, MAX_LISTED);
  return {
    total_unread_count: unreadTotals(db, userId).total_unread_count,
    total_unread_threads_count: unreadThreads(db, userId),
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
    total_unread_count_by_team: readApp(db).multi_tenant_enabled ? unreadByTeam(db, userId) : {},
  };
}
