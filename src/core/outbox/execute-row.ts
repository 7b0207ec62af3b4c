/** Makes one attempt of an outbox row: its calls, and the lookup by id after an unknown outcome (D2, D11). */
import { compareTimes } from "../../wire/time.ts";
import { isUnknownAuthor } from "../../wire/derived.ts";
import { isPlaceholder } from "../../wire/reading.ts";
import { splitCid } from "../../wire/ids.ts";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import type { ApiCall, CallArgs } from "../base/api-types.ts";
import { ApiError, LocalError } from "../../model/errors.ts";
import type { OutboxRow } from "../base/outbox-row.ts";
import { matchesEdit } from "./edits-of-pending.ts";
import { isNotFound, isRouteAbsent } from "../../wire/errors.ts";

/** An edit of a message that somebody else has changed: it stays in the outbox, and a retry overwrites the other change. */
export class ChangedMeanwhileError extends LocalError {
  constructor() {
    super("The message has been changed by somebody else meanwhile; retry to overwrite it");
  }
}
export const ID_TAKEN = "Another message has the same id";

interface RowCall {
  name: "sendMessage" | "updateMessagePartial" | "deleteMessage" | "sendReaction" | "deleteReaction";
  args: CallArgs<EndpointName>;
}

/** Throws `LocalError` for an invalid cid. */
export function callOf({
  action,
  messageId: id,
  cid,
}: Pick<OutboxRow, "action" | "messageId" | "cid">): RowCall {
  const key = action.kind !== "send" && action.key !== undefined && { key: action.key };
  const build = (name: RowCall["name"], args: object): RowCall => ({ name, args: { ...args, ...key } });
  switch (action.kind) {
    case "send": {
      const path = splitCid(cid);
      if (!path) throw new LocalError(`Invalid cid ${cid}`);
      return build("sendMessage", { path, body: { message: action.message, ...action.options } });
    }
    case "edit": {
      const body = { set: action.set, ...(action.unset.length && { unset: action.unset }) };
      return build("updateMessagePartial", { path: { id }, body });
    }
    case "delete": {
      const query = { ...(action.hard && { hard: true }), ...(action.forMe && { delete_for_me: true }) };
      return build("deleteMessage", { path: { id }, query });
    }
    case "react": {
      const reaction = { type: action.type, ...(action.score !== undefined && { score: action.score }) };
      return build("sendReaction", {
        path: { id },
        body: { reaction, ...(action.unique && { enforce_unique: true }) },
      });
    }
    case "unreact":
      return build("deleteReaction", { path: { id, reaction_type: action.type } });
  }
}

export interface RowAnswer {
  message?: Message;
  reaction?: Reaction;
}

export async function executeRow(call: ApiCall, row: OutboxRow): Promise<RowAnswer> {
  const { name, args } = callOf(row);
  const answer: RowAnswer = await call(name, args as never);
  const { message, reaction } = answer;
  return {
    ...(message && !isPlaceholder(message) && { message }),
    ...(reaction && !isPlaceholder(reaction) && { reaction }),
  };
}

export type FoundMessage = { kind: "ours"; message: Message } | { kind: "other" } | { kind: "none" };

/** Whether the message under a row's id is the row's: by its author, and where the answer names none by its text. */
function isOwn(message: Message, { cid, action }: OutboxRow, me: string | undefined): boolean {
  if (message.cid && message.cid !== cid) return false;
  if (!isUnknownAuthor(message)) return message.user.id === me;
  return action.kind === "send" && (action.message.text ?? "") === (message.text ?? "");
}

/** A 404 without a code is of something else than the provider, or of a call that it lacks. */
const saysNone = (error: unknown): boolean =>
  isNotFound(error) || (error instanceof ApiError && error.status === 404 && error.code !== undefined);

/** The row's message at the provider, also at one that answers about several messages only; undefined where there is none. */
async function lookUpMessage(
  call: ApiCall,
  { cid, messageId: id }: Pick<OutboxRow, "cid" | "messageId">,
): Promise<Message | undefined> {
  try {
    const { channel: _, ...message } = (await call("getMessage", { path: { id } })).message;
    return message as Message;
  } catch (error) {
    if (saysNone(error)) return undefined;
    const path = splitCid(cid);
    if (!isRouteAbsent(error) || !path) throw error;
    return (await call("getManyMessages", { path, query: { ids: id } })).messages.find(
      (one) => one.id === id,
    );
  }
}

/** D2: looks up the message by its id; throws when the lookup fails. */
export async function findById(call: ApiCall, row: OutboxRow, me: string | undefined): Promise<FoundMessage> {
  const message = await lookUpMessage(call, row);
  if (!message) return { kind: "none" };
  return isOwn(message, row, me) ? { kind: "ours", message } : { kind: "other" };
}

/** What a delayed edit finds: its base or an older edit of the user (`go`), its own change (`done`), or another change. */
export interface BaseCheck {
  base: "go" | "done" | "changed";
  message?: Message;
}

/** D11. */
export async function checkBase(
  call: ApiCall,
  row: OutboxRow,
  isOwn: (message: Message) => boolean,
): Promise<BaseCheck> {
  if (row.action.kind !== "edit" || row.action.baseUpdatedAt === undefined) return { base: "go" };
  const message = await lookUpMessage(call, row);
  // The edit itself is answered that there is no such message.
  if (!message) return { base: "go" };
  const { set, baseUpdatedAt } = row.action;
  if (matchesEdit(message, row.action)) return { base: "done", message };
  if (isOwn(message)) return { base: "go" };
  // A text edit conflicts only with another text edit; counters and pins change `updated_at` too.
  const changedAt = "text" in set ? (message.message_text_updated_at ?? undefined) : message.updated_at;
  return { base: compareTimes(changedAt, baseUpdatedAt) > 0 ? "changed" : "go" };
}
