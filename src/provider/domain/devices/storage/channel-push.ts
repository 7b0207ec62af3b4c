/** Statements over push preferences for single channels. */
import type { PushPreferences } from "../../../../wire/entities/user.ts";
import type { Database } from "../../../base/database.ts";

export function findChannelPush(db: Database, userId: string, cid: string): PushPreferences | undefined {
  const data = db.value<string>("SELECT data FROM channel_push WHERE user_id = ? AND cid = ?", userId, cid);
  return data === undefined ? undefined : (JSON.parse(data) as PushPreferences);
}

export function storeChannelPush(db: Database, userId: string, cid: string, push: PushPreferences): void {
  if (Object.keys(push).length === 0)
    db.run("DELETE FROM channel_push WHERE user_id = ? AND cid = ?", userId, cid);
  else
    db.run(
      `INSERT INTO channel_push (user_id, cid, data) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET data = excluded.data`,
      userId,
      cid,
      JSON.stringify(push),
    );
}
