/** Sets and lifts bans, and publishes their events (specification/moderation.md §2). */
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall } from "../../../base/handler.ts";
import type { DueContext } from "../../../base/ports.ts";
import { memberView } from "../../channels/view/channels.ts";
import { findChannel, memberRow } from "../../channels/storage/rows.ts";
import { People } from "../../users/view/users.ts";
import { banIn, bans, copyBanToRow, EVERYWHERE, futureBans, type BanRow } from "../storage/bans.ts";

type BanContext = Pick<RouteCall, "db" | "emit">;

/** Stores a ban, replacing an existing one, and emits the event. */
export function putBan(call: BanContext, ban: BanRow): void {
  const { db } = call;
  const before = banIn(db, ban.target_id, ban.cid, ban.created_at);
  // A change between ban and shadow ban lifts the old one first: the target must learn that it may write again, but not of the shadow ban.
  if (before && before.shadow !== ban.shadow) liftBan(call, before, ban.banned_by, ban.created_at);
  bans.put(db, ban);
  copyBanToRow(db, ban.target_id, ban.cid, ban, ban.created_at);
  publishBan(call, "user.banned", ban, ban.banned_by, {
    ...(ban.reason === null ? {} : { reason: ban.reason }),
    ...(ban.expires === null ? {} : { expiration: timeFromMicros(ban.expires) }),
    total_bans: bans.count(db, { target_id: ban.target_id }),
  });
}

/** `liftedBy` is the user who lifts it; for an expired ban, the user who set it. */
export function liftBan(call: BanContext, ban: BanRow, liftedBy: string, now: number): void {
  const { db } = call;
  bans.remove(db, { target_id: ban.target_id, cid: ban.cid });
  copyBanToRow(db, ban.target_id, ban.cid, undefined, now);
  publishBan(call, "user.unbanned", ban, liftedBy, {});
}

/** Lifts one expired ban; true when there was one. */
export function liftExpiredBan({ db, emit, now }: Pick<DueContext, "db" | "emit" | "now">): boolean {
  const time = now();
  futureBans.remove(db, { expires: { upTo: time } });
  const expired = bans.find(db, { expires: { upTo: time } }, { by: ["expires"], limit: 1 });
  if (expired) liftBan({ db, emit }, expired, expired.banned_by, time);
  return expired !== undefined;
}

/** Emits the event to the target, or only to servers for a shadow ban; for a channel ban also to its watchers, with `member.updated`. */
function publishBan(
  { db, emit }: BanContext,
  type: "user.banned" | "user.unbanned",
  ban: BanRow,
  actorId: string,
  extraFields: Record<string, unknown>,
): void {
  const { target_id: target, cid } = ban;
  const people = new People(db, emit);
  const shadow = ban.shadow === 1;
  const event = { type, user: people.get(target), created_by: people.get(actorId), shadow, ...extraFields };
  if (cid === EVERYWHERE) {
    if (shadow) emit.server(event);
    else emit.user(target, event);
    return;
  }
  const channel = findChannel(db, cid);
  if (!channel) return;
  const others = shadow ? new Set(emit.watcherInfo(cid).userIds.filter((id) => id !== target)) : undefined;
  emit.watchers(cid, event, others);
  if (!shadow) emit.user(target, event, { cid, unlessWatching: true });
  const member = memberRow(db, cid, target);
  if (!member) return;
  emit.watchers(
    cid,
    {
      type: "member.updated",
      user: people.get(target),
      member: memberView(people, member, channel.created_by, shadow),
    },
    others,
  );
}
