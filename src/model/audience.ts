/** Who sees a message that is not for everybody in its channel, and who will see what is being written (R-SEND-16). */
import type { Message } from "../wire/entities/message.ts";
import { LocalError } from "./errors.ts";
import type { ThreadRef } from "./state.ts";

/** User ids; none: everybody who may read the channel. */
export type Audience = readonly string[];

export const EVERYBODY: Audience = [];

/** The author is always among those who see a message. */
const withAuthor = (people: Audience, author: string | undefined): Audience =>
  people.length === 0 || author === undefined
    ? people
    : [...new Set([...people.filter((id) => id !== author), author])];

export const audienceOfMessage = ({
  user,
  restricted_visibility: seenBy = [],
}: Pick<Message, "user"> & Partial<Pick<Message, "restricted_visibility">>): Audience =>
  withAuthor(seenBy, (user as Message["user"] | null | undefined)?.id);

/** Whether a user may see a message. Whose role may see all of them is not known here. */
export const isShownTo = (
  { restricted_visibility: seenBy }: Partial<Pick<Message, "restricted_visibility">>,
  user: string,
): boolean => !seenBy?.length || seenBy.includes(user);

/** Who sees each of several messages, and the author of an answer to them. */
export function commonAudience(audiences: readonly Audience[], author: string | undefined): Audience {
  const [first, ...others] = audiences.filter((people) => people.length > 0);
  if (!first) return EVERYBODY;
  const common = first.filter((id) => others.every((people) => people.includes(id)));
  // Nobody in common leaves the author alone, not everybody.
  return common.length === 0 && author !== undefined ? [author] : withAuthor(common, author);
}

/** Ids of the messages that one written in a place answers. */
export const answeredIds = ({ parentId }: ThreadRef, quotedId: string | undefined): string[] =>
  [parentId, quotedId].filter((id) => id !== undefined);

interface Written {
  /** Who was chosen; undefined: whoever sees what it answers. */
  onlyFor: Audience | undefined;
  answers: readonly string[];
}

/** Who will see a message; undefined while it answers one whose audience is not known. */
export function writtenAudience(
  { onlyFor, answers }: Written,
  author: string | undefined,
  known: (id: string) => Audience | undefined,
): Audience | undefined {
  if (onlyFor) return withAuthor(onlyFor, author);
  if (answers.length === 0) return EVERYBODY;
  const audiences = answers.map(known);
  return audiences.includes(undefined) ? undefined : commonAudience(audiences as Audience[], author);
}

const SENTENCES = {
  unknown: "Who may see the message that this one answers is not known",
  right: "You have no right to write to some members only in this channel",
} as const;

/** A message is not sent, because it could be shown to others than those whom it is for. */
export class AudienceError extends LocalError {
  readonly why: keyof typeof SENTENCES;
  constructor(why: keyof typeof SENTENCES) {
    super(SENTENCES[why]);
    this.why = why;
  }
}
