/** What is left of messages, polls, channels and users once they are deleted (specification/messages.md §7): one rule for the provider's copies and the client's cache. */

type Fields = Record<string, unknown>;

/** Ids of what a JSON value contains copies of. */
export interface Subjects {
  messages: Set<string>;
  polls: Set<string>;
  channels: Set<string>;
}

/** What may no longer be read. */
export interface Gone {
  /** `erased`: not stored any more; `deleted`: stored without being shown, so it can come back. */
  message(id: string, copy?: Readonly<Fields>): "erased" | "deleted" | undefined;
  poll(id: string): boolean;
  channel(cid: string): boolean;
  user(id: string): boolean;
}

export const NOTHING_GONE: Gone = {
  message: () => undefined,
  poll: () => false,
  channel: () => false,
  user: () => false,
};

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Previews and errors are never stored, so they cannot be deleted. */
const isMessage = (o: Fields): o is Fields & { id: string } =>
  typeof o.id === "string" &&
  typeof o.cid === "string" &&
  "text" in o &&
  o.type !== "ephemeral" &&
  o.type !== "error";
const isPoll = (o: Fields): o is Fields & { id: string } =>
  typeof o.id === "string" && Array.isArray(o.options) && "vote_counts_by_option" in o;
const isThread = (o: Fields): o is Fields & { parent_message_id: string } =>
  typeof o.parent_message_id === "string" && "title" in o;
const isChannel = (o: Fields): o is Fields & { cid: string } =>
  typeof o.cid === "string" && "frozen" in o && "type" in o;
const isUser = (o: Fields): o is Fields & { id: string } =>
  typeof o.id === "string" && "role" in o && !("cid" in o);
/** Reactions, votes and memberships name their user beside what the user made. */
const ownerOf = (o: Fields): string | undefined => (typeof o.user_id === "string" ? o.user_id : undefined);

/** Adds the ids of everything in the value to `found`. */
export function subjectsOf(
  value: unknown,
  found: Subjects = { messages: new Set(), polls: new Set(), channels: new Set() },
): Subjects {
  if (Array.isArray(value)) for (const each of value) subjectsOf(each, found);
  else if (isFields(value)) {
    if (isMessage(value)) found.messages.add(value.id);
    else if (isPoll(value)) found.polls.add(value.id);
    else if (isThread(value)) found.messages.add(value.parent_message_id);
    else if (isChannel(value)) found.channels.add(value.cid);
    for (const each of Object.values(value)) if (typeof each === "object") subjectsOf(each, found);
  }
  return found;
}

/** Whether the value has the thread of a message with its title, which a soft deletion of the message keeps. */
export const hasThreadOf = (value: unknown, messageId: string): boolean =>
  isFields(value)
    ? (isThread(value) && value.parent_message_id === messageId) ||
      Object.values(value).some((each) => hasThreadOf(each, messageId))
    : Array.isArray(value) && value.some((each) => hasThreadOf(each, messageId));

const only = (o: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(keys.filter((key) => key in o).map((key) => [key, o[key]]));

/** What is left of a deleted message: who wrote it where and when, and its counters. */
const LEFT_OF_MESSAGE = [
  "id",
  "cid",
  "type",
  "user",
  "parent_id",
  "show_in_channel",
  "quoted_message_id",
  "poll_id",
  "reply_count",
  "deleted_reply_count",
  "thread_participants",
  "silent",
  "pinned",
  "pinned_at",
  "pinned_by",
  "pin_expires",
  "shadowed",
  "restricted_visibility",
  "reminder",
  "created_at",
  "updated_at",
  "message_text_updated_at",
  "deleted_at",
  "deleted_for_me",
];

/** A message without what was written: neither text nor files, custom fields, quotes, polls and reactions. */
export function emptiedMessage<M extends object>(message: M): M {
  return {
    ...only(message as Fields, LEFT_OF_MESSAGE),
    type: "deleted",
    text: "",
    html: "",
    attachments: [],
    mentioned_users: [],
    reaction_counts: {},
    reaction_scores: {},
    reaction_groups: {},
    latest_reactions: [],
    own_reactions: [],
    ...("mentioned_channel" in message && { mentioned_channel: false, mentioned_here: false }),
  } as unknown as M;
}

const emptiedPoll = (poll: Fields): Fields => ({
  ...only(poll, [
    "id",
    "voting_visibility",
    "enforce_unique_vote",
    "allow_user_suggested_options",
    "allow_answers",
    "is_closed",
    "created_by_id",
    "created_by",
    "created_at",
    "updated_at",
  ]),
  name: "",
  description: "",
  options: [],
  vote_count: 0,
  vote_counts_by_option: {},
  latest_votes_by_option: {},
  answers_count: 0,
  latest_answers: [],
  own_votes: [],
});

const LEFT_OF_THREAD = [
  "parent_message_id",
  "channel_cid",
  "created_by_user_id",
  "reply_count",
  "participant_count",
  "created_at",
  "updated_at",
  "deleted_at",
  "last_message_at",
];

const LEFT_OF_CHANNEL = [
  "id",
  "type",
  "cid",
  "created_by",
  "frozen",
  "disabled",
  "member_count",
  "last_message_at",
  "created_at",
  "updated_at",
  "deleted_at",
  "truncated_at",
];

/** A channel without its name and custom fields. */
export const emptiedChannel = <C extends object>(channel: C): C =>
  only(channel as Fields, LEFT_OF_CHANNEL) as unknown as C;

const LEFT_OF_USER = ["id", "role", "created_at", "updated_at", "deleted_at", "banned", "online"];

/** A user without name, picture and custom fields. */
export const emptiedUser = <U extends object>(user: U): U =>
  only(user as Fields, LEFT_OF_USER) as unknown as U;

/** The value without what is gone; the same object when nothing in it is. */
function cleaned(value: unknown, gone: Gone, key = ""): unknown {
  if (Array.isArray(value)) {
    const kept = value.filter(
      (each) => !(isFields(each) && "score" in each && gone.user(ownerOf(each) ?? "")),
    );
    const list = kept.map((each) => cleaned(each, gone));
    return list.length === value.length && list.every((each, n) => each === value[n]) ? value : list;
  }
  if (!isFields(value)) return value;
  if (isMessage(value)) {
    const state = gone.message(value.id, value);
    if (state === "erased" && key === "quoted_message") return null;
    if (state) return cleanedFields(emptiedMessage(value), gone);
  }
  // A soft deletion keeps the thread with its title and custom fields.
  if (isThread(value) && gone.message(value.parent_message_id) === "erased")
    return cleanedFields(only(value, LEFT_OF_THREAD), gone);
  if (isPoll(value) && gone.poll(value.id)) return cleanedFields(emptiedPoll(value), gone);
  if (isChannel(value) && gone.channel(value.cid)) return cleanedFields(emptiedChannel(value), gone);
  if (isUser(value) && gone.user(value.id)) return emptiedUser(value);
  return cleanedFields(withoutOwned(value, gone), gone);
}

/** Answers of polls that are gone, and what a user who is gone added to a vote or to a membership. */
function withoutOwned(o: Fields, gone: Gone): Fields {
  const owner = ownerOf(o);
  const userGone = owner !== undefined && gone.user(owner);
  if ("answer_text" in o && (userGone || gone.poll(String(o.poll_id)))) return { ...o, answer_text: "" };
  if (userGone && "channel_role" in o)
    return only(o, ["user_id", "user", "channel_role", "created_at", "updated_at"]);
  if ("score" in o && (userGone || gone.message(String(o.message_id))))
    return only(o, ["type", "user_id", "user", "message_id", "score", "created_at", "updated_at"]);
  return o;
}

function cleanedFields(o: Fields, gone: Gone): Fields {
  let copy: Fields | undefined;
  for (const [key, each] of Object.entries(o)) {
    const next = typeof each === "object" ? cleaned(each, gone, key) : each;
    if (next !== each) (copy ??= { ...o })[key] = next;
  }
  return copy ?? o;
}

/** Events about a message, and those that say nothing more once it is gone. */
const ABOUT_MESSAGE = /^(?:message|thread|reaction|poll)\./;
const ABOUT_CONTENT = /^(?:reaction|poll)\./;

/** What is left of an event about a message that is gone: for example no text from before an edit. */
const LEFT_OF_EVENT = [
  "type",
  "created_at",
  "received_at",
  "cid",
  "channel_type",
  "channel_id",
  "channel",
  "members",
  "user",
  "message",
  "message_id",
  "poll",
  "thread",
  "hard_delete",
  "deleted_for_me",
  "request_info",
];

interface Stored {
  type?: string;
  message?: { id?: string };
  message_id?: string;
  thread?: { parent_message_id?: string };
}

/** The state of the message that an event or answer is about. */
function stateOf({ message, message_id, thread }: Stored, gone: Gone): "erased" | "deleted" | undefined {
  const id = message?.id ?? message_id ?? thread?.parent_message_id;
  return id === undefined ? undefined : gone.message(id);
}

/** The value without what is gone; the same object when nothing in it is. */
export function withoutGone<T extends object>(value: T, gone: Gone): T {
  const { type } = value as Stored;
  const isLimited = type !== undefined && ABOUT_MESSAGE.test(type) && stateOf(value, gone) !== undefined;
  return cleaned(isLimited ? only(value as Fields, LEFT_OF_EVENT) : value, gone) as T;
}

/** A logged event without what is gone; undefined when nothing is left to say: deletions are sent, without content. */
export function eventWithoutGone<E extends { type: string }>(event: E, gone: Gone): E | undefined {
  const { type } = event;
  const state = stateOf(event, gone);
  if (state && ABOUT_CONTENT.test(type) && type !== "poll.deleted") return undefined;
  if (state !== "erased" || type === "message.deleted") return withoutGone(event, gone);
  if (ABOUT_MESSAGE.test(type)) return undefined;
  // A system message that came with a change of the channel.
  const { message: _message, message_id: _id, ...rest } = event as E & Stored;
  return withoutGone(rest as unknown as E, gone);
}
