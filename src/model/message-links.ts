/** The links of a message: safe addresses of its text, then of its files and previews, each once. */
import { cleanFileName } from "../text/file-name.ts";
import { findLinks } from "../text/link.ts";
import { safeUrl } from "../text/safe-url.ts";
import { clean } from "../text/sanitize.ts";
import type { Attachment } from "../wire/entities/attachment.ts";
import type { Message } from "../wire/entities/message.ts";

export interface MessageLink {
  url: string;
  /** The file or preview it comes from; absent for a link of the text. */
  attachment?: Attachment;
}

/** A preview of a page, not a file. */
export const isLinkCard = (a: Attachment): boolean =>
  Boolean(a.og_scrape_url) || (!a.asset_url && !a.image_url && !a.thumb_url && Boolean(a.title_link));

/** The address of a file or a preview, as it came; nothing is known of it. */
const addressOf = (a: Attachment): string =>
  a.asset_url ?? a.og_scrape_url ?? a.image_url ?? a.title_link ?? a.thumb_url ?? "";

export function messageLinks(message: Pick<Message, "text" | "attachments">): MessageLink[] {
  const found = new Map<string, MessageLink>();
  for (const { url } of findLinks(clean(message.text))) found.set(url, { url });
  for (const attachment of message.attachments) {
    const url = safeUrl(String(addressOf(attachment)))?.href;
    if (url !== undefined && !found.has(url)) found.set(url, { url, attachment });
  }
  return [...found.values()];
}

/** A file that can be saved, and under which name: one part of a path that any file system takes. */
export interface SavableFile {
  url: string;
  name: string;
}

/** What a file is saved as: its own name, else the end of its address. */
export const savableName = ({ title, fallback }: Attachment, url: string): string =>
  cleanFileName(String(title || fallback || lastPart(url)));

const lastPart = (url: string): string => {
  const part = new URL(url).pathname.split("/").at(-1)!;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** The files of a message; links and previews are none. */
export function filesOf(message: Pick<Message, "text" | "attachments">): SavableFile[] {
  return message.attachments.flatMap((attachment) => {
    const url = isLinkCard(attachment) ? undefined : safeUrl(String(addressOf(attachment)))?.href;
    if (url === undefined) return [];
    return [{ url, name: savableName(attachment, url) }];
  });
}
