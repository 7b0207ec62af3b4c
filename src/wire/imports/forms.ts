/** The fields of each type of import item, and its checks (specification/admin.md §10). */
import { EXCESSIVE, isExcessive } from "../bounded-json.ts";
import { parseGiven, UnusableValue } from "../given-json.ts";
import { CUSTOM_DATA_LIMIT } from "../constants.ts";
import { channelIdProblem, channelTypeProblem, isMessageId, isUserId, POISONED_KEYS } from "../ids.ts";
import { IMPORT_ORDER, type ImportItem, type ImportType } from "../entities/import.ts";
import { normalTime, timeToMicros } from "../time.ts";
import { isObject } from "../json-object.ts";

type ItemKind =
  | "text"
  | "flag"
  | "date"
  | "object"
  | "texts"
  | "objects"
  | "user"
  | "users"
  | "message"
  | "channelType"
  | "channelId"
  | "score";

interface Form {
  required: Record<string, ItemKind>;
  optional: Record<string, ItemKind>;
  /** Exactly one of these two fields names the channel. */
  channel?: readonly [string, string];
}

const FORMS: Record<ImportType, Form> = {
  user: {
    required: { id: "user" },
    optional: {
      name: "text",
      image: "text",
      role: "text",
      invisible: "flag",
      language: "text",
      teams: "texts",
      teams_role: "object",
      created_at: "date",
      deactivated_at: "date",
      deleted_at: "date",
      privacy_settings: "object",
      push_preferences: "object",
      blocked_user_ids: "users",
      channel_mutes: "texts",
      user_mutes: "users",
    },
  },
  device: {
    required: { id: "text", user_id: "user", push_provider_type: "text", push_provider_name: "text" },
    optional: { created_at: "date" },
  },
  future_channel_ban: {
    required: { created_by: "user", target_id: "user" },
    optional: { shadow: "flag", reason: "text", created_at: "date" },
  },
  channel: {
    required: { type: "channelType", created_by: "user" },
    optional: {
      created_at: "date",
      disabled: "flag",
      frozen: "flag",
      team: "text",
      truncated_at: "date",
      banned_users: "users",
    },
    channel: ["id", "member_ids"],
  },
  member: {
    required: { channel_type: "channelType", user_id: "user" },
    optional: {
      channel_role: "text",
      is_moderator: "flag",
      created_at: "date",
      archived_at: "date",
      invited: "flag",
      invited_accepted_at: "date",
      invited_rejected_at: "date",
      hide_channel: "flag",
      hide_messages_before: "date",
      last_read: "date",
    },
    channel: ["channel_id", "channel_member_ids"],
  },
  message: {
    required: { id: "message", channel_type: "channelType", user: "user" },
    optional: {
      type: "text",
      text: "text",
      html: "text",
      parent_id: "message",
      show_in_channel: "flag",
      quoted_message_id: "message",
      attachments: "objects",
      mentioned_users_ids: "users",
      pinned_at: "date",
      pin_expires: "date",
      pinned_by_id: "user",
      restricted_visibility: "users",
      created_at: "date",
      deleted_at: "date",
    },
    channel: ["channel_id", "channel_member_ids"],
  },
  reaction: {
    required: { message_id: "message", type: "text", user_id: "user", created_at: "date" },
    optional: { score: "score" },
  },
};

/** The general limit of a reaction's score (specification/messages.md §9). */
const MAX_SCORE = 1_000_000;
/** The longest message that any channel type allows. */
const MAX_TEXT_LENGTH = 20_000;
const MESSAGE_TYPES = ["regular", "reply", "deleted", "system"];
const texts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");

/** How far ahead of the provider's clock a date may be, because clocks differ; whole microseconds. */
const MAX_AHEAD = 5 * 60 * 1_000_000;
/** Earlier moments are what programs write for an unknown time; whole microseconds. */
const FIRST_MOMENT = 24 * 3600 * 1_000_000;
/** A date that may be in the future: it says when something ends. */
const FUTURE_DATE = "pin_expires";

/**
 * Why a date of an import is refused, or undefined. A date later than `now` (whole microseconds) plus five minutes would keep every
 * later message of its channel behind it, and one at or before 1970-01-01 is out of reach of every page.
 */
export function dateProblem(value: unknown, now: number, mayBeFuture = false): string | undefined {
  if (typeof value !== "string" || normalTime(value) === undefined) return "must be an RFC 3339 date";
  const moment = timeToMicros(value);
  if (moment < FIRST_MOMENT) return "must be later than 1970-01-01";
  return moment > now + MAX_AHEAD && !mayBeFuture ? "must not be in the future" : undefined;
}

/** Why a value of this kind is invalid, or undefined. */
const PROBLEMS: Record<Exclude<ItemKind, "date">, (value: unknown) => string | undefined> = {
  text: (value) =>
    typeof value !== "string"
      ? "must be a text"
      : value.length > MAX_TEXT_LENGTH
        ? `must hold at most ${MAX_TEXT_LENGTH} characters`
        : undefined,
  flag: (value) => (typeof value === "boolean" ? undefined : "must be true or false"),
  object: (value) => (isObject(value) ? undefined : "must be an object"),
  texts: (value) => (texts(value) ? undefined : "must be a list of texts"),
  objects: (value) =>
    Array.isArray(value) && value.every(isObject) ? undefined : "must be a list of objects",
  user: (value) => (typeof value === "string" && isUserId(value) ? undefined : "must be a user id"),
  users: (value) => (texts(value) && value.every(isUserId) ? undefined : "must be a list of user ids"),
  message: (value) => (typeof value === "string" && isMessageId(value) ? undefined : "must be a message id"),
  channelType: (value) =>
    typeof value === "string" && channelTypeProblem(value) === undefined
      ? undefined
      : "must be a channel type",
  channelId: (value) =>
    typeof value === "string" && channelIdProblem(value) === undefined ? undefined : "must be a channel id",
  score: (value) =>
    Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_SCORE
      ? undefined
      : `must be a whole number from 1 to ${MAX_SCORE}`,
};

/** The custom fields of an item: keys that its type does not define. */
export function customOfItem({ type, data }: ImportItem): Record<string, unknown> {
  const { required, optional } = FORMS[type];
  const channel: readonly string[] = FORMS[type].channel ?? [];
  return Object.fromEntries(
    Object.entries(data).filter(
      ([key, value]) =>
        value != null &&
        !Object.hasOwn(required, key) &&
        !Object.hasOwn(optional, key) &&
        !channel.includes(key) &&
        !POISONED_KEYS.has(key),
    ),
  );
}

/** Whether a field of this type of item is a date of the format, not a custom field. */
export const isDateField = (type: ImportType, key: string): boolean =>
  Object.hasOwn(FORMS[type].required, key)
    ? FORMS[type].required[key] === "date"
    : Object.hasOwn(FORMS[type].optional, key) && FORMS[type].optional[key] === "date";

/** Why an item is invalid, apart from its references; null counts as absent. `now`: the provider's time, whole microseconds. */
export function itemProblem({ type, data }: ImportItem, now: number): string | undefined {
  const { required, optional, channel } = FORMS[type];
  const valueProblem = (key: string, kind: ItemKind): string | undefined =>
    kind === "date" ? dateProblem(data[key], now, key === FUTURE_DATE) : PROBLEMS[kind](data[key]);
  for (const [key, kind] of Object.entries(required)) {
    if (data[key] == null || data[key] === "") return `${type}.${key} is required`;
    const problem = valueProblem(key, kind);
    if (problem) return `${type}.${key} ${problem}`;
  }
  for (const [key, kind] of Object.entries(optional)) {
    const problem = data[key] == null ? undefined : valueProblem(key, kind);
    if (problem) return `${type}.${key} ${problem}`;
  }
  if (channel) {
    const [id, members] = channel;
    const hasId = data[id] != null && data[id] !== "";
    if (hasId === (data[members] != null)) return `${type} needs either ${id} or ${members}`;
    const problem = hasId ? PROBLEMS.channelId(data[id]) : PROBLEMS.users(data[members]);
    if (problem) return `${type}.${hasId ? id : members} ${problem}`;
    if (!hasId && (data[members] as string[]).length === 0) return `${type}.${members} must not be empty`;
  }
  if (type === "message") {
    const problem = messageProblem(data);
    if (problem) return problem;
  }
  const bytes = new TextEncoder().encode(JSON.stringify(customOfItem({ type, data }))).length;
  return bytes > CUSTOM_DATA_LIMIT
    ? `${type} holds ${bytes} bytes of custom data, at most ${CUSTOM_DATA_LIMIT} are possible`
    : undefined;
}

/** The type of an imported message: given, or `reply` with a parent, else `regular`. */
export function messageTypeOf(data: Record<string, unknown>): string {
  const type = data.type as string | null | undefined;
  return type || (data.parent_id == null ? "regular" : "reply");
}

function messageProblem(data: Record<string, unknown>): string | undefined {
  if (!MESSAGE_TYPES.includes(messageTypeOf(data)))
    return `message.type must be one of ${MESSAGE_TYPES.join(", ")}`;
  if (data.type === "reply" && data.parent_id == null) return "message.parent_id is required for a reply";
  if (data.type === "deleted" && data.deleted_at == null)
    return "message.deleted_at is required for a deleted message";
  const pinned = ["pinned_at", "pin_expires", "pinned_by_id"].filter((key) => data[key] != null);
  if (pinned.length > 0 && pinned.length < 3)
    return "message.pinned_at, pin_expires and pinned_by_id belong together";
  return undefined;
}

/** Parses an item, or returns the error with its type and value as far as they are known. */
export function readImportItem(text: string): ImportItem | { error: string; type: string; value?: unknown } {
  if (isExcessive(text, "item")) return { error: `Parse error: the item ${EXCESSIVE}`, type: "" };
  let value: unknown;
  try {
    value = parseGiven(text);
  } catch (error) {
    if (!(error instanceof UnusableValue))
      return { error: "Parse error: the line is not valid JSON", type: "" };
    const item = asItem(JSON.parse(text));
    return {
      error: `Validation error: the item ${error.message}`,
      type: item.type,
      ...("data" in item && { value: item.data }),
    };
  }
  const item = asItem(value);
  return "fault" in item ? { error: `Validation error: ${item.fault}`, type: item.type, value } : item;
}

/** The item in a value, if it is one; the older form has `item` instead of `data`. */
function asItem(value: unknown): ImportItem | { fault: string; type: string } {
  if (!isObject(value)) return { fault: "an item must be an object", type: "" };
  const type = typeof value.type === "string" ? value.type : "";
  if (!(IMPORT_ORDER as readonly string[]).includes(type))
    return { fault: `type must be one of ${IMPORT_ORDER.join(", ")}`, type };
  const data = value.data ?? value.item;
  return isObject(data)
    ? { type: type as ImportType, data }
    : { fault: "data is required and must be an object", type };
}
