/** GET /query_banned_users and /query_future_channel_bans (specification/moderation.md §2.2). */
import { moderationBodies } from "../../../../wire/bodies/moderation.ts";
import type { Ban, FutureChannelBan } from "../../../../wire/moderation.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { BodyReader, readBody } from "../../validation/check.ts";
import { findChannel } from "../../channels/storage/rows.ts";
import { channelView } from "../../channels/view/channels.ts";
import { EQUAL, textField, timeField, type Field } from "../../query/filter-fields.ts";
import { looked } from "../../../store/budget.ts";
import { compileFilter } from "../../query/filter.ts";
import { named } from "../../query/listing.ts";
import { compileSort } from "../../query/sort.ts";
import { People } from "../../users/view/users.ts";
import type { BanRow } from "../storage/ban-rows.ts";
import type { FutureBanRow } from "../storage/future-bans.ts";
import { requireModerator } from "../../access/view/moderators.ts";

const FIELDS: Record<string, Field> = {
  user_id: textField("b.target_id"),
  banned_by_id: textField("b.banned_by"),
  channel_cid: textField("nullif(b.cid, '')", [...EQUAL, "$exists"]),
  created_at: timeField("b.created_at"),
  reason: textField("b.reason", [...EQUAL, "$exists", "$autocomplete", "$q"]),
};

/** Channels that are gone take their bans out of the list. */
const LIVING =
  "(b.cid = '' OR EXISTS (SELECT 1 FROM channels c WHERE c.cid = b.cid AND c.deleted_at IS NULL))";

export function queryBannedUsers(call: RouteCall): Reply<"queryBannedUsers"> {
  requireModerator(call, "list bans");
  const { db, body } = call;
  const check = new BodyReader(body);
  const where = compileFilter(body.filter_conditions, named(FIELDS), check);
  const order = compileSort(body.sort, named({ created_at: "b.created_at" }), check, {
    fallback: "b.created_at DESC",
    tie: "b.target_id, b.cid",
  });
  const { limit, offset } = check.read(moderationBodies.queryBannedUsers);
  // bans that are over are lifted, so that `exclude_expired_bans` finds none to leave out
  check.done();
  const rows = db.raw
    .prepare(
      `SELECT b.* FROM bans b WHERE (b.expires IS NULL OR b.expires > ?) AND ${looked("b.created_at")} AND ${LIVING} AND (${where.text})
       ORDER BY ${order.text} LIMIT ? OFFSET ?`,
    )
    .all(call.now(), ...where.values, ...order.values, limit, offset) as unknown as BanRow[];
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

/** `user_id` is the banner; newest first. */
export function queryFutureChannelBans(call: RouteCall): Reply<"queryFutureChannelBans"> {
  requireModerator(call, "list bans");
  const { db } = call;
  const {
    user_id: by = null,
    target_user_id: target = null,
    limit,
    offset,
  } = readBody(call.body, moderationBodies.queryFutureChannelBans);
  const rows = db.all<FutureBanRow>(
    `SELECT * FROM future_bans WHERE (expires IS NULL OR expires > ?1) AND (?2 IS NULL OR banned_by = ?2)
     AND (?3 IS NULL OR target_id = ?3) ORDER BY created_at DESC, target_id, banned_by LIMIT ?4 OFFSET ?5`,
    call.now(),
    by,
    target,
    limit,
    offset,
  );
  const people = new People(db, call.emit);
  people.load(rows.flatMap((row) => [row.target_id, row.banned_by]));
  return { bans: rows.map((row) => banView(people, row)) };
}
