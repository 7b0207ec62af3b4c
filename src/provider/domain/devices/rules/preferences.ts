/** Push preferences of users, also for single channels (specification/users.md §10). Nothing is ever pushed. */
import { deviceBodies, type preference } from "../../../../wire/bodies/devices.ts";
import type { Values } from "../../../../wire/entities/fields.ts";
import { CID_FORM, splitCid } from "../../../../wire/ids.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { CHAT_PREFERENCES, type PushPreferences } from "../../../../wire/entities/user.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { requireReadable } from "../../access/view/policy.ts";
import { BodyReader, type Fields } from "../../validation/check.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { channelRow } from "../../channels/storage/rows.ts";
import { pushOf } from "../../users/view/private-view.ts";
import { userRow, setPush } from "../../users/storage/rows.ts";
import { channelPush, findChannelPush } from "../storage/devices.ts";

interface PreferenceChange {
  userId: string | undefined;
  cid: string | undefined;
  /** New values by key; undefined removes the preference. */
  changes: Map<keyof PushPreferences, unknown>;
  chat: Record<string, string>;
}

function readEntry(check: BodyReader, fields: Values<typeof preference>): PreferenceChange {
  const changes: PreferenceChange["changes"] = new Map();
  for (const key of ["chat_level", "call_level", "feeds_level"] as const)
    if (fields[key] !== undefined) changes.set(key, fields[key] === "default" ? undefined : fields[key]);
  const { disabled_until: until, channel_cid: cid, chat_preferences: chat = {} } = fields;
  if (until !== undefined) changes.set("disabled_until", timeFromMicros(until));
  if (fields.remove_disable) {
    if (until !== undefined) check.fail("remove_disable", "cannot be given together with disabled_until");
    changes.set("disabled_until", undefined);
  }
  for (const [key, value] of Object.entries(chat)) {
    if (!(CHAT_PREFERENCES as readonly string[]).includes(key))
      check.fail(`chat_preferences.${key}`, "is not a push preference");
    else if (value !== "all" && value !== "none")
      check.fail(`chat_preferences.${key}`, "must be all or none");
  }
  if (cid !== undefined && !splitCid(cid)) check.fail("channel_cid", CID_FORM);
  return { userId: fields.user_id, cid, changes, chat };
}

function applyChange(before: PushPreferences, { changes, chat }: PreferenceChange): PushPreferences {
  const after: Fields = { ...before };
  for (const [key, value] of changes)
    if (value === undefined) delete after[key];
    else after[key] = value;
  if (Object.keys(chat).length > 0) after.chat_preferences = { ...before.chat_preferences, ...chat };
  return after as PushPreferences;
}

export function setPushPreferences(call: RouteCall): Reply<"setPushPreferences"> {
  const { db, caller } = call;
  const me = caller.kind === "server" ? undefined : actor(call);
  const bodyCheck = new BodyReader(call.body);
  const entries = bodyCheck.read(deviceBodies.setPushPreferences).preferences.map((fields, i) => {
    const check = bodyCheck.within({}, `preferences.${i}`);
    const entry = readEntry(check, fields);
    if (!me && entry.userId === undefined) check.fail("user_id", "is required with server-side auth");
    return entry;
  });
  if (me && entries.some(({ userId }) => userId !== undefined && userId !== me.id))
    throw ApiProblem.notAllowed("You are not allowed to change the push preferences of others");
  bodyCheck.done();
  const ofUsers: Record<string, PushPreferences> = {};
  const ofChannels: Record<string, Record<string, PushPreferences>> = {};
  for (const entry of entries) {
    const row = userRow(db, me?.id ?? entry.userId!);
    if (entry.cid === undefined) {
      const push = applyChange(JSON.parse(row.push) as PushPreferences, entry);
      setPush(db, row.id, JSON.stringify(push));
    } else {
      if (me) requireReadable(call, entry.cid);
      else channelRow(db, entry.cid);
      const push = applyChange(findChannelPush(db, row.id, entry.cid) ?? {}, entry);
      const key = { user_id: row.id, cid: entry.cid };
      if (Object.keys(push).length === 0) channelPush.remove(db, key);
      else channelPush.put(db, { ...key, data: JSON.stringify(push) });
      ofChannels[row.id] = { ...ofChannels[row.id], [entry.cid]: push };
    }
    ofUsers[row.id] = pushOf(userRow(db, row.id));
  }
  return { user_preferences: ofUsers, user_channel_preferences: ofChannels };
}
