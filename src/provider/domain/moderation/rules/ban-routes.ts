/** POST and DELETE /moderation/ban: bans and lifts bans, in a channel or the whole app (specification/moderation.md §2). */
import { banPlace } from "../../../../wire/bodies/frame.ts";
import { moderationBodies } from "../../../../wire/bodies/moderation.ts";
import { channelIdProblem, channelTypeProblem, makeCid, splitCid } from "../../../../wire/ids.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader, isObject, invalidField, type Fields } from "../../validation/check.ts";
import { requirePermission, callerPermissions } from "../../access/view/policy.ts";
import { channelRow } from "../../channels/storage/rows.ts";
import { deleteMessagesOf } from "../../messages/rules/delete-of-user.ts";
import { userRow } from "../../users/storage/rows.ts";
import { banIn, EVERYWHERE, futureBans } from "../storage/bans.ts";
import { liftBan, putBan } from "./bans.ts";
import { requireAdmin } from "../../access/view/moderators.ts";

/** The cid named by `type` and `id` or by `channel_cid`; EVERYWHERE without one. Empty texts count as absent. */
function banScope(source: Fields): string {
  const check = new BodyReader(source);
  const { type, id, channel_cid: cid } = check.read(banPlace);
  if (type !== undefined || id !== undefined) {
    if (type === undefined) check.fail("type", "is required together with id");
    if (id === undefined) check.fail("id", "is required together with type");
    const typeProblem = type === undefined ? undefined : channelTypeProblem(type);
    const idProblem = id === undefined ? undefined : channelIdProblem(id);
    if (typeProblem) check.fail("type", typeProblem);
    if (idProblem) check.fail("id", idProblem);
  } else if (cid !== undefined && !splitCid(cid)) check.fail("channel_cid", "must look like type:id");
  check.done();
  if (type !== undefined && id !== undefined) return makeCid(type, id);
  return cid ?? EVERYWHERE;
}

/** The cid of a ban, after checking that the caller may ban there. */
function requireBanIn(call: RouteCall, source: Fields): string {
  const cid = banScope(source);
  if (cid === EVERYWHERE) requireAdmin(call, "ban in the whole app");
  else
    requirePermission(callerPermissions(call, channelRow(call.db, cid)), "ban-channel-member", "ban members");
  return cid;
}

/** The acting user of a server-side call: `user`, `user_id`, `banned_by` (id or object) or `banned_by_id`. */
const actingIn = (body: Fields): Fields => ({
  user: isObject(body.banned_by) ? body.banned_by : body.user,
  user_id: body.banned_by_id || (typeof body.banned_by === "string" && body.banned_by) || body.user_id,
});

export function ban(call: RouteCall): Reply<"ban"> {
  const { db, body } = call;
  const cid = requireBanIn(call, body);
  const me = actor(call, actingIn(body));
  const check = new BodyReader(body);
  const input = check.read(moderationBodies.ban);
  const { target_user_id: target, timeout: minutes = 0, delete_messages: deletion } = input;
  const future = input.ban_from_future_channels ?? false;
  if (future && cid === EVERYWHERE) check.fail("ban_from_future_channels", "needs a channel");
  if (target !== "" && target === me.id) check.fail("target_user_id", "must not be oneself");
  check.done();
  userRow(db, target);
  const now = call.now();
  const row = {
    target_id: target,
    cid,
    banned_by: me.id,
    reason: input.reason || null,
    shadow: Number(input.shadow ?? false),
    created_at: now,
    expires: minutes === 0 ? null : now + minutes * 60_000_000,
  };
  putBan(call, row);
  if (future) futureBans.put(db, row);
  if (deletion !== undefined) deleteMessagesOf(call, target, deletion, cid === EVERYWHERE ? undefined : cid);
  return {};
}

/** Lifts a ban of either kind; no ban is no error, because a DELETE may be repeated. */
export function unban(call: RouteCall): Reply<"unban"> {
  const { db, query } = call;
  const cid = requireBanIn(call, query);
  const check = new BodyReader(query);
  const target = check.need("target_user_id", 255);
  check.flag("shadow");
  const future = check.flag("remove_future_channels_ban") ?? false;
  const createdBy = check.id("created_by");
  check.done();
  const server = call.caller.kind === "server";
  const namedId = createdBy ?? call.caller.userId;
  const me = server && namedId === undefined ? undefined : actor(call, { user_id: namedId });
  if (target === me?.id) throw invalidField("target_user_id", "must not be oneself");
  userRow(db, target);
  const now = call.now();
  const found = banIn(db, target, cid, now);
  if (found) liftBan(call, found, me?.id ?? found.banned_by, now);
  if (future) futureBans.remove(db, { target_id: target, ...(me && { banned_by: me.id }) });
  return {};
}
