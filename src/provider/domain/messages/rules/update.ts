/** Updates messages: a full update replaces, a partial one sets and unsets paths, including pins (specification/messages.md §6). */
import { settableContent, switches } from "../../../../wire/bodies/messages.ts";
import { builtInFields } from "../../../../wire/custom.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { authorOf, maybeActor } from "../../users/rules/acting-user.ts";
import { commandOf } from "../../access/storage/commands.ts";
import { BodyReader, isObject, invalidField, type Fields } from "../../validation/check.ts";
import { changesOf } from "./change-set.ts";
import { enrich, preparedOf, withoutPreview, type Prepared } from "./enrichment.ts";
import { enrichLater } from "./enrich-later.ts";
import { storeVersion } from "./history.ts";
import {
  checkContent,
  checkPoll,
  checkQuoted,
  existingUserIds,
  readContent,
} from "../../content/rules/content.ts";
import { messageData, type Content } from "../storage/new-message.ts";
import { publishMessage } from "../view/audience.ts";
import { lowerUnread } from "../../reads/storage/unread.ts";
import { isShadowBanned } from "../../moderation/storage/bans.ts";
import { moderate, type BlocklistMatch } from "../../filters/rules/blocklists.ts";
import { flagByList } from "../../flags/rules/flags.ts";
import { pinChanges, pinsAfter, readPin, type PinChange } from "./pins.ts";
import { notNotifiedBy, type MessageData, type MessageRow } from "../storage/rows.ts";
import { callerViewContext, messageFor } from "../view/visibility.ts";
import { messageView } from "../view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { applyPartial, firstStep, MAX_PATHS, readPartial } from "../../validation/paths.ts";
import { requirePermission, can, requireNotBanned, type Permissions } from "../../access/view/policy.ts";
import { userRow, type UserRow } from "../../users/storage/rows.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { setShadowed, storeMessageRow } from "../storage/change.ts";

/** Requires the author or the permission to change any message. An update of the pin only needs the permission to pin, checked later. */
function requireUpdate(
  call: RouteCall,
  permissions: Permissions,
  row: MessageRow,
  me: UserRow,
  pinOnly: boolean,
): void {
  if (row.type === "deleted")
    throw invalidField(
      "id",
      "names a deleted message, which cannot be changed",
      "A deleted message cannot be changed",
    );
  requireNotBanned(permissions, call.now());
  if (pinOnly) return;
  const own = row.user_id === me.id;
  if (!can(permissions, "update-message", own))
    throw ApiProblem.notAllowed("You are not allowed to change this message");
}

/** A checked change: the new content, and whether only the pin was named. */
interface Change {
  content: Content;
  unsilence: boolean;
  pin: PinChange;
  pinOnly: boolean;
  /** The results of the prefetch; empty for an ephemeral update. */
  prepared: Prepared;
}

/** The row after the change, with every check of specification/messages.md §4 that applies to changes. */
function applyChange(
  call: RouteCall,
  permissions: Permissions,
  row: MessageRow,
  me: UserRow,
  change: Change,
  now: number,
): MessageRow {
  const { db } = call;
  const { pin, prepared: results } = change;
  const before = JSON.parse(row.data) as MessageData;
  const newText = change.content.text !== row.text;
  const withoutOldPreview =
    newText && results.url !== before.enriched
      ? { ...change.content, attachments: withoutPreview(change.content.attachments, before.enriched) }
      : change.content;
  checkContent(permissions, withoutOldPreview, row.has_location === 1);
  const { content, enriched } = enrich(withoutOldPreview, results);
  if (content.quotedId === row.id)
    throw invalidField("message.quoted_message_id", "cannot name the message itself");
  if (content.quotedId !== undefined && content.quotedId !== row.quoted_id)
    checkQuoted(db, permissions, content.quotedId);
  if (content.pollId !== undefined && content.pollId !== row.poll_id)
    checkPoll(db, permissions, content.pollId, row.user_id);
  if (pinChanges(pin, row, now)) requirePermission(permissions, "pin-message", "pin messages");
  const keepsPreview = content.attachments.some((attachment) => attachment.og_scrape_url === before.enriched);
  const source = enriched ?? (keepsPreview ? before.enriched : undefined);
  const i18n = newText ? (results.text === content.text ? results.i18n : undefined) : before.i18n;
  const editor = change.pinOnly ? (before.edited_by ?? row.user_id) : me.id;
  const data: MessageData = {
    ...messageData(content, existingUserIds(db, content.mentioned)),
    ...commandOf(content.text, permissions.config.commands),
    ...(before.show_in_channel ? { show_in_channel: true } : {}),
    ...(notNotifiedBy(before).length > 0 ? { not_notified: [...notNotifiedBy(before)] } : {}),
    ...(before.member ? { member: before.member } : {}),
    ...(source === undefined ? {} : { enriched: source }),
    ...(i18n ? { i18n } : {}),
    ...(editor === row.user_id ? {} : { edited_by: editor }),
  };
  const updatedAt = Math.max(now, row.updated_at + 1);
  return {
    ...row,
    ...pinsAfter(pin, row, me, now),
    text: content.text,
    data: JSON.stringify(data),
    silent: change.unsilence ? 0 : row.silent,
    quoted_id: content.quotedId ?? null,
    poll_id: content.pollId ?? null,
    updated_at: updatedAt,
    text_updated_at: newText ? updatedAt : row.text_updated_at,
  };
}

/**
 * Checks a new text against the blocklists like a sent one (73). A blocklist that shadows, or a shadow-banned author, makes the
 * message visible only to its author.
 */
function applyModeration(
  call: RouteCall,
  permissions: Permissions,
  row: MessageRow,
  after: MessageRow,
): BlocklistMatch | undefined {
  if (after.text === row.text) return undefined;
  const match = moderate(call.db, permissions, after.text, call.body.force_moderation === true);
  if (match?.behavior === "shadow_block" || isShadowBanned(call.db, row.user_id, row.cid, after.updated_at))
    Object.assign(after, { shadowed: 1, restricted: "[]" });
  return match;
}

/** Hides the message from everybody but its author, and lowers the unread counts. */
function hideFromOthers(call: RouteCall, row: MessageRow): void {
  lowerUnread(call.db, row.cid, row.id);
  setShadowed(call.db, row.id);
}

function write(
  call: RouteCall,
  permissions: Permissions,
  row: MessageRow,
  me: UserRow,
  change: Change,
  now: number,
): Reply<"updateMessage"> {
  const { db } = call;
  const after = applyChange(call, permissions, row, me, change, now);
  const match = applyModeration(call, permissions, row, after);
  if (after.shadowed > row.shadowed) hideFromOthers(call, row);
  if (!change.pinOnly) storeVersion(call, row, after.updated_at);
  storeMessageRow(db, after);
  if (match?.behavior === "flag") flagByList(call, viewContext(db, call.emit, now), after, match.list);
  publishUpdated(call, after, me.id, row);
  enrichLater(call, row.id, change.prepared);
  return { message: messageView(callerViewContext(call), after) };
}

/** Emits `message.updated` to those who may see the message; with `before`, the event lists the changes. */
export function publishUpdated(call: RouteCall, row: MessageRow, actorId: string, before?: MessageRow): void {
  const context = viewContext(call.db, call.emit, call.now());
  const extraFields = before ? { message_update: changesOf(before, row) } : {};
  publishMessage(call, context, "message.updated", row, actorId, extraFields);
}

/** POST: fields that are not named are dropped; the pin changes only when `pinned` is present. */
export function updateMessage(call: RouteCall): Reply<"updateMessage"> {
  const { row, permissions } = messageFor(call);
  const bodyCheck = new BodyReader(call.body);
  const source = bodyCheck.object("message") ?? {};
  if (call.body.message == null) bodyCheck.fail("message", "is required");
  bodyCheck.read(switches);
  if (call.caller.kind === "server") bodyCheck.done();
  const me = authorOf(call, source);
  requireUpdate(call, permissions, row, me, false);
  bodyCheck.done();
  const check = new BodyReader(source, "message.");
  const content = readContent(check, source, call.caller.kind === "server");
  const now = call.now();
  const pin = source.pinned == null ? undefined : readPin(check, source, row, now);
  check.date("pin_expires");
  check.done();
  return write(
    call,
    permissions,
    row,
    me,
    { content, unsilence: false, pin, pinOnly: false, prepared: preparedOf(call) },
    now,
  );
}

/** Built-in keys that a partial update may name; custom ones are free. */
const SERVER_SETTABLE: ReadonlySet<string> = new Set([...Object.keys(settableContent), "status"]);
const SETTABLE: ReadonlySet<string> = new Set(
  [...SERVER_SETTABLE].filter((key) => key !== "html" && key !== "mml"),
);

/** A full update drops `status`, which clients keep for themselves; in a partial update it is a custom field. */
const withStatus = (content: Content, { status }: Fields): Content =>
  status == null ? content : { ...content, custom: { ...content.custom, status } };

/** A hundred years, seconds. */
const LONGEST_PIN = 100 * 365 * 86_400;

function readPartialChange(
  call: RouteCall,
  permissions: Permissions,
  row: MessageRow,
  me: UserRow,
  now: number,
): Omit<Change, "prepared"> {
  const check = new BodyReader(call.body);
  const set = check.object("set") ?? {};
  const unset = check.texts("unset", MAX_PATHS) ?? [];
  check.read(switches);
  if (Object.keys(set).length + unset.length === 0) check.fail("set", "and unset must not both be empty");
  const server = call.caller.kind === "server";
  const { applied, names } = applyTo(row, set, unset, check, server ? SERVER_SETTABLE : SETTABLE);
  check.done();
  const pinOnly = names.every((name) => name === "pinned" || name === "pin_expires");
  requireUpdate(call, permissions, row, me, pinOnly);
  const inner = new BodyReader(applied, "set.");
  // Read as for a server, because the stored content includes html and mml, whoever changes the rest.
  const content = withStatus(readContent(inner, applied, true), applied);
  const pinSource: Fields = {};
  for (const key of ["pinned", "pin_expires"] as const) {
    if (Object.hasOwn(set, key)) pinSource[key] = set[key] ?? (key === "pinned" ? false : null);
    if (unset.includes(key)) pinSource[key] = key === "pinned" ? false : null;
  }
  // A number is how long the pin lasts.
  const { pin_expires: lasts } = pinSource;
  if (typeof lasts === "number" && Number.isSafeInteger(lasts) && lasts > 0 && lasts <= LONGEST_PIN)
    pinSource.pin_expires = timeFromMicros(now + lasts * 1_000_000);
  const pinCheck = new BodyReader(pinSource, "set.");
  const pin = readPin(pinCheck, pinSource, row, now);
  pinCheck.done();
  inner.done();
  if (pinOnly && pin && !pinChanges(pin, row, now))
    requirePermission(permissions, "pin-message", "pin messages");
  return { content, unsilence: unset.includes("silent"), pin, pinOnly };
}

/** A server that names nobody changes parts of a message as its author. */
const actorOrAuthor = (call: RouteCall, row: MessageRow): UserRow =>
  maybeActor(call) ?? userRow(call.db, row.user_id);

/** PUT: sets and unsets paths in the stored content. */
export function updateMessagePartial(call: RouteCall): Reply<"updateMessagePartial"> {
  const { row, permissions } = messageFor(call);
  const me = actorOrAuthor(call, row);
  const now = call.now();
  const change = readPartialChange(call, permissions, row, me, now);
  return write(call, permissions, row, me, { ...change, prepared: preparedOf(call) }, now);
}

/** PATCH …/ephemeral: emits the change without storing it. */
export function updateMessageEphemeral(call: RouteCall): Reply<"updateMessageEphemeral"> {
  const { row, permissions } = messageFor(call);
  const me = actorOrAuthor(call, row);
  const now = call.now();
  const change = readPartialChange(call, permissions, row, me, now);
  const after = applyChange(call, permissions, row, me, { ...change, prepared: {} }, now);
  applyModeration(call, permissions, row, after);
  publishUpdated(call, after, me.id, row);
  return { message: messageView(callerViewContext(call), after) };
}

/** The content in the form of a request, with the paths applied. */
function applyTo(
  row: MessageRow,
  set: Fields,
  unset: string[],
  check: BodyReader,
  settable: ReadonlySet<string>,
): { applied: Fields; names: string[] } {
  const data = JSON.parse(row.data) as MessageData;
  const current: Fields = {
    ...data.custom,
    text: row.text,
    html: data.html ?? "",
    mml: data.mml ?? "",
    attachments: data.attachments ?? [],
    mentioned_users: data.mentioned ?? [],
    mentioned_channel: data.mentioned_channel === true,
    mentioned_here: data.mentioned_here === true,
    ...(row.quoted_id === null ? {} : { quoted_message_id: row.quoted_id }),
    ...(row.poll_id === null ? {} : { poll_id: row.poll_id }),
  };
  if (Object.keys(set).length + unset.length === 0) return { applied: current, names: [] };
  const partial = readPartial(check);
  const names = [...Object.keys(partial.set), ...partial.unset].map(firstStep);
  for (const name of names)
    if (
      builtInFields("message").has(name) &&
      !settable.has(name) &&
      !(name === "silent" && unset.includes(name))
    )
      check.fail(`set.${name}`, "cannot be changed");
  if (isObject(set) && set.text === null) check.fail("set.text", "must be a text");
  const applied = applyPartial(current, partial);
  delete applied.pinned;
  delete applied.pin_expires;
  return { applied, names };
}
