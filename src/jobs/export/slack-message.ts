/** A message in the form of a Slack export. */
import { crc32 } from "node:zlib";
import { customOf } from "../../wire/custom.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import { isObject } from "../../wire/json-object.ts";
import { detailsOf } from "./details.ts";
import type { Exported } from "./form.ts";
import { namesOfMentioned, mrkdwn } from "./mrkdwn.ts";
import { personName } from "./texts.ts";

/** Where a message stands: ids of Slack are a channel and a time. */
interface SlackPlace {
  channel: string;
  ts: string;
  /** The time of the message that it replies to. */
  thread?: { ts: string; user?: string } | undefined;
}

/** Microseconds since 1970 of an RFC 3339 time, whose decimals may be finer. */
export function microsAt(at: string): number {
  const [, seconds = "", decimals = ""] = /^(.*?)(?:\.(\d+))?(?:Z|[+-]\d\d:\d\d)$/.exec(at) ?? [];
  const zone = /(?:Z|[+-]\d\d:\d\d)$/.exec(at)?.[0] ?? "Z";
  return Date.parse(seconds + zone) * 1000 + Number(decimals.slice(0, 6).padEnd(6, "0"));
}

/** `1700000001.000100`. */
export const slackTime = (micros: number): string =>
  `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, "0")}`;

export const secondsOf = (at: string | null | undefined): number =>
  at ? Math.floor(Date.parse(at) / 1000) || 0 : 0;

const FILES = new Set(["file", "image", "video", "audio", "voiceRecording"]);

/** Uploaded files are files; link previews and cards of apps are attachments. */
const isFile = ({ type = "", asset_url, image_url, og_scrape_url, title_link }: Attachment): boolean =>
  FILES.has(type) && (asset_url ?? image_url) !== undefined && (og_scrape_url ?? title_link) === undefined;

/** The id that a copied file has in its path: `__uploads/F0123456789AB/cup.png`. */
export const uploadId = (hash: string): string => `F${hash.slice(0, 12).toUpperCase()}`;

function fileOf(one: Attachment, copy: string | undefined): object {
  const address = one.asset_url ?? one.image_url ?? "";
  const [, copied] = /__uploads\/([^/]+)\//.exec(copy ?? "") ?? [];
  const name = one.title ?? "file";
  return {
    id: copied ?? `F${crc32(address).toString(16).toUpperCase().padStart(8, "0")}`,
    name,
    title: name,
    ...(one.mime_type === undefined ? {} : { mimetype: one.mime_type }),
    ...(one.file_size === undefined ? {} : { size: one.file_size }),
    mode: "hosted",
    url_private: address,
  };
}

/** Keys of an attachment that Slack has as well; the first ones hold Markdown. */
const TEXT_KEYS = ["pretext", "title", "text", "footer"] as const;
const OTHER_KEYS = [
  "color",
  "author_name",
  "author_link",
  "author_icon",
  "title_link",
  "image_url",
  "thumb_url",
  "footer_icon",
] as const;

const plainText = (text: unknown): string => mrkdwn(typeof text === "string" ? text : "", new Map());

function cardOf(one: Attachment): object {
  const texts = TEXT_KEYS.flatMap((key) => (one[key] === undefined ? [] : [[key, plainText(one[key])]]));
  const others = OTHER_KEYS.flatMap((key) => (one[key] === undefined ? [] : [[key, one[key]]]));
  const fields = Array.isArray(one.fields) ? one.fields.filter(isObject) : [];
  return {
    fallback: plainText(one.fallback ?? one.title ?? one.text),
    ...(one.og_scrape_url === undefined
      ? {}
      : { from_url: one.og_scrape_url, original_url: one.og_scrape_url }),
    ...Object.fromEntries(texts),
    ...Object.fromEntries(others),
    ...unlessEmpty(
      "fields",
      fields.map(({ title, value, short }) => ({ title: plainText(title), value: plainText(value), short })),
    ),
  };
}

/** What Slack has no form for: a quote, a poll and a place are attachments with their words. */
const wordsOf = (exported: Exported): object[] =>
  detailsOf(exported)
    .filter(({ kind }) => kind === "quote" || kind === "poll" || kind === "location")
    .map(({ head, lines }) => ({
      fallback: plainText(head),
      pretext: plainText(head),
      text: plainText(lines.join("\n")),
    }));

const objectsIn = ({ message }: Exported): Attachment[] =>
  (message.attachments ?? []).filter(isObject) as Attachment[];

/** Empty lists are left out, as Slack does. */
const unlessEmpty = <T>(key: string, list: readonly T[]): object =>
  list.length === 0 ? {} : { [key]: list };

function reactionsOf({ reactions }: Exported): object[] {
  const byType = Map.groupBy(reactions, ({ type }) => type);
  return [...byType].map(([name, given]) => ({
    name,
    users: given.map(({ user_id }) => user_id),
    count: given.length,
  }));
}

/** The keys that tell where a message stands in a thread. */
function threadOf({ message }: Exported, { ts, thread }: SlackPlace): object {
  const { reply_count: replies, thread_participants: people = [] } = message;
  if (thread)
    return { thread_ts: thread.ts, ...(thread.user === undefined ? {} : { parent_user_id: thread.user }) };
  if (replies === 0) return {};
  const users = people.map(({ id }) => id);
  return { thread_ts: ts, reply_count: replies, reply_users_count: users.length, reply_users: users };
}

const subtypeOf = ({ message, gone }: Exported): string | undefined => {
  if (message.type === "deleted" || gone !== undefined) return "tombstone";
  if (message.type === "system") return "channel_topic";
  return message.show_in_channel && message.parent_id !== undefined ? "thread_broadcast" : undefined;
};

export function slackMessage(exported: Exported, place: SlackPlace): object {
  const { message, paths } = exported;
  const subtype = subtypeOf(exported);
  const head = { type: "message", ...(subtype && { subtype }), user: message.user.id, ts: place.ts };
  const thread = threadOf(exported, place);
  if (subtype === "tombstone") return { ...head, hidden: true, text: "This message was deleted.", ...thread };
  const { message_text_updated_at: edited, pinned, pinned_at, pinned_by } = message;
  const all = objectsIn(exported);
  const cards = all.filter((one) => !isFile(one)).map(cardOf);
  return {
    client_msg_id: message.id,
    ...head,
    text: mrkdwn(message.text, namesOfMentioned(message.mentioned_users ?? [])),
    ...thread,
    ...(edited && { edited: { user: message.user.id, ts: slackTime(microsAt(edited)) } }),
    ...(pinned && {
      pinned_to: [place.channel],
      pinned_info: {
        channel: place.channel,
        pinned_by: pinned_by?.id ?? "",
        pinned_ts: secondsOf(pinned_at),
      },
    }),
    ...unlessEmpty("reactions", reactionsOf(exported)),
    ...unlessEmpty(
      "files",
      all.flatMap((one, n) => (isFile(one) ? [fileOf(one, paths.get(n))] : [])),
    ),
    ...unlessEmpty("attachments", [...wordsOf(exported), ...cards]),
    user_profile: {
      name: message.user.id,
      real_name: personName(message.user),
      display_name: personName(message.user),
    },
  };
}

/** How many custom fields a message has, which Slack has no place for. */
export const customFields = ({ message }: Exported): number =>
  Object.keys(customOf("message", message)).length;
