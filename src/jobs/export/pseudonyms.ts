/** Replaces people by pseudonyms, the same for the same person in every export of an archive. */
import { createHmac } from "node:crypto";
import type { Channel, Member, Read } from "../../wire/entities/channel.ts";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import type { User } from "../../wire/entities/user.ts";
import type { Exported } from "./form.ts";

/** Letters of a pseudonym: one of a million people meets another's once in a million archives. */
const LENGTH = 16;

/** What tells nothing of people stays as it is; some of it is written anew at its place. */
const OF_CHANNELS = [
  "id",
  "type",
  "cid",
  "name",
  "created_at",
  "updated_at",
  "frozen",
  "disabled",
  "member_count",
  "last_message_at",
  "team",
] as const;
const OF_MESSAGES = [
  "cid",
  "type",
  "created_at",
  "updated_at",
  "deleted_at",
  "reply_count",
  "show_in_channel",
  "silent",
  "pinned",
] as const;
const OF_POLLS = [
  "id",
  "name",
  "description",
  "options",
  "voting_visibility",
  "enforce_unique_vote",
  "max_votes_allowed",
  "allow_user_suggested_options",
  "allow_answers",
  "is_closed",
  "created_at",
  "updated_at",
  "vote_count",
  "vote_counts_by_option",
  "latest_votes_by_option",
  "answers_count",
] as const;
const OF_REACTIONS = ["type", "user_id", "message_id", "score", "created_at", "updated_at"] as const;

interface Person {
  id: string;
  name?: string | null;
}

export class Pseudonyms {
  readonly #key: string;
  /** The ids that messages had, for those that were asked about lately. */
  readonly #real = new Map<string, string>();
  /** Who may be called by name in a text. */
  readonly #find: (name: string) => string | undefined;

  /** `find` knows the id of a user by id or name. */
  constructor(key: string, find: (name: string) => string | undefined) {
    this.#key = key;
    this.#find = find;
  }

  #hash(kind: string, id: string): string {
    return createHmac("sha256", this.#key).update(`${kind} ${id}`).digest("hex").slice(0, LENGTH);
  }

  #id(id: string): string {
    return `user-${this.#hash("user", id)}`;
  }

  user({ id, role, created_at, updated_at, deactivated_at, deleted_at }: User): User {
    const name = this.#id(id);
    return filled({ id: name, name, role, created_at, updated_at, deactivated_at, deleted_at });
  }

  channel(channel: Channel): Channel {
    const { created_by: maker } = channel;
    return filled<Channel>({ ...picked(channel, OF_CHANNELS), created_by: maker && this.user(maker) });
  }

  member({ user_id, channel_role, created_at, updated_at, banned, invited }: Member): Member {
    const user = this.user({ id: user_id });
    return filled({ user_id: user.id, user, channel_role, created_at, updated_at, banned, invited });
  }

  read({ user, last_read, unread_messages, last_read_message_id: last }: Read): Read {
    const id = last === undefined ? undefined : this.#message(last);
    return filled({ user: this.user(user), last_read, unread_messages, last_read_message_id: id });
  }

  /** The id that a message of this export had before. */
  realMessage(id: string): string | undefined {
    return this.#real.get(id);
  }

  /** Ids of messages often begin with who wrote them. */
  #message(id: string): string {
    const made = this.#hash("message", id);
    if (this.#real.size > 100_000) this.#real.clear();
    this.#real.set(made, id);
    return made;
  }

  message(one: Exported): Exported {
    const { message } = one;
    const { parent_id: parent, quoted_message_id: quoted, poll } = message;
    const told = {
      ...picked(message, OF_MESSAGES),
      id: this.#message(message.id),
      text: this.#text(message),
      user: this.user(message.user),
      attachments: message.attachments.map(({ type, mime_type, file_size }) =>
        filled({ type, mime_type, file_size }),
      ),
      mentioned_users: message.mentioned_users.map((user) => this.user(user)),
      parent_id: parent === undefined ? undefined : this.#message(parent),
      quoted_message_id: quoted === undefined ? undefined : this.#message(quoted),
      reaction_groups: message.reaction_groups,
      poll: poll && anonymous(poll),
      latest_reactions: [],
      own_reactions: [],
    };
    return {
      message: filled<Message>(told),
      reactions: one.reactions.map((reaction) => this.#reaction(reaction)),
      votes: [],
      // What a file holds nobody can make anonymous.
      files: [],
      replies: [],
      paths: one.paths,
      ...(one.gone === undefined ? {} : { gone: one.gone }),
    };
  }

  #reaction(reaction: Reaction): Reaction {
    return {
      ...picked(reaction, OF_REACTIONS),
      user_id: this.#id(reaction.user_id),
      message_id: this.#message(reaction.message_id),
    };
  }

  /** `@ana` and the names of those whom the message mentions; what else is said of people stays. */
  #text({ text, mentioned_users: mentioned }: Message): string {
    const people: Person[] = mentioned.toSorted((a, b) => (b.name?.length ?? 0) - (a.name?.length ?? 0));
    let told = text ?? "";
    for (const { id, name } of people)
      for (const word of [name, id]) if (word) told = told.replaceAll(`@${word}`, `@${this.#id(id)}`);
    return told.replace(/@([\p{L}\p{N}_-]{1,64})/gu, (whole, word: string) => {
      const id = this.#find(word);
      return id === undefined ? whole : `@${this.#id(id)}`;
    });
  }
}

/** Without people and fields of one's own. */
const anonymous = (poll: Poll): Poll =>
  filled<Poll>({
    ...picked(poll, OF_POLLS),
    options: poll.options.map(({ id, text }) => ({ id, text })),
    latest_votes_by_option: {},
    latest_answers: [],
    own_votes: [],
  });

const picked = <T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;

/** Without what is absent. */
const filled = <T>(fields: { [K in keyof T]?: T[K] | undefined | null }): T =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as T;
