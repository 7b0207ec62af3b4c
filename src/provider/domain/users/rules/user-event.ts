/** POST /users/{id}/event: sends a custom event to all connections of one user (specification/events.md §4). */
import { userBodies } from "../../../../wire/bodies/users.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { BodyReader } from "../../validation/check.ts";
import { publicUser } from "../view/users.ts";
import { userRow } from "../storage/rows.ts";

/** Keys that the provider sets, or that belong to channels. */
const RESERVED = new Set(
  "user user_id created_at received_at cid channel channel_id channel_type team".split(" "),
);

export function sendUserEvent(call: RouteCall): Reply<"sendUserEvent"> {
  const { db, emit } = call;
  const row = userRow(db, call.path.id ?? "");
  const check = new BodyReader(call.body);
  const { type, custom: fields } = check.read(userBodies.sendUserEvent).event;
  if (type.includes(".")) check.fail("event.type", "must not contain a dot: such names are built in");
  check.done();
  if (row.deactivated_at !== null) throw ApiProblem.notFound(`User ${row.id} is deactivated`);
  const custom = Object.fromEntries(Object.entries(fields).filter(([key]) => !RESERVED.has(key)));
  const event = { ...custom, type, user: publicUser(row, emit.online(row.id)) };
  emit.user(row.id, event);
  emit.server(event);
  return {};
}
