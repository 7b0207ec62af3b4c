/** Echoes: messages shown before the provider has them, until they are acknowledged, refused or dropped (R-SEND-5…11). */
import { compareTimes, normalTime, timeFromMicros, timeToMicros } from "../../wire/time.ts";
import type { User } from "../../wire/entities/user.ts";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import {
  fromAnswer,
  applyHeldEvents,
  findLoaded,
  insertClientMessage,
  inChannel,
  isGone,
  markDetached,
  replaceMessage,
  mergeVersion,
  versionOf,
  removeLoaded,
} from "./messages.ts";
import type { ClientMessage } from "../../model/state.ts";
import { addOverlay, confirmOverlay, removeOverlay } from "./pending.ts";
import { ensureLatest } from "./sets.ts";
import { isLocal } from "../../model/message-state.ts";
import { isUnstored } from "./unstored.ts";
import type { StateDraft } from "./state-draft.ts";
import { NOT_ALLOWED } from "../../wire/errors.ts";

/** The time shown on an echo: after all messages above it, so that the user's messages keep their order (D5). */
function echoTime(draft: StateDraft, row: OutboxRow, parentId: string | undefined, fresh: boolean): string {
  let micros = row.createdAt * 1000;
  const latest = draft.sets(row.cid, parentId)?.find((set) => set.isLatest);
  for (const message of latest?.edit ?? [])
    if (fresh || isLocal(message)) {
      const at = timeToMicros(message.created_at);
      if (at >= micros) micros = at + 1;
    }
  return timeFromMicros(micros);
}

function echoOf(draft: StateDraft, row: OutboxRow, user: User, fresh: boolean): ClientMessage {
  if (row.action.kind !== "send") throw new Error("only a send has an echo");
  const input = row.action.message;
  const parentId = input.parent_id;
  const created_at = echoTime(
    draft,
    row,
    parentId !== undefined && !input.show_in_channel ? parentId : undefined,
    fresh,
  );
  const quoted = input.quoted_message_id && findLoaded(draft, row.cid, input.quoted_message_id);
  return {
    ...input,
    cid: row.cid,
    text: input.text ?? "",
    type: parentId === undefined ? "regular" : "reply",
    user: draft.userOf(user.id) ?? user,
    attachments: input.attachments ?? [],
    mentioned_users: (input.mentioned_users ?? []).map((id) => draft.userOf(id) ?? { id }),
    reply_count: 0,
    reaction_groups: {},
    latest_reactions: [],
    own_reactions: [],
    created_at,
    updated_at: created_at,
    status: "sending",
    waits: { for: "turn" },
    ...(quoted && { quoted_message: quoted }),
  } as ClientMessage;
}

/** R-SEND-5, R-SEND-14. */
export function addEcho(draft: StateDraft, row: OutboxRow, user: User, fresh: boolean): void {
  if (!draft.has(row.cid)) return;
  // A refused change that waits for the user's decision is not shown as applied (D11).
  if (row.action.kind !== "send") return row.state === "failed" ? undefined : addOverlay(draft, row);
  const held = findLoaded(draft, row.cid, row.messageId);
  if (held && !isLocal(held)) return;
  const echo = held ?? echoOf(draft, row, user, fresh);
  if (inChannel(echo)) ensureLatest(draft.sets(row.cid)!);
  if (echo.parent_id) {
    const sets = draft.sets(row.cid, echo.parent_id);
    if (sets) ensureLatest(sets);
  }
  const failed = row.state === "failed";
  insertClientMessage(draft, row.cid, failed ? asFailed(echo, row) : { ...echo, status: "sending" });
}

function asFailed(message: ClientMessage, row: OutboxRow): ClientMessage {
  const { waits: _, ...rest } = message;
  const { error } = row;
  return {
    ...rest,
    status: "failed",
    error: { message: error?.message ?? "not sent", ...(error?.code !== undefined && { code: error.code }) },
  };
}

export function markEcho(
  draft: StateDraft,
  row: OutboxRow,
  waits: NonNullable<ClientMessage["waits"]>,
): void {
  const held = findLoaded(draft, row.cid, row.messageId);
  if (!held || row.action.kind !== "send" || !isLocal(held)) return;
  const { error: _, ...rest } = held;
  replaceMessage(draft, row.cid, { ...rest, status: "sending", waits });
}

/** Whether an event already replaced the echo by the provider's message. */
export function isReceived(draft: StateDraft, row: OutboxRow): boolean {
  const held = row.action.kind === "send" && findLoaded(draft, row.cid, row.messageId);
  return held !== false && held !== undefined && !isLocal(held);
}

/** R-SEND-6, R-SEND-7: the provider acknowledged the row. */
export function settleEcho(
  draft: StateDraft,
  row: OutboxRow,
  { message, reaction, since }: { message?: Message; reaction?: Reaction; since?: number },
): void {
  if (!draft.has(row.cid)) return;
  if (row.action.kind === "send") {
    if (!message || isGone(draft, row.cid, message)) return removeLoaded(draft, row.cid, row.messageId);
    const view = mergeVersion(draft, row.cid, message, fromAnswer(since));
    if (isUnstored(message, row.action.message)) return showUnstored(draft, row.cid, view);
    // The answer did not come over the socket, which may have missed earlier messages (D6).
    markDetached(draft, row.cid, message.id);
    insertClientMessage(draft, row.cid, view);
    replaceMessage(draft, row.cid, view);
    return applyHeldEvents(draft, row.cid, new Set([message.id]));
  }
  if (!message || (row.action.kind === "delete" && row.action.hard)) return confirmOverlay(draft, row);
  const meta = draft.peekMeta(row.cid);
  const deleted = row.action.kind === "delete";
  const deletedMessage: Message = deleted
    ? { ...message, type: "deleted", deleted_at: message.deleted_at ?? message.updated_at }
    : message;
  if (deleted && row.action.kind === "delete" && row.action.forMe) deletedMessage.deleted_for_me = true;
  if (meta.pending.has(row.messageId) || findLoaded(draft, row.cid, row.messageId)) {
    replaceMessage(draft, row.cid, mergeVersion(draft, row.cid, deletedMessage, fromAnswer(since)));
    if (reaction && lacksOwnReaction(draft, row, reaction)) confirmOverlay(draft, row);
    else removeOverlay(draft, row);
  }
}

/**
 * Whether the loaded reactions come from an event before the user's change: until its own event comes, the change stays
 * shown (D7). A newer reaction of the user's other devices takes precedence.
 */
function lacksOwnReaction(
  draft: StateDraft,
  { cid, messageId, action }: OutboxRow,
  reaction: Reaction,
): boolean {
  if (action.kind !== "react" && action.kind !== "unreact") return false;
  const base = draft.peekMeta(cid).pending.get(messageId)?.base;
  const applied = versionOf(draft, cid, messageId);
  const moment = applied.own[action.type];
  if (!base || moment === undefined || moment !== applied.reactions) return false;
  const own = base.own_reactions.find(({ type }) => type === action.type);
  return action.kind === "unreact"
    ? own !== undefined && compareTimes(own.created_at, reaction.created_at) <= 0
    : own === undefined && moment < (normalTime(reaction.updated_at) ?? "");
}

/** R-SEND-11: replaces the echo by a message that the provider does not store. */
function showUnstored(draft: StateDraft, cid: string, view: ClientMessage): void {
  const shown: ClientMessage = { ...view, unstored: true };
  insertClientMessage(draft, cid, shown);
  replaceMessage(draft, cid, shown);
}

/** Applies the answer to a pressed button: another preview, a regular message, or none (specification/messages.md §5.1). */
export function applyActionAnswer(
  draft: StateDraft,
  cid: string,
  id: string,
  answer: Message | undefined,
  since?: number,
): void {
  if (!draft.has(cid)) return;
  if (!answer) return removeLoaded(draft, cid, id);
  const view = mergeVersion(draft, cid, answer, fromAnswer(since));
  if (answer.type === "ephemeral" || answer.type === "error") return showUnstored(draft, cid, view);
  markDetached(draft, cid, id);
  insertClientMessage(draft, cid, view);
  replaceMessage(draft, cid, view);
  applyHeldEvents(draft, cid, new Set([id]));
}

/** R-SEND-8, R-SEND-11, R-SEND-14: the row was refused. */
export function rejectEcho(draft: StateDraft, row: OutboxRow, answer: Message | undefined): void {
  if (!draft.has(row.cid)) return;
  if (row.action.kind !== "send") return removeOverlay(draft, row);
  // Banned, no longer a member, or a frozen channel: fetch what is still allowed (specification/moderation.md §7).
  if (row.error?.code === NOT_ALLOWED) draft.requestRefetch({ kind: "capabilities", cid: row.cid });
  const held = findLoaded(draft, row.cid, row.messageId);
  if (!held) return;
  const shown = answer ? { ...held, type: answer.type, text: answer.text || held.text } : held;
  replaceMessage(draft, row.cid, asFailed(shown, row));
}

export function dropEcho(draft: StateDraft, row: OutboxRow): void {
  if (!draft.has(row.cid)) return;
  if (row.action.kind !== "send") return removeOverlay(draft, row);
  const held = findLoaded(draft, row.cid, row.messageId);
  if (held && isLocal(held)) removeLoaded(draft, row.cid, row.messageId);
}
