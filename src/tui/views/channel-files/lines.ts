/** The files, pictures and links of a channel's messages, the newest first: those loaded, and those found page by page. */
import type { Core } from "../../../core/core.ts";
import { userName } from "../../../model/channels.ts";
import { filesOf, isLinkCard, messageLinks, type SavableFile } from "../../../model/message-links.ts";
import type { ChannelEntry } from "../../../model/state.ts";
import { shownHost } from "../../../text/safe-url.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { timeToMs } from "../../../wire/time.ts";
import { fileFacts } from "../../render/cards.ts";
import { memoizeLast } from "../../screen/store.ts";
import type { PictureLine } from "../../../model/pictures.ts";

export interface FileLine extends Omit<PictureLine, "picture"> {
  url: string;
  name: string;
  /** Absent for a link: it is opened and not saved. */
  file?: SavableFile;
}

/** The fields needed of a message. */
type MessageWithFiles = Pick<
  Message,
  "id" | "text" | "attachments" | "type" | "user" | "created_at" | "parent_id" | "show_in_channel"
>;

/** The links and files of one message. */
export function fileLinesOf(message: MessageWithFiles): FileLine[] {
  const files = new Map(filesOf(message).map((file) => [file.url, file]));
  return messageLinks(message).map(({ url, attachment }) => {
    const link = !attachment || isLinkCard(attachment);
    const file = files.get(url);
    return {
      url,
      name: cleanLine(String(attachment?.title || attachment?.fallback || url)),
      facts: link ? `${words.files.link} · ${shownHost(url)}` : cleanLine(fileFacts(attachment)),
      from: userName(message.user),
      at: timeToMs(message.created_at),
      id: message.id,
      ...(message.parent_id && !message.show_in_channel && { parentId: message.parent_id }),
      ...(file && !link && { file }),
    };
  });
}

/** Regular messages and replies, found or held; the held version wins, because the found one may be outdated. */
export function messagesWithFiles(entry: ChannelEntry, found: readonly Message[]): MessageWithFiles[] {
  const messages = new Map<string, MessageWithFiles>(found.map((message) => [message.id, message]));
  for (const { sets } of [entry, ...entry.threads.values()])
    for (const set of sets) for (const message of set.messages) messages.set(message.id, message);
  return [...messages.values()].filter(({ type }) => type === "regular" || type === "reply");
}

/** Cached: the list, its keys and their hints need it. */
export const fileLines = memoizeLast((entry: ChannelEntry, found: readonly Message[]): FileLine[] =>
  messagesWithFiles(entry, found)
    .flatMap(fileLinesOf)
    .toSorted((a, b) => b.at - a.at),
);

/** The messages of a page that were not found before. */
export function notIn(found: readonly Message[], page: readonly Message[]): Message[] {
  const ids = new Set(found.map(({ id }) => id));
  return page.filter(({ id }) => !ids.has(id));
}

/** Messages requested at once. */
const PAGE_SIZE = 30;

/** Loads a page of the channel's messages with attachments, newest first. */
export async function findFiles(
  core: Pick<Core, "call">,
  cid: string,
  next?: string,
): Promise<{ found: Message[]; next: string | undefined }> {
  const { results = [], next: more } = await core.call("search", {
    query: {
      filter_conditions: { cid },
      message_filter_conditions: { attachments: { $exists: true } },
      sort: [{ field: "created_at", direction: -1 }],
      limit: PAGE_SIZE,
      ...(next !== undefined && { next }),
    },
  });
  return { found: results.map(({ message }) => message), next: more };
}
