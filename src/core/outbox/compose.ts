/** Checks a composed message (R-SEND-2, R-SEND-3) and turns it into an outbox action, without local fields (R-ATT-7). */
import { DEFAULT_MAX_MESSAGE_LENGTH, MENTIONS_LIMIT } from "../../wire/constants.ts";
import { isMessageId } from "../../wire/ids.ts";
import type { MessageInput } from "../../wire/bodies/messages.ts";
import type { OutgoingMessage } from "../base/api-types.ts";
import type { ThreadRef } from "../../model/state.ts";
import { LocalError, TooLongError } from "../../model/errors.ts";
import type { OutboxAction } from "../base/outbox-row.ts";

/** R-SEND-1, verbatim. */
export const WAIT_FOR_UPLOADS = "Wait until all attachments have uploaded";

/** Throws `LocalError` with the reason; the composer keeps its text then (specification/drafts.md §4). `maximum`: UTF-16 units. */
export function compose(
  id: string,
  place: ThreadRef,
  composition: OutgoingMessage,
  maximum = DEFAULT_MAX_MESSAGE_LENGTH,
): OutboxAction & { kind: "send" } {
  const { text, mentionedUsers, quotedMessageId, custom, options, audience } = composition;
  const finished = (composition.uploads ?? []).filter(({ state }) => state === "finished");
  const attachments = [...(composition.attachments ?? []), ...finished.map(({ attachment }) => attachment)];
  if (!isMessageId(id)) throw new LocalError(`Invalid message id ${id}`);
  if (text.length > maximum) throw new TooLongError(text.length, maximum);
  const hasContent = attachments.length > 0 || quotedMessageId || custom?.poll_id || custom?.shared_location;
  if (text.trim() === "" && !hasContent) throw new LocalError("The message is empty");
  const message: MessageInput & { id: string } = {
    ...custom,
    id,
    text,
    ...(attachments.length > 0 && { attachments }),
    ...(mentionedUsers?.length && { mentioned_users: mentionedUsers.slice(0, MENTIONS_LIMIT) }),
    ...(quotedMessageId !== undefined && { quoted_message_id: quotedMessageId }),
    ...(place.parentId !== undefined && { parent_id: place.parentId }),
    ...(place.parentId !== undefined && composition.showInChannel && { show_in_channel: true }),
    ...(composition.silent && { silent: true }),
    ...(audience?.length && { restricted_visibility: [...audience] }),
  };
  const at = composition.at !== undefined && { at: composition.at };
  return { kind: "send", message, options: options ?? {}, ...at };
}
