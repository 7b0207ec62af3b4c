/** Formats one event in the requested output form. */
import { cleanLine } from "../../../text/sanitize.ts";
import type { AnyEvent } from "../../../wire/events.ts";
import type { Message } from "../../../wire/entities/message.ts";
import type { Shell } from "../../base/shell.ts";
import { jqText, ndjsonLine, templateLine } from "../../output/data.ts";
import { messageLines, messageCells } from "../../output/messages.ts";
import { outputForm } from "../../output/results.ts";
import { tsvRow } from "../../output/table.ts";

/** The name of an event's channel; `hasOthers`: several channels are followed. */
export interface ChannelLabel {
  name: string;
  hasOthers: boolean;
}

/** An event without the time of its arrival here, which only this program knows. */
export function withoutArrival(event: AnyEvent): object {
  const { received_at: _, ...plain } = event;
  return plain;
}

export function eventText(shell: Shell, event: AnyEvent, where: ChannelLabel): string | Promise<string> {
  const plain = withoutArrival(event);
  const message = event.type === "message.new" ? (event.message as Message | undefined) : undefined;
  switch (outputForm(shell)) {
    case "jq":
      return jqText(shell, plain);
    case "ndjson":
      return ndjsonLine(shell, plain);
    case "template":
      return templateLine(shell, plain);
    case "table":
      return message ? messageText(shell, message, where) : noticeText(event, where);
    default:
      return message
        ? messageTsv(message)
        : tsvRow([event.created_at, event.cid, event.type, event.user?.id]);
  }
}

function messageText(
  { settings, color }: Shell,
  message: Message,
  { name, hasOthers: many }: ChannelLabel,
): string {
  const { utc } = settings;
  return messageLines(message, { utc, color: color.out, ...(many ? { where: name } : {}) });
}

function messageTsv(message: Message): string {
  const [id, at, user, body] = messageCells(message);
  return tsvRow([at, message.cid, user, id, body]);
}

/** `·       typing.start #ops ana` */
function noticeText({ type, user }: AnyEvent, { name }: ChannelLabel): string {
  const words = [`      ${type}`, name, user?.name ?? user?.id ?? ""].map(cleanLine);
  return `· ${words.join(" ").trimEnd()}\n`;
}
