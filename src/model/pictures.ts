/** Finds the pictures of a message, and decides which may be fetched automatically. */
import { cleanLine } from "../text/sanitize.ts";
import { safeUrl } from "../text/safe-url.ts";
import type { Attachment } from "../wire/entities/attachment.ts";
import type { Message } from "../wire/entities/message.ts";
import { timeToMs } from "../wire/time.ts";
import { userName } from "./channels.ts";
import { isLinkCard, savableName } from "./message-links.ts";

export interface Picture {
  url: string;
  /** The thumbnail, or `url` if there is none. */
  thumb: string;
  name: string;
  file: string;
  /** Pixels, as the message claims. */
  size?: { width: number; height: number };
}

const TYPES = new Set(["image", "giphy"]);
const MIME_TYPES = /^image\/(png|jpe?g|webp|gif)$/i;

const isPixels = (n: unknown): n is number => typeof n === "number" && n >= 1 && n < 1e6;

/** Undefined if the attachment is not a picture or has no safe address. */
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

/** Whether it may be one that moves, by its name. */
export const mayMove = ({ url, file }: Pick<Picture, "url" | "file">): boolean =>
  /\.gif$/i.test(file) || /\.gif$/i.test(URL.parse(url)?.pathname ?? "");

const PRIVATE = [
  /^(0|10|127)\./,
  /^169\.254\./,
  /^192\.168\./,
  /^172\.(1[6-9]|2\d|3[01])\./,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^\[/,
  /(^|\.)(localhost|local|internal|lan|home|corp|intranet)\.?$/,
];

const isInside = (host: string): boolean =>
  !host.includes(".") || PRIVATE.some((pattern) => pattern.test(host.toLowerCase()));

/** Stands for every public host in a list of hosts. */
export const ANY_HOST = "*";

/**
 * Whether a picture is fetched when it scrolls into view: from the provider's own host, or by https from one of
 * `others`. The own host may have a port, which counts then. A stranger's message must not tell a server that it was viewed, nor make this machine send requests within its
 * own network.
 */
export function mayFetchUnasked(address: string, ownHost: string, others: ReadonlySet<string>): boolean {
  const url = safeUrl(address);
  if (!url) return false;
  const host = url.hostname.toLowerCase();
  if (host === ownHost || url.host === ownHost) return true;
  if (url.protocol !== "https:") return false;
  if (others.has(host)) return true;
  return others.has(ANY_HOST) && !isInside(host);
}

/** Whether a redirect is followed: within one host, never from https to http, or to where a picture would be fetched from anyway. */
export function mayFollow(from: string, to: string, ownHost: string, others: ReadonlySet<string>): boolean {
  const [here, there] = [safeUrl(from), safeUrl(to)];
  if (!here || !there) return false;
  const isWithin =
    here.hostname === there.hostname && (there.protocol === "https:" || here.protocol === "http:");
  return isWithin || mayFetchUnasked(to, ownHost, others);
}

/** Whether a redirect of a file that was asked for is followed: never from https to http, nor from outside into the own network. */
export function mayLead(from: string, to: string): boolean {
  const [here, there] = [safeUrl(from), safeUrl(to)];
  if (!here || !there || (here.protocol === "https:" && there.protocol !== "https:")) return false;
  return isInside(here.hostname) || !isInside(there.hostname);
}

/** A picture with its description and its message. */
export interface PictureLine {
  picture: Picture;
  /** Kind, dimensions and size. */
  facts: string;
  from: string;
  /** Wall clock, ms. */
  at: number;
  /** The message id; `parentId` if the message is only in a thread. */
  id: string;
  parentId?: string;
}

type Showing = Pick<Message, "id" | "attachments" | "user" | "created_at" | "parent_id" | "show_in_channel">;

/** The pictures of a message; `facts` describes an attachment. */
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
