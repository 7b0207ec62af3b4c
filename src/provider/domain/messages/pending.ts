/** Pending messages: kept apart and shown to their author alone until a server commits them (specification/messages.md §4). */
import type { Message, PendingMessage } from "../../../wire/message.ts";
import { timeFromMicros } from "../../../wire/time.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../base/handler.ts";
import type { Database } from "../../store/database.ts";
import { jsonBytes, invalidField, type BodyReader } from "../validation/check.ts";
import { requireReadChannel, standingOf, type Permissions } from "../access/policy.ts";
import { channelRow, memberRow } from "../channels/rows.ts";
import { userRow, type UserRow } from "../users/view.ts";
import { findMessage } from "./rows.ts";
import { rowOf, storeMessage, type NewMessage } from "./store.ts";
import { viewContext, messageView, type Looking } from "./view.ts";

/** Own pending messages in the state of one channel. */
const SHOWN = 100;
/** Bytes of JSON of `pending_message_metadata`. */
const METADATA_LIMIT = 5 * 1024;

type Metadata = Record<string, string>;

interface PendingRow {
  id: string;
  cid: string;
  user_id: string;
  created_at: number;
  message: string;
  metadata: string | null;
}

/** The JSON of `message`: the parent is looked up again when it is shown or committed. */
type Stored = Omit<NewMessage, "parent"> & { parentId?: string };

export function checkMetadata(check: BodyReader, given: Metadata | undefined): void {
  if (!given) return;
  if (!Object.values(given).every((value) => typeof value === "string"))
    check.fail("pending_message_metadata", "must be a map of texts");
  if (jsonBytes(given) > METADATA_LIMIT)
    check.fail("pending_message_metadata", `must be at most ${METADATA_LIMIT} bytes of JSON`);
}

const find = (db: Database, id: string): PendingRow | undefined =>
  db.get<PendingRow>("SELECT * FROM pending_messages WHERE id = ?", id);

/** The pending message of this id if the caller is its author or a server, who alone know of it. */
function known(call: RouteCall, id: string): PendingRow | undefined {
  const row = find(call.db, id);
  const { kind, userId } = call.caller;
  return row && (kind === "server" || (kind === "user" && row.user_id === userId)) ? row : undefined;
}

/** Code 4 for whoever knows that the message is pending: it can only be read, committed, or deleted for good. */
export function refusePending(call: RouteCall, id: string): void {
  if (known(call, id))
    throw invalidField("id", "names a pending message: it can only be read or deleted for good");
}

function toStore(row: PendingRow, db: Database): NewMessage {
  const { parentId, ...message } = JSON.parse(row.message) as Stored;
  const parent = parentId === undefined ? undefined : findMessage(db, parentId);
  return parent ? { ...message, parent } : message;
}

/** The standing of the call with the author's membership, also when a server acts. */
function asAuthor(call: RouteCall, s: Permissions, author: UserRow): Permissions {
  return { ...s, userId: author.id, member: memberRow(call.db, s.channel.cid, author.id) };
}

function viewOf(at: Looking, s: Permissions, row: PendingRow, author: UserRow): Message {
  const message = toStore(row, at.db);
  const view = messageView(at, rowOf(s, author, message, row.created_at));
  if (message.location) {
    const { latitude, longitude, device, endAt } = message.location;
    view.shared_location = {
      message_id: row.id,
      channel_cid: row.cid,
      user_id: author.id,
      latitude,
      longitude,
      created_by_device_id: device,
      ...(endAt === null ? {} : { end_at: timeFromMicros(endAt) }),
      created_at: view.created_at,
      updated_at: view.updated_at,
    };
  }
  return view;
}

/** Keeps a checked message; only the author's connections and servers hear of it. */
export function keepPending(
  call: RouteCall,
  s: Permissions,
  author: UserRow,
  message: NewMessage,
  metadata: Metadata | undefined,
): Message {
  const { db, emit } = call;
  const { cid } = s.channel;
  const now = call.now();
  const { parent, ...rest } = message;
  const stored: Stored = parent ? { ...rest, parentId: parent.id } : rest;
  const row: PendingRow = {
    id: message.id,
    cid,
    user_id: author.id,
    created_at: now,
    message: JSON.stringify(stored),
    metadata: metadata ? JSON.stringify(metadata) : null,
  };
  db.run(
    "INSERT INTO pending_messages (id, cid, user_id, created_at, message, metadata) VALUES (?, ?, ?, ?, ?, ?)",
    row.id,
    cid,
    author.id,
    now,
    row.message,
    row.metadata,
  );
  const at = viewContext(db, emit, now, author.id);
  const view = viewOf(at, asAuthor(call, s, author), row, author);
  const shown = { user: view.user, message: view, message_id: row.id };
  emit.watchers(cid, { type: "message.new", ...shown }, undefined, new Set([author.id]));
  emit.server({
    type: "message.pending",
    cid,
    ...shown,
    method: "send",
    ...(metadata ? { metadata } : {}),
  });
  return view;
}

const metadataOf = (row: PendingRow): { metadata?: Metadata } =>
  row.metadata === null ? {} : { metadata: JSON.parse(row.metadata) as Metadata };

/** What the author finds in the state of a channel, oldest first. */
export function pendingOf(call: RouteCall, at: Looking, s: Permissions): PendingMessage[] {
  if (at.viewer === undefined) return [];
  const rows = call.db.all<PendingRow>(
    "SELECT * FROM pending_messages WHERE cid = ? AND user_id = ? ORDER BY created_at DESC LIMIT ?",
    s.channel.cid,
    at.viewer,
    SHOWN,
  );
  if (rows.length === 0) return [];
  const author = userRow(call.db, at.viewer);
  const own = asAuthor(call, s, author);
  return rows.toReversed().map((row) => ({ message: viewOf(at, own, row, author), ...metadataOf(row) }));
}

/** A pending message by id for its author or a server, who may still read the channel. */
export function pendingFor(
  call: RouteCall,
  id: string,
): { message: Message; metadata?: Metadata; s: Permissions } | undefined {
  const row = known(call, id);
  if (!row) return undefined;
  const s = standingOf(call, channelRow(call.db, row.cid));
  requireReadChannel(s);
  const author = userRow(call.db, row.user_id);
  const at = viewContext(call.db, call.emit, call.now(), row.user_id);
  return { message: viewOf(at, asAuthor(call, s, author), row, author), ...metadataOf(row), s };
}

/** Its only deletion is for good. Undefined when it is not pending, or not the caller's to know. */
export function deletePending(
  call: RouteCall,
  id: string,
  hard: boolean,
  check: BodyReader,
): Reply<"deleteMessage"> | undefined {
  const found = pendingFor(call, id);
  if (!found) return undefined;
  check.done();
  if (!hard) throw invalidField("hard", "is required: a pending message can only be deleted for good");
  const { message } = found;
  call.db.run("DELETE FROM pending_messages WHERE id = ?", id);
  call.emit.watchers(
    message.cid,
    { type: "message.deleted", user: message.user, message, message_id: id, hard_delete: true },
    undefined,
    new Set([message.user.id]),
  );
  return { message };
}

/** The message becomes a normal one of this moment, and is told like any new one. A second commit finds nothing pending. */
export function commitMessage(call: RouteCall): Reply<"commitMessage"> {
  const { db } = call;
  const id = call.path.id ?? "";
  const row = find(db, id);
  if (!row) {
    if (findMessage(db, id)) throw invalidField("id", "names a message that is not pending");
    throw new ApiProblem(16, `Message ${id.slice(0, 255)} does not exist`);
  }
  const author = userRow(db, row.user_id);
  const s = asAuthor(call, standingOf(call, channelRow(db, row.cid)), author);
  const message = toStore(row, db);
  if (message.type === "reply" && !message.parent)
    throw invalidField("parent_id", "names a message that is gone by now");
  db.run("DELETE FROM pending_messages WHERE id = ?", id);
  return { message: storeMessage(call, s, author, message).view };
}
