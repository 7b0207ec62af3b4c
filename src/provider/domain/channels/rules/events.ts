/** POST …/event: sends typing and custom events, which are not stored (specification/channels.md §10, specification/events.md §4). */
import { CUSTOM_DATA_LIMIT, MANY_WATCHERS } from "../../../../wire/constants.ts";
import { POISONED_KEYS } from "../../../../wire/ids.ts";
import { RESERVED_EVENT, TYPING_EVENTS } from "../../../../wire/event-names.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { authorOf } from "../../users/rules/acting-user.ts";
import { channelRow } from "../storage/rows.ts";
import { cidOfPath } from "../../../base/channel-path.ts";
import { BodyReader, jsonBytes } from "../../validation/check.ts";
import {
  requirePermission,
  requireReadChannel,
  requireFeature,
  callerPermissions,
  requireNotBanned,
} from "../../access/view/policy.ts";
import { findMessage } from "../../messages/storage/rows.ts";
import { isShadowBanned } from "../../moderation/storage/bans.ts";
import { People, privacyOf } from "../../users/view/users.ts";

const ENVELOPE_KEYS = new Set([
  "type",
  "user",
  "user_id",
  "cid",
  "channel_id",
  "channel_type",
  "created_at",
  "received_at",
  "parent_id",
]);

export function sendEvent(call: RouteCall): Reply<"sendEvent"> {
  const { db, emit } = call;
  const cid = cidOfPath(call.path);
  const channel = channelRow(db, cid);
  const bodyCheck = new BodyReader(call.body);
  const source = bodyCheck.object("event") ?? {};
  if (call.body.event == null) bodyCheck.fail("event", "is required");
  if (call.caller.kind === "server") bodyCheck.done();
  const me = authorOf(call, source);
  const permissions = callerPermissions(call, channel);
  requireReadChannel(permissions);
  const now = call.now();
  requireNotBanned(permissions, now);
  bodyCheck.done();
  const check = new BodyReader(source, "event.");
  const type = check.need("type", 255);
  const parentId = check.id("parent_id");
  if (parentId !== undefined && findMessage(db, parentId)?.cid !== cid)
    check.fail("parent_id", "names no message of this channel");
  if (jsonBytes(source) > CUSTOM_DATA_LIMIT)
    check.fail("custom", `data must be at most ${CUSTOM_DATA_LIMIT} bytes`);
  check.done();
  const typing = TYPING_EVENTS.has(type);
  if (typing) requireFeature(permissions, "typing_events", "typing events");
  else {
    if (RESERVED_EVENT.test(type))
      throw ApiProblem.eventNotSupported(`Event type ${type} is built in`, {
        fields: { "event.type": "is built in" },
      });
    requireFeature(permissions, "custom_events", "custom events");
    requirePermission(permissions, "send-custom-event", "send custom events");
  }
  const custom = Object.fromEntries(
    Object.entries(source).filter(([key]) => !ENVELOPE_KEYS.has(key) && !POISONED_KEYS.has(key)),
  );
  const event = {
    ...custom,
    type,
    user: new People(db, emit).get(me.id),
    ...(parentId === undefined ? {} : { parent_id: parentId }),
  };
  const dropped =
    typing && (!privacyOf(me).typing_indicators.enabled || emit.watcherInfo(cid).count > MANY_WATCHERS);
  const only = isShadowBanned(db, me.id, cid, now) ? new Set([me.id]) : undefined;
  if (!dropped) emit.watchers(cid, event, only);
  return {
    event: {
      ...event,
      cid,
      channel_type: channel.type,
      channel_id: channel.id,
      created_at: timeFromMicros(now),
    },
  };
}
