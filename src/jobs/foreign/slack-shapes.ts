/** The fields of Slack's objects that are used; a value of another type counts as missing. */
import { isObject } from "../../wire/json-object.ts";

interface ValueKinds {
  string: string;
  number: number;
  boolean: boolean;
  list: unknown[];
  object: object;
}
type Shape = { readonly [field: string]: keyof ValueKinds | Shape };
/** A value with only fields of the right type; any may be missing. */
export type Shaped<S extends Shape> = {
  [F in keyof S]?: S[F] extends keyof ValueKinds
    ? ValueKinds[S[F]]
    : S[F] extends Shape
      ? Shaped<S[F]>
      : never;
};

const PROFILE = {
  display_name: "string",
  real_name: "string",
  name: "string",
  image_192: "string",
} as const;
export const USER = {
  id: "string",
  name: "string",
  real_name: "string",
  deleted: "boolean",
  /** Seconds since 1970. */
  updated: "number",
  profile: PROFILE,
} as const;
export const CHANNEL = {
  id: "string",
  name: "string",
  name_normalized: "string",
  previous_names: "list",
  created: "number",
  creator: "string",
  members: "list",
  topic: { value: "string" },
  purpose: { value: "string" },
  is_archived: "boolean",
} as const;
export const FILE = {
  id: "string",
  name: "string",
  title: "string",
  mimetype: "string",
  size: "number",
  mode: "string",
  file_access: "string",
  url_private: "string",
  external_url: "string",
  permalink: "string",
  subject: "string",
  plain_text: "string",
  from: "list",
} as const;
export const REACTION = { name: "string", users: "list", count: "number" } as const;
export const MESSAGE = {
  ts: "string",
  type: "string",
  subtype: "string",
  text: "string",
  user: "string",
  bot_id: "string",
  username: "string",
  bot_profile: { name: "string" },
  user_profile: PROFILE,
  comment: { user: "string", comment: "string" },
  room: { created_by: "string", date_start: "number", date_end: "number", participant_history: "list" },
  thread_ts: "string",
  reply_count: "number",
  replies: "list",
  blocks: "list",
  attachments: "list",
  files: "list",
  file: "object",
  reactions: "list",
  edited: { ts: "string" },
  pinned_to: "list",
  pinned_info: { pinned_by: "string", pinned_ts: "number" },
  old_name: "string",
  name: "string",
  /** The message after an edit, in a notice about it. */
  message: "object",
} as const;
export const ATTACHMENT = {
  fallback: "string",
  pretext: "string",
  author_name: "string",
  author_link: "string",
  title: "string",
  title_link: "string",
  text: "string",
  fields: "list",
  image_url: "string",
  thumb_url: "string",
  footer: "string",
  from_url: "string",
  original_url: "string",
  is_msg_unfurl: "boolean",
  is_share: "boolean",
  author_id: "string",
  blocks: "list",
  message_blocks: "list",
  files: "list",
} as const;
export const FIELD = { title: "string", value: "string" } as const;

export type SlackUser = Shaped<typeof USER>;
export type SlackProfile = Shaped<typeof PROFILE>;
export type SlackFile = Shaped<typeof FILE>;
export type SlackMessage = Shaped<typeof MESSAGE>;
export type SlackAttachment = Shaped<typeof ATTACHMENT>;

/** The file is untrusted, and Slack writes null for missing values. */
export function pickFields<S extends Shape>(value: object, shape: S): Shaped<S> {
  const fields = value as Record<string, unknown>;
  const picked = Object.fromEntries(
    Object.entries<Shape[string]>(shape).flatMap(([field, kind]): [string, unknown][] => {
      const one = fields[field];
      if (typeof kind === "object") return isObject(one) ? [[field, pickFields(one, kind)]] : [];
      if (kind === "list") return Array.isArray(one) ? [[field, one]] : [];
      // Old exports have numbers where newer ones have texts.
      if (kind === "string" && typeof one === "number") return [[field, String(one)]];
      return typeof one === kind && one !== null ? [[field, one]] : [];
    }),
  );
  return picked as Shaped<S>;
}

export const shapedList = <const S extends Shape>(value: unknown, shape: S): Shaped<S>[] =>
  Array.isArray(value) ? value.filter(isObject).map((one) => pickFields(one, shape)) : [];

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

/** The first second of an import, and one beyond which a time is no time of a message. */
const [FIRST, LAST] = [86_400, 4_000_000_000];

/** `1512085950.000216` → microseconds since 1970; undefined for a time that no message can have. */
export function microsOf(ts: unknown): number | undefined {
  const [, seconds, micros = ""] =
    /^(\d{1,11})(?:\.(\d{1,6}))?$/.exec(typeof ts === "string" ? ts : "") ?? [];
  if (seconds === undefined || Number(seconds) < FIRST || Number(seconds) > LAST) return undefined;
  return Number(seconds) * 1e6 + Number(micros.padEnd(6, "0"));
}

/** RFC 3339 with microseconds. */
export const timeText = (micros: number): string =>
  `${new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19)}.${String(micros % 1e6).padStart(6, "0")}Z`;

/** Seconds since 1970 → RFC 3339; undefined for a time after `now`, in milliseconds, and for none at all. */
export function timeOfSeconds(seconds: number | undefined, now: number): string | undefined {
  const micros = microsOf(String(Math.floor(seconds ?? 0)));
  return micros === undefined || micros > now * 1000 ? undefined : timeText(micros);
}
