/** Replaces people by pseudonyms, also where texts name them, stable per person over all exports of an archive. */
import { createHmac } from "node:crypto";
import type { Channel, Member, Read } from "../../wire/entities/channel.ts";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import type { User } from "../../wire/entities/user.ts";
import type { Exported } from "./form.ts";
import { KnownNames, type KnownPerson } from "./known-names.ts";

/** Hex digits of a pseudonym: among a million people a collision is very unlikely. */
const PSEUDONYM_LENGTH = 16;

/** Fields copied unchanged, as they do not identify people; all others are rebuilt below or dropped. */
const CHANNEL_FIELDS = [
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
const MESSAGE_FIELDS = [
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
const POLL_FIELDS = [
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
const REACTION_FIELDS = ["type", "user_id", "message_id", "score", "created_at", "updated_at"] as const;

export class Pseudonyms {
  readonly #key: string;
  /** Pseudonym → real message id, for recently exported messages. */
  readonly #realIds = new Map<string, string>();
  readonly #names: KnownNames;

  /** `people`: everybody whose id and names may stand in a text. */
  constructor(key: string, people: Iterable<KnownPerson>) {
    this.#key = key;
    this.#names = new KnownNames(people, (id) => this.#id(id));
  }

  #hash(kind: string, id: string): string {
    return createHmac("sha256", this.#key).update(`${kind} ${id}`).digest("hex").slice(0, PSEUDONYM_LENGTH);
  }

  #id(id: string): string {
    return `user-${this.#hash("user", id)}`;
  }

  user({ id, role, created_at, updated_at, deactivated_at, deleted_at }: User): User {
    const name = this.#id(id);
    return withoutEmpty({ id: name, name, role, created_at, updated_at, deactivated_at, deleted_at });
  }

  channel(channel: Channel): Channel {
    const { created_by: creator } = channel;
    return withoutEmpty<Channel>({
      ...pick(channel, CHANNEL_FIELDS),
      id: this.#text(channel.id),
      cid: this.#cid(channel.cid),
      name: channel.name && this.#text(channel.name),
      team: channel.team && this.#text(channel.team),
      created_by: creator && this.user(creator),
    });
  }

  member({ user_id, channel_role, created_at, updated_at, banned, invited }: Member): Member {
    const user = this.user({ id: user_id });
    return withoutEmpty({ user_id: user.id, user, channel_role, created_at, updated_at, banned, invited });
  }

  read({ user, last_read, unread_messages, last_read_message_id: last }: Read): Read {
    const id = last === undefined ? undefined : this.#message(last);
    return withoutEmpty({ user: this.user(user), last_read, unread_messages, last_read_message_id: id });
  }

  /** The real id of an exported message. */
  realMessageId(id: string): string | undefined {
    return this.#realIds.get(id);
  }

  /** Message ids often contain the author's id, so they are replaced, too. */
  #message(id: string): string {
    const pseudonym = this.#hash("message", id);
    if (this.#realIds.size > 100_000) this.#realIds.clear();
    this.#realIds.set(pseudonym, id);
    return pseudonym;
  }

  message(exported: Exported): Exported {
    const { message } = exported;
    const { parent_id: parent, quoted_message_id: quoted, poll } = message;
    const fields = {
      ...pick(message, MESSAGE_FIELDS),
      id: this.#message(message.id),
      cid: this.#cid(message.cid),
      text: this.#text(message.text ?? ""),
      user: this.user(message.user),
      attachments: message.attachments.map(({ type, mime_type, file_size }) =>
        withoutEmpty({ type, mime_type, file_size }),
      ),
      mentioned_users: message.mentioned_users.map((user) => this.user(user)),
      parent_id: parent === undefined ? undefined : this.#message(parent),
      quoted_message_id: quoted === undefined ? undefined : this.#message(quoted),
      reaction_groups: Object.fromEntries(
        Object.entries(message.reaction_groups ?? {}).map(([type, group]) => [this.#text(type), group]),
      ),
      poll: poll && this.#poll(poll),
      latest_reactions: [],
      own_reactions: [],
    };
    return {
      message: withoutEmpty<Message>(fields),
      reactions: exported.reactions.map((reaction) => this.#reaction(reaction)),
      votes: [],
      // The content of files cannot be made anonymous.
      files: [],
      replies: [],
      paths: exported.paths,
      ...(exported.gone === undefined ? {} : { gone: exported.gone }),
    };
  }

  #reaction(reaction: Reaction): Reaction {
    return {
      ...pick(reaction, REACTION_FIELDS),
      type: this.#text(reaction.type),
      user_id: this.#id(reaction.user_id),
      message_id: this.#message(reaction.message_id),
    };
  }

  #text(text: string): string {
    return this.#names.replace(text);
  }

  /** A channel's id may be made of the ids of people; its type is nobody's. */
  #cid(cid: string): string {
    const at = cid.indexOf(":") + 1;
    return cid.slice(0, at) + this.#text(cid.slice(at));
  }

  /** Without people and custom fields. */
  #poll(poll: Poll): Poll {
    return withoutEmpty<Poll>({
      ...pick(poll, POLL_FIELDS),
      name: this.#text(poll.name),
      description: poll.description && this.#text(poll.description),
      options: poll.options.map(({ id, text }) => ({ id, text: this.#text(text) })),
      latest_votes_by_option: {},
      latest_answers: [],
      own_votes: [],
    });
  }
}

const pick = <T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;

/** Removes fields that are undefined or null. */
const withoutEmpty = <T>(fields: { [K in keyof T]?: T[K] | undefined | null }): T =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as T;
