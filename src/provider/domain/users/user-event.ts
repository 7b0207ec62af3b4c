/** POST /users/{id}/event: a server's own event to all connections of one user (events.md §4). */
import { CUSTOM_DATA_LIMIT } from "../../../wire/constants.ts";
import { POISONED_KEYS } from "../../../wire/custom.ts";
import { Refusal, type Call, type Reply } from "../../handler.ts";
import { Check, jsonBytes } from "../asked/check.ts";
import { publicUser, userRow } from "./view.ts";

/** Keys the provider fills in, or that belong to channels. */
const FILLED = new Set(
  "user user_id created_at received_at cid channel channel_id channel_type team".split(" "),
);

export function sendUserEvent(call: Call): Reply {
  const { db, emit } = call;
  const row = userRow(db, call.path.id ?? "");
  const top = new Check(call.body);
  const source = top.object("event") ?? {};
  if (call.body.event == null) top.fail("event", "is required");
  top.done();
  const check = new Check(source, "event.");
  const type = check.need("type", 255);
  if (type.includes(".")) check.fail("type", "must not contain a dot: such names are built in");
  if (jsonBytes(source) > CUSTOM_DATA_LIMIT)
    check.fail("custom", `data must be at most ${CUSTOM_DATA_LIMIT} bytes`);
  check.done();
  if (row.deactivated_at !== null) throw new Refusal(16, `User ${row.id} is deactivated`);
  const custom = Object.fromEntries(
    Object.entries(source).filter(([key]) => !FILLED.has(key) && !POISONED_KEYS.has(key)),
  );
  const event = { ...custom, type, user: publicUser(row, emit.online(row.id)) };
  emit.user(row.id, event);
  emit.server(event);
  return {};
}
