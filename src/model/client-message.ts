/** Converts wire messages to loaded ones: shares users and empty values, and drops fields that nothing reads. */
import type { Draft } from "../wire/entities/draft.ts";
import type { Message } from "../wire/entities/message.ts";
import type { AnyEvent } from "../wire/events.ts";
import type { Poll, PollOption, PollVote } from "../wire/entities/poll.ts";
import type { User } from "../wire/entities/user.ts";
import { emptiedMessage } from "../wire/gone.ts";
import type { ClientMessage } from "./state.ts";

const NONE: never[] = [];
const EMPTY: Record<string, never> = {};

/** Returns the shared object for a user; see `Work.user`. */
type Intern = (user: User) => User;

const list = <T>(value: unknown): T[] => (Array.isArray(value) && value.length > 0 ? (value as T[]) : NONE);

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

const record = <T>(value: unknown): Record<string, T> =>
  value && typeof value === "object" && !isEmpty(value)
    ? (value as Record<string, T>)
    : (EMPTY as Record<string, T>);

const isUser = (value: unknown): value is User =>
  typeof value === "object" && value !== null && typeof (value as User).id === "string";

/** Whether a wire value is usable as a message. */
export function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && typeof (value as Message).id === "string";
}

const isOption = (value: unknown): value is PollOption =>
  typeof value === "object" && value !== null && typeof (value as PollOption).id === "string";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

export function holdPoll(raw: Poll): Poll {
  const options = list<PollOption>(raw.options).filter(isOption);
  return {
    ...raw,
    name: text(raw.name),
    options: options.map((option) => (typeof option.text === "string" ? option : { ...option, text: "" })),
    vote_counts_by_option: record<number>(raw.vote_counts_by_option),
    own_votes: list<PollVote>(raw.own_votes).filter((vote) => typeof vote === "object" && vote !== null),
  };
}

/** A draft without its copies of channel, parent and quote, which are loaded already and would outlive their deletion. */
export function holdDraft({ channel: _c, parent_message: _p, quoted_message: _q, ...own }: Draft): Draft {
  return own;
}

/** Fills in a message's lists; drops `html` and the two legacy reaction maps, which `reaction_groups` replaces. */
export function holdMessage(raw: Message, intern: Intern): ClientMessage {
  // Client-only fields are not taken from the wire (specification/messages.md §2: `status` is client only).
  const {
    html: _html,
    reaction_counts: _counts,
    reaction_scores: _scores,
    status: _status,
    waits: _waits,
    error: _error,
    pendingChange: _change,
    reminderDue: _due,
    trail: _trail,
    ...rest
  } = raw as ClientMessage;
  const loaded: ClientMessage = rest;
  if (isUser(raw.user)) loaded.user = intern(raw.user);
  else loaded.user = { id: "" };
  loaded.text = text(raw.text);
  if (typeof raw.type !== "string") loaded.type = raw.parent_id ? "reply" : "regular";
  loaded.attachments = list(raw.attachments);
  loaded.mentioned_users = list<User>(raw.mentioned_users);
  if (loaded.mentioned_users.length)
    loaded.mentioned_users = loaded.mentioned_users.filter(isUser).map(intern);
  loaded.reaction_groups = record(raw.reaction_groups);
  loaded.latest_reactions = list(raw.latest_reactions);
  loaded.own_reactions = list(raw.own_reactions);
  if (raw.restricted_visibility) loaded.restricted_visibility = list(raw.restricted_visibility);
  if (raw.thread_participants)
    loaded.thread_participants = list<User>(raw.thread_participants).filter(isUser).map(intern);
  if (raw.poll) loaded.poll = holdPoll(raw.poll);
  if (raw.draft) loaded.draft = holdDraft(raw.draft);
  if (isMessage(raw.quoted_message)) loaded.quoted_message = holdMessage(raw.quoted_message, intern);
  return loaded;
}

/** R-MSG-12: whether an event deletes what its user wrote, as a deletion of the user with the messages or for good also does. */
export const deletesMessagesOfUser = ({ type, hard_delete, mark_messages_deleted }: AnyEvent): boolean =>
  type === "user.messages.deleted" ||
  (type === "user.deleted" && (hard_delete === true || mark_messages_deleted === true));

/** R-MSG-5, R-MSG-12: the deleted form of a message, with what the client itself knows about it. */
export function deletedForm(message: ClientMessage, at: string): ClientMessage {
  const { status, waits, error, pendingChange, reminderDue } = message;
  const {
    html: _html,
    reaction_counts: _counts,
    reaction_scores: _scores,
    ...left
  } = emptiedMessage(message);
  const local = { status, waits, error, pendingChange, reminderDue };
  return {
    ...left,
    ...(Object.fromEntries(Object.entries(local).filter(([, value]) => value !== undefined)) as typeof local),
    deleted_at: message.deleted_at ?? at,
    attachments: NONE,
    mentioned_users: NONE,
    reaction_groups: EMPTY,
    latest_reactions: NONE,
    own_reactions: NONE,
  };
}

/** The provider's copy of a message that was sent (R-SEND-6). */
export type ReceivedMessage = Message & { status: "received" };
export const receivedMessage = (message: Message): ReceivedMessage => ({ ...message, status: "received" });
