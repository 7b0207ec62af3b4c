/** Bans as they are kept: put, lifted, looked up, and what everybody concerned is told (specification/moderation.md §2). */
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall } from "../../../base/handler.ts";
import type { Due } from "../../../base/ports.ts";
import type { Database } from "../../../store/database.ts";
import { memberView } from "../../channels/view/channels.ts";
import { findChannel, memberRow } from "../../channels/storage/rows.ts";
import { People } from "../../users/view/users.ts";
import { banIn, EVERYWHERE, type BanRow } from "../storage/ban-rows.ts";

type Telling = Pick<RouteCall, "db" | "emit">;

/** Repeats the ban, or that there is none, in the rows of the user or the member. */
function copy(db: Database, userId: string, cid: string, ban: BanRow | undefined, now: number): void {
  const banned = Number(ban !== undefined && ban.shadow === 0);
  const shadow = Number(ban?.shadow === 1);
  const expires = ban?.expires ?? null;
  // a shadow ban changes nothing that its target can see, not even the date
  const table = cid === EVERYWHERE ? "users SET" : "members SET";
  const where = cid === EVERYWHERE ? "id = ?5 AND ?6 = ''" : "user_id = ?5 AND cid = ?6";
  db.run(
    `UPDATE ${table} updated_at = CASE WHEN banned = 0 AND ?1 = 0 THEN updated_at ELSE max(?4, updated_at + 1) END,
     banned = ?1, shadow_banned = ?2, ban_expires = ?3 WHERE ${where}`,
    banned,
    shadow,
    expires,
    now,
    userId,
    cid,
  );
}

/** Puts the ban, in place of one there is, and tells it. */
export function putBan(call: Telling, ban: BanRow): void {
  const { db } = call;
  const before = banIn(db, ban.target_id, ban.cid, ban.created_at);
  // who may write again has to hear of it, though not that it is hidden from now on
  if (before && before.shadow !== ban.shadow) liftBan(call, before, ban.banned_by, ban.created_at);
  db.run(
    `INSERT INTO bans (target_id, cid, banned_by, reason, shadow, created_at, expires) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET banned_by = excluded.banned_by, reason = excluded.reason, shadow = excluded.shadow,
       created_at = excluded.created_at, expires = excluded.expires`,
    ban.target_id,
    ban.cid,
    ban.banned_by,
    ban.reason,
    ban.shadow,
    ban.created_at,
    ban.expires,
  );
  copy(db, ban.target_id, ban.cid, ban, ban.created_at);
  const bans = db.get<{ n: number }>("SELECT count(*) AS n FROM bans WHERE target_id = ?", ban.target_id)!.n;
  tell(call, "user.banned", ban, ban.banned_by, {
    ...(ban.reason === null ? {} : { reason: ban.reason }),
    ...(ban.expires === null ? {} : { expiration: timeFromMicros(ban.expires) }),
    total_bans: bans,
  });
}

/** `by` is who lifts it; when it is simply over, who had put it. */
export function liftBan(call: Telling, ban: BanRow, by: string, now: number): void {
  const { db } = call;
  db.run("DELETE FROM bans WHERE target_id = ? AND cid = ?", ban.target_id, ban.cid);
  copy(db, ban.target_id, ban.cid, undefined, now);
  tell(call, "user.unbanned", ban, by, {});
}

/** Lifts one ban that is over; true when there was one. */
export function liftOver({ db, emit, now }: Pick<Due, "db" | "emit" | "now">): boolean {
  const at = now();
  db.run("DELETE FROM future_bans WHERE expires <= ?", at);
  const over = db.get<BanRow>("SELECT * FROM bans WHERE expires <= ? ORDER BY expires LIMIT 1", at);
  if (over) liftBan({ db, emit }, over, over.banned_by, at);
  return over !== undefined;
}

/** The target's connections, or servers alone when the ban is a shadow; of a channel ban its watchers, and `member.updated`. */
function tell(
  { db, emit }: Telling,
  type: "user.banned" | "user.unbanned",
  ban: BanRow,
  by: string,
  more: Record<string, unknown>,
): void {
  const { target_id: target, cid } = ban;
  const people = new People(db, emit);
  const shadow = ban.shadow === 1;
  const event = { type, user: people.get(target), created_by: people.get(by), shadow, ...more };
  if (cid === EVERYWHERE) {
    if (shadow) emit.server(event);
    else emit.user(target, event);
    return;
  }
  const channel = findChannel(db, cid);
  if (!channel) return;
  const others = shadow ? new Set(emit.watching(cid).userIds.filter((id) => id !== target)) : undefined;
  emit.watchers(cid, event, undefined, others);
  if (!shadow) emit.user(target, event, { cid, away: true });
  const member = memberRow(db, cid, target);
  if (!member) return;
  emit.watchers(
    cid,
    {
      type: "member.updated",
      user: people.get(target),
      member: memberView(people, member, channel.created_by, shadow),
    },
    undefined,
    others,
  );
}
