/** The links and files of a message: safe addresses of its text, then of its attachments, each once. */
import { cleanFileName, lastSegment } from "../text/file-name.ts";
import { linksIn } from "../text/markup.ts";
import { safeUrl } from "../text/safe-url.ts";
import type { Attachment } from "../wire/entities/attachment.ts";
import type { Message } from "../wire/entities/message.ts";

export interface MessageLink {
  url: string;
  /** The file or preview it comes from; absent for a link of the text. */
  attachment?: Attachment;
}

/** Whether an attachment is a link preview rather than a file. */
export const isLinkCard = (a: Attachment): boolean =>
  Boolean(a.og_scrape_url) || (!a.asset_url && !a.image_url && !a.thumb_url && Boolean(a.title_link));

/** The unchecked address of a file or a preview. */
const addressOf = (a: Attachment): string =>
  a.asset_url ?? a.og_scrape_url ?? a.image_url ?? a.title_link ?? a.thumb_url ?? "";

export function messageLinks(message: Pick<Message, "text" | "attachments">): MessageLink[] {
  const found = new Map<string, MessageLink>();
  for (const url of linksIn(message.text)) found.set(url, { url });
  for (const attachment of message.attachments) {
    const url = safeUrl(String(addressOf(attachment)))?.href;
    if (url !== undefined && !found.has(url)) found.set(url, { url, attachment });
  }
  return [...found.values()];
}

/** A file that can be saved; the name is valid on any file system. */
export interface SavableFile {
  url: string;
  name: string;
}

/** The name for saving a file: its title, else the end of its address. */
export const savableName = ({ title, fallback }: Attachment, url: string): string =>
  cleanFileName(String(title || fallback || lastSegment(url)));

export function filesOf(message: Pick<Message, "text" | "attachments">): SavableFile[] {
  return message.attachments.flatMap((attachment) => {
    const url = isLinkCard(attachment) ? undefined : safeUrl(String(addressOf(attachment)))?.href;
    if (url === undefined) return [];
    return [{ url, name: savableName(attachment, url) }];
  });
}
