/** Which attachments of a message are pictures, and which of them may be fetched unasked. */
import { cleanLine } from "../text/sanitize.ts";
import { safeUrl } from "../text/safe-url.ts";
import type { Attachment } from "../wire/entities/attachment.ts";
import type { Message } from "../wire/entities/message.ts";
import { timeToMs } from "../wire/time.ts";
import { userName } from "./channels.ts";
import { isLinkCard, savableName } from "./message-links.ts";

export interface Picture {
  /** Where the whole picture is. */
  url: string;
  /** A smaller one of it, else the same. */
  thumb: string;
  name: string;
  /** What it is saved as. */
  file: string;
  /** Pixels, as the message says: nothing has looked yet. */
  size?: { width: number; height: number };
}

const TYPES = new Set(["image", "giphy"]);
const MIME_TYPES = /^image\/(png|jpe?g|webp|gif)$/i;

const isPixels = (n: unknown): n is number => typeof n === "number" && n >= 1 && n < 1e6;

/** Undefined for what is no picture, or has no address that may be opened. */
export function pictureOf(a: Attachment): Picture | undefined {
  const isOne = TYPES.has(String(a.type)) || MIME_TYPES.test(String(a.mime_type ?? ""));
  if (!isOne || isLinkCard(a)) return undefined;
  const address = a.image_url ?? a.asset_url ?? a.thumb_url;
  const url = safeUrl(String(address ?? ""))?.href;
  if (url === undefined) return undefined;
  const { original_width: width, original_height: height } = a;
  return {
    url,
    thumb: safeUrl(String(a.thumb_url ?? ""))?.href ?? url,
    name: cleanLine(String(a.title || a.fallback || "")),
    file: savableName(a, url),
    ...(isPixels(width) && isPixels(height) && { size: { width, height } }),
  };
}

const PRIVATE = [
  /^(0|10|127)\./,
  /^169\.254\./,
  /^192\.168\./,
  /^172\.(1[6-9]|2\d|3[01])\./,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^\[/,
  /(^|\.)(localhost|local|internal|lan|home|corp|intranet)\.?$/,
];

/** In a list of hosts: every public one. */
const ANY_HOST = "*";

/**
 * Whether a picture that comes into sight is fetched by itself: from the provider's own host, else by https from one of
 * `others`. A message of a stranger must neither tell a server that somebody has looked, nor make this machine ask around in
 * its own network.
 */
export function mayFetchUnasked(address: string, ownHost: string, others: ReadonlySet<string>): boolean {
  const url = safeUrl(address);
  if (!url) return false;
  const host = url.hostname.toLowerCase();
  if (host === ownHost) return true;
  if (url.protocol !== "https:") return false;
  if (others.has(host)) return true;
  return others.has(ANY_HOST) && host.includes(".") && !PRIVATE.some((pattern) => pattern.test(host));
}

/** A picture with what is said about it, and the way back to its message. */
export interface PictureLine {
  picture: Picture;
  /** Kind, measures and size. */
  facts: string;
  from: string;
  /** Wall clock, ms. */
  at: number;
  /** Its message, and the thread that this stands in alone. */
  id: string;
  parentId?: string;
}

type Showing = Pick<Message, "id" | "attachments" | "user" | "created_at" | "parent_id" | "show_in_channel">;

/** The pictures of a message as they are told; `facts` says the rest of an attachment. */
export function pictureLines(message: Showing, facts: (a: Attachment) => string): PictureLine[] {
  return message.attachments.flatMap((attachment) => {
    const picture = pictureOf(attachment);
    if (!picture) return [];
    return {
      picture,
      facts: cleanLine(facts(attachment)),
      from: userName(message.user),
      at: timeToMs(message.created_at),
      id: message.id,
      ...(message.parent_id && !message.show_in_channel && { parentId: message.parent_id }),
    };
  });
}
