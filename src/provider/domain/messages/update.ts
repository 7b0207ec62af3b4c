/** Changing a message: the full update replaces, the partial one sets and unsets paths, pinning included (messages.md §6). */
import { BUILT_IN } from "../../../wire/custom.ts";
import type { Call, Reply } from "../../handler.ts";
import { actor } from "../asked/acting.ts";
import { commandOf } from "../access/commands.ts";
import { Check, isObject, wrong, type Fields } from "../asked/check.ts";
import { checkContent, checkPoll, checkQuoted, knownUsers, readContent, type Content } from "./input.ts";
import { audienceOf } from "./audience.ts";
import { findMessage, type MessageData, type MessageRow } from "./rows.ts";
import { lookingFor, messageFor } from "./read.ts";
import { looking, messageView } from "./view.ts";
import { applyPartial, firstStep, readPartial } from "../asked/paths.ts";
import { allow, can, isBanned, notAllowed, type Standing } from "../access/policy.ts";
import type { UserRow } from "../users/view.ts";

/** `undefined`: the pin stays as it is. */
type Pin = { on: false } | { on: true; expires: number | null } | undefined;

const WRITE = `UPDATE messages SET text = ?, data = ?, quoted_id = ?, poll_id = ?, updated_at = ?, text_updated_at = ?,
  pinned_at = ?, pin_expires = ?, pinned_by = ? WHERE id = ?`;

/** Who may: the author or who may change any message; with only a pin the right to pin is enough. */
function mayUpdate(call: Call, s: Standing, row: MessageRow, me: UserRow, pinOnly: boolean): void {
  if (row.type === "deleted") throw wrong("id", "names a deleted message, which cannot be changed");
  if (isBanned(s, call.now())) throw notAllowed(`You are banned from channel ${s.channel.cid}`);
  if (pinOnly) return;
  const own = row.user_id === me.id;
  if (!can(s, "update-message", own)) throw notAllowed("You are not allowed to change this message");
}

function readPin(check: Check, source: Fields, row: MessageRow, now: number): Pin {
  if (source.pinned === undefined && source.pin_expires === undefined) return undefined;
  const on = source.pinned === undefined ? row.pinned_at !== null : (check.flag("pinned") ?? false);
  const given = check.date("pin_expires");
  const expires =
    source.pin_expires === undefined && row.pinned_at !== null ? row.pin_expires : (given ?? null);
  if (!on) return { on: false };
  if (given !== undefined && given <= now) check.fail("pin_expires", "must be in the future");
  if (row.restricted !== null) check.fail("pinned", "is not possible for a message of restricted visibility");
  return { on: true, expires };
}

/** A pin that changes nothing needs no right. */
function pinChanges(pin: Pin, row: MessageRow): boolean {
  if (pin === undefined) return false;
  if (!pin.on) return row.pinned_at !== null;
  return row.pinned_at === null || pin.expires !== row.pin_expires;
}

function write(
  call: Call,
  s: Standing,
  row: MessageRow,
  me: UserRow,
  content: Content,
  pin: Pin,
  now: number,
): Reply {
  const { db } = call;
  const before = JSON.parse(row.data) as MessageData;
  checkContent(s, content, row.has_location === 1);
  if (content.quotedId !== undefined && content.quotedId !== row.quoted_id)
    checkQuoted(db, s, content.quotedId);
  if (content.quotedId === row.id) throw wrong("message.quoted_message_id", "cannot name the message itself");
  if (content.pollId !== undefined && content.pollId !== row.poll_id)
    checkPoll(db, s, content.pollId, row.user_id);
  if (pinChanges(pin, row)) allow(s, "pin-message", "pin messages");
  const command = commandOf(content.text, s.config.commands);
  const mentioned = knownUsers(db, content.mentioned);
  const data: MessageData = {
    ...(content.attachments.length ? { attachments: content.attachments } : {}),
    ...(mentioned.length ? { mentioned } : {}),
    ...command,
    ...(before.show_in_channel ? { show_in_channel: true } : {}),
    ...(before.member ? { member: before.member } : {}),
    ...(Object.keys(content.custom).length ? { custom: content.custom } : {}),
  };
  const renewed = pin?.on && (row.pinned_at === null || (row.pin_expires !== null && row.pin_expires <= now));
  const pins: [number | null, number | null, string | null] =
    pin === undefined
      ? [row.pinned_at, row.pin_expires, row.pinned_by]
      : pin.on
        ? [renewed ? now : row.pinned_at, pin.expires, renewed ? me.id : row.pinned_by]
        : [null, null, null];
  const at = Math.max(now, row.updated_at + 1);
  const textAt = content.text === row.text ? row.text_updated_at : at;
  db.run(
    WRITE,
    content.text,
    JSON.stringify(data),
    content.quotedId ?? null,
    content.pollId ?? null,
    at,
    textAt,
    ...pins,
    row.id,
  );
  const after = findMessage(db, row.id)!;
  tellUpdated(call, after, me, row.text === content.text ? undefined : { old_text: row.text });
  return { message: messageView(lookingFor(call), after) };
}

/** `message.updated` to those who may see the message. */
export function tellUpdated(call: Call, row: MessageRow, me: UserRow, change?: { old_text: string }): void {
  const at = looking(call.db, call.emit, call.now());
  const only = audienceOf(call, row);
  call.emit.watchers(
    row.cid,
    {
      type: "message.updated",
      user: at.people.get(me.id),
      message: messageView(at, row),
      message_id: row.id,
      ...(change ? { message_update: change } : {}),
    },
    undefined,
    only,
  );
}

/** POST: what is not named is dropped; the pin only changes when `pinned` is there. */
export function updateMessage(call: Call): Reply {
  const { row, s } = messageFor(call);
  const top = new Check(call.body);
  const source = top.object("message") ?? {};
  if (call.body.message == null) top.fail("message", "is required");
  top.done();
  const me = actor(call, { user: source.user, user_id: source.user_id ?? call.body.user_id });
  mayUpdate(call, s, row, me, false);
  const check = new Check(source, "message.");
  const content = readContent(check, source);
  const now = call.now();
  const pin = source.pinned == null ? undefined : readPin(check, source, row, now);
  check.done();
  return write(call, s, row, me, content, pin, now);
}

/** Built-in keys that a partial update may name; custom ones are free. */
const SETTABLE = new Set([
  "text",
  "attachments",
  "mentioned_users",
  "quoted_message_id",
  "poll_id",
  "pinned",
  "pin_expires",
]);

/** PUT: paths are set and unset in the stored content. */
export function updateMessagePartial(call: Call): Reply {
  const { row, s } = messageFor(call);
  const me = actor(call);
  const check = new Check(call.body);
  const set = check.object("set") ?? {};
  const unset = check.texts("unset", 100) ?? [];
  if (Object.keys(set).length + unset.length === 0) check.fail("set", "and unset must not both be empty");
  const { applied, names } = applyTo(row, set, unset, check);
  check.done();
  const pinOnly = names.every((name) => name === "pinned" || name === "pin_expires");
  mayUpdate(call, s, row, me, pinOnly);
  const inner = new Check(applied, "set.");
  const content = readContent(inner, applied);
  const now = call.now();
  const pinSource: Fields = {};
  for (const key of ["pinned", "pin_expires"] as const) {
    if (Object.hasOwn(set, key)) pinSource[key] = set[key] ?? (key === "pinned" ? false : null);
    if (unset.includes(key)) pinSource[key] = key === "pinned" ? false : null;
  }
  const pinCheck = new Check(pinSource, "set.");
  const pin = readPin(pinCheck, pinSource, row, now);
  pinCheck.done();
  inner.done();
  if (pinOnly && pin && !pinChanges(pin, row)) allow(s, "pin-message", "pin messages");
  return write(call, s, row, me, content, pin, now);
}

/** The content as a request would name it, with the paths applied. */
function applyTo(
  row: MessageRow,
  set: Fields,
  unset: string[],
  check: Check,
): { applied: Fields; names: string[] } {
  const data = JSON.parse(row.data) as MessageData;
  const current: Fields = {
    ...data.custom,
    text: row.text,
    attachments: data.attachments ?? [],
    mentioned_users: data.mentioned ?? [],
    ...(row.quoted_id === null ? {} : { quoted_message_id: row.quoted_id }),
    ...(row.poll_id === null ? {} : { poll_id: row.poll_id }),
  };
  if (Object.keys(set).length + unset.length === 0) return { applied: current, names: [] };
  const partial = readPartial(check);
  const names = [...Object.keys(partial.set), ...partial.unset].map(firstStep);
  for (const name of names)
    if (BUILT_IN.message.has(name) && !SETTABLE.has(name)) check.fail(`set.${name}`, "cannot be changed");
  if (isObject(set) && set.text === null) check.fail("set.text", "must be a text");
  const applied = applyPartial(current, partial);
  delete applied.pinned;
  delete applied.pin_expires;
  return { applied, names };
}
