/** Local echoes: own messages on the screen before the provider has them, their marks and their end (R-SEND-5…11). */
import { compareTimes, normalTime, timeFromMicros, timeToMicros } from "../../wire/time.ts";
import type { User } from "../../wire/entities/user.ts";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import {
  answeredAt,
  applyHeldEvents,
  find,
  insertHeldMessage,
  inChannel,
  isGone,
  detach,
  replace,
  mergeVersion,
  versionOf,
  withdraw,
} from "./messages.ts";
import type { HeldMessage } from "../../model/state.ts";
import { addOverlay, confirmOverlay, removeOverlay } from "./pending.ts";
import { ensureLatest } from "./sets.ts";
import { isLocal } from "../../model/message-state.ts";
import { isUnstored } from "./unstored.ts";
import type { StateDraft } from "./state-draft.ts";
import { NOT_ALLOWED } from "../../wire/errors.ts";

/** The moment an echo shows: never before what the user has already seen below it, so own lines keep their order (D5). */
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

function echoOf(draft: StateDraft, row: OutboxRow, user: User, fresh: boolean): HeldMessage {
  if (row.action.kind !== "send") throw new Error("only a send has an echo");
  const input = row.action.message;
  const parentId = input.parent_id;
  const created_at = echoTime(
    draft,
    row,
    parentId !== undefined && !input.show_in_channel ? parentId : undefined,
    fresh,
  );
  const quoted = input.quoted_message_id && find(draft, row.cid, input.quoted_message_id);
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
  } as HeldMessage;
}

/** R-SEND-5, R-SEND-14: the row is durable, so it shows. */
export function addEcho(draft: StateDraft, row: OutboxRow, user: User, fresh: boolean): void {
  if (!draft.has(row.cid)) return;
  // A refused change that waits for the user's word is not shown as made (D11).
  if (row.action.kind !== "send") return row.state === "failed" ? undefined : addOverlay(draft, row);
  const held = find(draft, row.cid, row.messageId);
  if (held && !isLocal(held)) return;
  const echo = held ?? echoOf(draft, row, user, fresh);
  if (inChannel(echo)) ensureLatest(draft.sets(row.cid)!);
  if (echo.parent_id) {
    const sets = draft.sets(row.cid, echo.parent_id);
    if (sets) ensureLatest(sets);
  }
  const failed = row.state === "failed";
  insertHeldMessage(draft, row.cid, failed ? asFailed(echo, row) : { ...echo, status: "sending" });
}

function asFailed(message: HeldMessage, row: OutboxRow): HeldMessage {
  const { waits: _, ...rest } = message;
  const { error } = row;
  return {
    ...rest,
    status: "failed",
    error: { message: error?.message ?? "not sent", ...(error?.code !== undefined && { code: error.code }) },
  };
}

export function markEcho(draft: StateDraft, row: OutboxRow, waits: NonNullable<HeldMessage["waits"]>): void {
  const held = find(draft, row.cid, row.messageId);
  if (!held || row.action.kind !== "send" || !isLocal(held)) return;
  const { error: _, ...rest } = held;
  replace(draft, row.cid, { ...rest, status: "sending", waits });
}

/** The state has the provider's message in the place of the echo: an event told it, and whatever was told of it since. */
export function isHeld(draft: StateDraft, row: OutboxRow): boolean {
  const held = row.action.kind === "send" && find(draft, row.cid, row.messageId);
  return held !== false && held !== undefined && !isLocal(held);
}

/** R-SEND-6, R-SEND-7: the provider has it. */
export function settleEcho(
  draft: StateDraft,
  row: OutboxRow,
  { message, reaction, since }: { message?: Message; reaction?: Reaction; since?: number },
): void {
  if (!draft.has(row.cid)) return;
  if (row.action.kind === "send") {
    if (!message || isGone(draft, row.cid, message)) return withdraw(draft, row.cid, row.messageId);
    const view = mergeVersion(draft, row.cid, message, answeredAt(since));
    if (isUnstored(message, row.action.message)) return showUnstored(draft, row.cid, view);
    // The answer came beside the socket, which may have been silent for a while already (D6).
    detach(draft, row.cid, message.id);
    insertHeldMessage(draft, row.cid, view);
    replace(draft, row.cid, view);
    return applyHeldEvents(draft, row.cid, new Set([message.id]));
  }
  if (!message || (row.action.kind === "delete" && row.action.hard)) return confirmOverlay(draft, row);
  // The overlay goes first: the answer is the new truth.
  const meta = draft.peekMeta(row.cid);
  const deleted = row.action.kind === "delete";
  const told: Message = deleted
    ? { ...message, type: "deleted", deleted_at: message.deleted_at ?? message.updated_at }
    : message;
  if (deleted && row.action.kind === "delete" && row.action.forMe) told.deleted_for_me = true;
  if (meta.pending.has(row.messageId) || find(draft, row.cid, row.messageId)) {
    replace(draft, row.cid, mergeVersion(draft, row.cid, told, answeredAt(since)));
    if (reaction && knowsLess(draft, row, reaction)) confirmOverlay(draft, row);
    else removeOverlay(draft, row);
  }
}

/**
 * Whether what is held of the reactions comes from an event of before this own one, which was late: until the own event
 * comes, the change stands as it was shown (D7). A reaction that another device made since is newer.
 */
function knowsLess(draft: StateDraft, { cid, messageId, action }: OutboxRow, reaction: Reaction): boolean {
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

/** R-SEND-11: in the place of the optimistic one, counted nowhere and asked for by nobody. */
function showUnstored(draft: StateDraft, cid: string, view: HeldMessage): void {
  const shown: HeldMessage = { ...view, unstored: true };
  insertHeldMessage(draft, cid, shown);
  replace(draft, cid, shown);
}

/** What a button has made of a message: another preview, a message like any other, or nothing (specification/messages.md §5.1). */
export function acted(
  draft: StateDraft,
  cid: string,
  id: string,
  told: Message | undefined,
  since?: number,
): void {
  if (!draft.has(cid)) return;
  if (!told) return withdraw(draft, cid, id);
  const view = mergeVersion(draft, cid, told, answeredAt(since));
  if (told.type === "ephemeral" || told.type === "error") return showUnstored(draft, cid, view);
  detach(draft, cid, id);
  insertHeldMessage(draft, cid, view);
  replace(draft, cid, view);
  applyHeldEvents(draft, cid, new Set([id]));
}

/** R-SEND-8, R-SEND-11, R-SEND-14: refused for good. */
export function rejectEcho(draft: StateDraft, row: OutboxRow, told: Message | undefined): void {
  if (!draft.has(row.cid)) return;
  if (row.action.kind !== "send") return removeOverlay(draft, row);
  // The user is banned or no longer a member, or the channel is frozen: the refetch asks what is still allowed (specification/moderation.md §7).
  if (row.error?.code === NOT_ALLOWED) draft.requestRefetch({ kind: "capabilities", cid: row.cid });
  const held = find(draft, row.cid, row.messageId);
  if (!held) return;
  const shown = told ? { ...held, type: told.type, text: told.text || held.text } : held;
  replace(draft, row.cid, asFailed(shown, row));
}

export function dropEcho(draft: StateDraft, row: OutboxRow): void {
  if (!draft.has(row.cid)) return;
  if (row.action.kind !== "send") return removeOverlay(draft, row);
  const held = find(draft, row.cid, row.messageId);
  if (held && isLocal(held)) withdraw(draft, row.cid, row.messageId);
}
