/** Detects answers to a send that the provider does not store: a command's preview, an error, a note to the author (R-SEND-11, specification/messages.md §5). */
import type { Message } from "../../wire/entities/message.ts";
import type { MessageInput } from "../../wire/bodies/messages.ts";

/** A system message is stored when one was sent. */
export function isUnstored(answer: Message, sent: Pick<MessageInput, "type">): boolean {
  if (answer.type === "ephemeral" || answer.type === "error") return true;
  return answer.type === "system" && sent.type !== "system";
}
