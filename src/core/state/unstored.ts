/** Answers to a send that the provider does not store: a command's preview, its error, a note to the author (R-SEND-11, specification/messages.md §5). */
import type { Message, MessageInput } from "../../wire/entities/message.ts";

/** `asked`: what was sent; a system message that was asked for is kept like any other. */
export function isUnstored(answer: Message, asked: Pick<MessageInput, "type">): boolean {
  if (answer.type === "ephemeral" || answer.type === "error") return true;
  return answer.type === "system" && asked.type !== "system";
}
