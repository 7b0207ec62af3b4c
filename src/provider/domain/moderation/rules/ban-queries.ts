/** GET /query_banned_users and /query_future_channel_bans (specification/moderation.md §2.2). */
import { moderationBodies } from "../../../../wire/bodies/moderation.ts";
import type { Ban, FutureChannelBan } from "../../../../wire/entities/moderation.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { BodyReader, readBody } from "../../validation/check.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import { channelView } from "../../channels/view/channels.ts";
import { People } from "../../users/view/users.ts";
import type { FutureBanRow } from "../storage/bans.ts";
import { requireModerator } from "../../access/view/moderators.ts";
import { BAN_LIST, inForceAt, futureBansPage } from "../storage/ban-lists.ts";
import { offsetPage, readMatch } from "../../query/listing.ts";

export function queryBannedUsers(call: RouteCall): Reply<"queryBannedUsers"> {
  requireModerator(call, "list bans");
  const { db, body } = call;
  const check = new BodyReader(body);
  const match = readMatch(check, body, BAN_LIST);
  const { limit, offset } = check.read(moderationBodies.queryBannedUsers);
  // `exclude_expired_bans` has no effect, because expired bans are never listed.
  check.done();
  const rows = offsetPage(db, BAN_LIST, { ...match, limit, offset }, inForceAt(call.now()));
  const people = new People(db, call.emit);
  people.load(rows.flatMap((row) => [row.target_id, row.banned_by]));
  return {
    bans: rows.map((row): Ban => {
      const channel = row.cid === "" ? undefined : findChannel(db, row.cid);
      return { ...banView(people, row), ...(channel ? { channel: channelView(people, channel) } : {}) };
    }),
  };
}

function banView(people: People, row: FutureBanRow): FutureChannelBan {
  return {
    user: people.get(row.target_id),
    banned_by: people.get(row.banned_by),
    created_at: timeFromMicros(row.created_at),
    ...(row.expires === null ? {} : { expires: timeFromMicros(row.expires) }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    shadow: row.shadow === 1,
  };
}

/** Future bans, newest first; `user_id` is the user who banned. */
export function queryFutureChannelBans(call: RouteCall): Reply<"queryFutureChannelBans"> {
  requireModerator(call, "list bans");
  const { db } = call;
  const {
    user_id: by = null,
    target_user_id: target = null,
    limit,
    offset,
  } = readBody(call.body, moderationBodies.queryFutureChannelBans);
  const rows = futureBansPage(db, { now: call.now(), by, target, limit, offset });
  const people = new People(db, call.emit);
  people.load(rows.flatMap((row) => [row.target_id, row.banned_by]));
  return { bans: rows.map((row) => banView(people, row)) };
}
