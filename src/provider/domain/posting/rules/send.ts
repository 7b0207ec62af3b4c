/** Sends messages: the checks in order (specification/messages.md §4), then storing and events. */
import type { Message } from "../../../../wire/entities/message.ts";
import { createPreview, hasButtons } from "./previews.ts";
import { message, messageBodies } from "../../../../wire/bodies/messages.ts";
import { isMessageId, makeMessageId } from "../../../../wire/ids.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { authorOf } from "../../users/rules/acting-user.ts";
import { channelRow } from "../../channels/storage/rows.ts";
import { cidOfPath } from "../../../base/channel-path.ts";
import { readApp } from "../../../store/app-settings.ts";
import { commandOf } from "../../access/storage/commands.ts";
import { BodyReader, invalidField, type Fields } from "../../validation/check.ts";
import { dropDraft } from "../../drafts/rules/removal.ts";
import { readLocation, replaceLiveLocation, type NewLocation } from "../../locations/rules/input.ts";
import {
  checkContent,
  checkParent,
  checkPoll,
  checkQuoted,
  existingUserIds,
  readContent,
  checkMessageId,
} from "../../content/rules/content.ts";
import type { Content, NewMessage } from "../../messages/storage/new-message.ts";
import { messageView } from "../../messages/view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { enrich, preparedOf, type Prepared } from "../../messages/rules/enrichment.ts";
import { enrichLater } from "../../messages/rules/enrich-later.ts";
import { storePending, checkMetadata } from "../../messages/rules/pending.ts";
import { storeMessage } from "../../messages/rules/store.ts";
import {
  requirePermission,
  can,
  callerPermissions,
  requireEnabled,
  requireNotBanned,
  type Permissions,
} from "../../access/view/policy.ts";
import { isShadowBanned } from "../../moderation/storage/bans.ts";
import { moderate } from "../../filters/rules/blocklists.ts";
import { flagByList } from "../../flags/rules/flags.ts";
import {
  unstoredMessage,
  runBuiltInCommand,
  isBuiltInCommand,
  storesNoMessage,
} from "./built-in-commands.ts";
import { isTaken } from "../../messages/storage/tombstones.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { lastWrittenAt } from "../../messages/storage/rows.ts";

/** The fields of `message` in a send, checked for their types only. */
interface SendInput {
  id: string | undefined;
  type: string | undefined;
  content: Content;
  parentId: string | undefined;
  showInChannel: boolean;
  silent: boolean;
  restricted: string[];
  pinned: boolean;
  pinExpires: number | undefined;
  location: NewLocation | undefined;
  /** Whether a command at the start of the text is run; false for the message of another change. */
  runsCommands: boolean;
  /** Set when the message is stored as pending, until a server commits it. */
  pending: { metadata: Record<string, string> | undefined } | undefined;
  prepared: Prepared;
}

const { id, type, parent_id, show_in_channel, silent, restricted_visibility, pinned, pin_expires } = message;
const MESSAGE_FIELDS = {
  id,
  type,
  parent_id,
  show_in_channel,
  silent,
  restricted_visibility,
  pinned,
  pin_expires,
};
/** The fields of the body beside `message`. */
const { message: _message, ...OTHER_FIELDS } = messageBodies.sendMessage;

function readSendInput(call: RouteCall, check: BodyReader, source: Fields): SendInput {
  const fields = check.read(MESSAGE_FIELDS);
  return {
    id: fields.id,
    type: fields.type,
    content: readContent(check, source, call.caller.kind === "server"),
    parentId: fields.parent_id,
    showInChannel: fields.show_in_channel ?? false,
    silent: fields.silent ?? false,
    restricted: fields.restricted_visibility ?? [],
    pinned: fields.pinned ?? false,
    pinExpires: fields.pin_expires,
    location: readLocation(check),
    runsCommands: false,
    pending: undefined,
    prepared: {},
  };
}

/** Check 1: whether the caller may write here at all. */
function requireWritable(permissions: Permissions, now: number, reply: boolean): void {
  requireEnabled(permissions);
  requirePermission(permissions, "create-message", reply ? "reply" : "send messages");
  requireNotBanned(permissions, now);
}

/** Check 10: frozen channel (17) and slow mode (60). */
function requirePostingNow(call: RouteCall, permissions: Permissions, now: number): void {
  const { channel } = permissions;
  if (channel.frozen && !can(permissions, "use-frozen-channel", false))
    throw ApiProblem.notAllowed(`Channel ${channel.cid} is frozen`);
  if (channel.cooldown === 0 || can(permissions, "skip-channel-cooldown", false)) return;
  const since = now - channel.cooldown * 1_000_000;
  const last = lastWrittenAt(call.db, channel.cid, permissions.userId ?? "", since);
  if (last !== undefined) {
    const waitSeconds = Math.ceil((last - since) / 1_000_000);
    throw ApiProblem.cooldown(`Slow mode: wait ${waitSeconds} s before the next message`);
  }
}

/** Checks 1 and 10, for a preview that is stored now. */
export function requirePosting(call: RouteCall, permissions: Permissions, reply: boolean, now: number): void {
  requireWritable(permissions, now, reply);
  requirePostingNow(call, permissions, now);
}

export function sendMessage(call: RouteCall): Reply<"sendMessage"> {
  const { db } = call;
  const cid = cidOfPath(call.path);
  const channel = channelRow(db, cid);
  const bodyCheck = new BodyReader(call.body);
  const source = bodyCheck.object("message") ?? {};
  if (call.body.message == null) bodyCheck.fail("message", "is required");
  // A server may do everything but must name the author, in the message if there is one.
  if (call.caller.kind === "server") bodyCheck.done();
  const author = authorOf(call, source, { createMissing: true });
  const permissions: Permissions = callerPermissions(call, channel);
  const now = call.now();
  requireWritable(permissions, now, Boolean(source.parent_id));
  bodyCheck.done();
  const { hookVerdict } = preparedOf(call);
  if (hookVerdict?.refused) throw hookVerdict.refused;
  Object.assign(source, hookVerdict?.changes);

  const check = new BodyReader(source, "message.");
  const input = readSendInput(call, check, source);
  const { id } = input;
  checkMessageId(check, id);
  check.done();
  const outer = new BodyReader(call.body);
  const { pending = permissions.config.mark_messages_pending, pending_message_metadata: metadata } =
    outer.read(OTHER_FIELDS);
  checkMetadata(outer, metadata);
  if (pending) input.pending = { metadata };
  outer.done();
  input.prepared = preparedOf(call);
  if (id !== undefined && isTaken(db, id))
    throw invalidField("message.id", "already exists", `Message ${id} already exists`);
  if (input.type === "system")
    requirePermission(permissions, "create-system-message", "send system messages");

  input.runsCommands = input.type !== "system";
  const message = store(call, permissions, author, input, id ?? makeMessageId(author.id, call.uuid()), now);
  // The draft for this channel or thread is removed (DR-3).
  dropDraft(call, author.id, cid, input.parentId);
  return { message, ...(input.pending && metadata ? { pending_message_metadata: metadata } : {}) };
}

/** Checks the permissions for restricted visibility and for pinning. */
function requireRestrictedAndPin(
  permissions: Permissions,
  { restricted, pinned, pinExpires }: SendInput,
  now: number,
): void {
  if (restricted.length > 0) {
    requirePermission(
      permissions,
      "create-restricted-visibility-message",
      "send messages of restricted visibility",
    );
    if (pinned)
      throw invalidField("message.pinned", "is not possible for a message of restricted visibility");
  }
  if (!pinned) return;
  requirePermission(permissions, "pin-message", "pin messages");
  if (pinExpires !== undefined && pinExpires <= now)
    throw invalidField("message.pin_expires", "must be in the future");
}

/** Runs checks 3–10 and stores the message, for a send and for the message of a channel change. */
function store(
  call: RouteCall,
  permissions: Permissions,
  author: UserRow,
  input: SendInput,
  id: string,
  now: number,
  emitsEvents = true,
): Message {
  const { db } = call;
  const { content, location, restricted } = input;
  checkContent(permissions, content, location !== undefined);
  const parent = input.parentId === undefined ? undefined : checkParent(db, permissions, input.parentId);
  if (content.quotedId !== undefined) checkQuoted(db, permissions, content.quotedId);
  if (content.pollId !== undefined) checkPoll(db, permissions, content.pollId, author.id);
  const command = commandOf(content.text, permissions.config.commands);
  const runsBuiltIn = input.runsCommands && command !== undefined && isBuiltInCommand(command.command);
  if (input.runsCommands && command && !runsBuiltIn && readApp(db).custom_action_handler_url === "")
    throw ApiProblem.commandEndpointMissing(`There is no endpoint for the command /${command.command}`);
  if (runsBuiltIn && (location || content.pollId !== undefined))
    throw invalidField("message.text", "is a command, which cannot carry a poll or a location");
  if (location) replaceLiveLocation(call, permissions, author.id, location, now);
  requireRestrictedAndPin(permissions, input, now);
  const match = moderate(db, permissions, content.text, call.body.force_moderation === true);
  if (!(runsBuiltIn && storesNoMessage(command.command))) requirePostingNow(call, permissions, now);

  const { content: enriched, enriched: url } = enrich(content, input.prepared);
  const message: NewMessage = {
    id,
    type: parent ? "reply" : input.type === "system" ? "system" : "regular",
    content: enriched,
    ...(url === undefined ? {} : { enriched: url }),
    mentioned: existingUserIds(db, content.mentioned),
    ...(command ? { command } : {}),
    ...(parent ? { parent } : {}),
    showInChannel: input.showInChannel,
    silent: input.silent,
    ...(restricted.length > 0 ? { restricted } : {}),
    ...(input.pinned ? { pinned: { expires: input.pinExpires ?? null } } : {}),
    ...(location ? { location } : {}),
    keepHidden: call.body.keep_channel_hidden === true,
    shadowed:
      match?.behavior === "shadow_block" || isShadowBanned(db, author.id, permissions.channel.cid, now),
  };
  const error = input.prepared.hookVerdict?.error;
  if (error !== undefined) return unstoredMessage(call, permissions, author, message, "error", error);
  if (runsBuiltIn) return runBuiltInCommand(call, permissions, author, message);
  const { command: ran } = input.prepared.hookVerdict ?? {};
  if (ran && hasButtons(message))
    return createPreview(call, permissions, author, { ...message, command: ran });
  if (input.pending) return storePending(call, permissions, author, message, input.pending.metadata);
  const { view, context, row } = storeMessage(call, permissions, author, message, emitsEvents);
  if (match?.behavior === "flag") flagByList(call, context, row, match.list);
  enrichLater(call, row.id, input.prepared);
  // The view of the event also fits the author, unless it has own votes or a quoted message that depends on the viewer.
  return row.poll_id === null && row.quoted_id === null
    ? view
    : messageView(viewContext(db, call.emit, context.now, author.id), row);
}

/** Stores the `message` of a channel update, an invite answer or a truncation as a system message of the caller. */
export function systemMessage(
  call: RouteCall,
  permissions: Permissions,
  author: UserRow,
  source: Fields,
  options: { emitsEvents: boolean; type?: "system" | "regular" },
): Message {
  const check = new BodyReader(source, "message.");
  const input = readSendInput(call, check, source);
  if (input.id !== undefined && !isMessageId(input.id)) check.fail("id", "is not a message id");
  check.done();
  if (input.id !== undefined && isTaken(call.db, input.id))
    throw invalidField("message.id", "already exists", `Message ${input.id} already exists`);
  return store(
    call,
    { ...permissions, unrestricted: true },
    author,
    { ...input, type: options.type ?? "system" },
    input.id ?? makeMessageId(author.id, call.uuid()),
    call.now(),
    options.emitsEvents,
  );
}
