/** Shows a found message as a row: channel, author, time, text. */
import type { Message } from "../../wire/entities/message.ts";
import { rowOf, type View } from "./define-command.ts";

export const foundView = (message: Message): View =>
  rowOf(message, {
    channel: "cid",
    by: { field: "user.id", cell: message.user.name ?? message.user.id },
    at: "created_at",
    text: "text",
    id: "id",
  });
