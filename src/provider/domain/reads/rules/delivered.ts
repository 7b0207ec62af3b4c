/** Delivery receipts: the last message that reached a user's devices (specification/channels.md §9). */
import { splitCid } from "../../../../wire/ids.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { requireReadChannel, callerPermissions } from "../../access/view/policy.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader, isObject } from "../../validation/check.ts";
import { findMessage } from "../../messages/storage/rows.ts";
import { People, privacyOf } from "../../users/view/users.ts";
import { messageOf } from "./mark-read.ts";
import { channelRow, readRow } from "../../channels/storage/rows.ts";
import { setDelivered } from "../storage/reads.ts";

/** Stores delivery receipts; a receipt never moves back. */
export function markDelivered(call: RouteCall): Reply<"markDelivered"> {
  const { db, emit } = call;
  const me = actor(call);
  const check = new BodyReader(call.body);
  const list = check.list("latest_delivered_messages", 100) ?? [];
  if (list.length === 0) check.fail("latest_delivered_messages", "must not be empty");
  const entries = list.map((entry, i) => {
    const path = `latest_delivered_messages.${i}`;
    const { cid, id } = isObject(entry) ? entry : {};
    if (typeof cid === "string" && typeof id === "string" && splitCid(cid)) return { cid, id, path };
    check.fail(path, "must be an object with cid and id");
    return { cid: "", id: "", path };
  });
  check.done();
  for (const { cid, id, path } of entries) {
    const permissions = callerPermissions(call, channelRow(db, cid));
    requireReadChannel(permissions);
    const row = messageOf(call, permissions, id, `${path}.id`);
    const state = readRow(db, cid, me.id);
    const before = state?.delivered_id ? findMessage(db, state.delivered_id) : undefined;
    if (
      !permissions.config.delivery_events ||
      !state ||
      !row.listed ||
      !privacyOf(me).delivery_receipts.enabled
    )
      continue;
    if (before && before.created_at >= row.created_at) continue;
    const now = call.now();
    setDelivered(db, { cid, user_id: me.id, delivered_at: now, delivered_id: id });
    emit.watchers(cid, {
      type: "message.delivered",
      user: new People(db, emit).get(me.id),
      last_delivered_at: timeFromMicros(now),
      last_delivered_message_id: id,
    });
  }
  return {};
}
