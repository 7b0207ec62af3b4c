/** What an archive holds, in the form of a provider's answers to one reader. */
import type { DatabaseSync } from "node:sqlite";
import { goneText } from "../../../text/words.ts";
import type { Attachment } from "../../../wire/entities/attachment.ts";
import type { Channel, Member, Read } from "../../../wire/entities/channel.ts";
import type { Message } from "../../../wire/entities/message.ts";
import type { OwnUser, User } from "../../../wire/entities/user.ts";
import { isLinkCard } from "../../../model/message-links.ts";
import { EPOCH } from "../../../wire/time.ts";
import { readMeta } from "../meta.ts";
import { Pins } from "./pins.ts";
import { ArchiveReader, type ArchivedFile, type ArchivedMessage } from "../read.ts";

/** Reactions of a message that are answered with it. */
const LATEST_REACTIONS = 10;

type AddressOf = (file: Pick<ArchivedFile, "hash" | "name">) => string;

/** Nobody is online in an archive. */
const offline = (user: User): User => ({ ...user, online: false });

/** A stored file takes the place of where it was, and of its smaller copy. */
function withFile(attachment: Attachment, address: string): Attachment {
  const { image_url: picture, asset_url: asset, thumb_url: _, ...rest } = attachment;
  const isPicture = asset === undefined && picture !== undefined;
  return { ...rest, ...(isPicture ? { image_url: address } : { asset_url: address }) };
}

export class Shelf {
  readonly db: DatabaseSync;
  readonly reader: ArchiveReader;
  readonly me: User;
  readonly pins = new Pins();
  readonly #addressOf: AddressOf | undefined;
  readonly #user;
  #version: unknown;
  readonly #kept = new Map<string, unknown>();

  constructor(db: DatabaseSync, addressOf?: AddressOf) {
    this.db = db;
    this.reader = new ArchiveReader(db);
    this.#addressOf = addressOf;
    this.#user = db.prepare("SELECT id AS key, raw FROM users WHERE id = ?");
    this.me = this.user(readMeta(db, "user") ?? "") ?? { id: "archive-reader", name: "archive reader" };
  }

  /** The reader as the provider tells them at connecting. */
  ownUser(): OwnUser {
    const none = { devices: [], mutes: [], channel_mutes: [], blocked_user_ids: [] };
    const unread = { total_unread_count: 0, unread_count: 0, unread_channels: 0, unread_threads: 0 };
    return { ...this.me, ...none, ...unread };
  }

  /** A value made from the tables, kept until a run has written to the archive. */
  keep<T>(name: string, make: () => T): T {
    const version = this.db.prepare("PRAGMA data_version").get()!.data_version;
    if (version !== this.#version) this.#kept.clear();
    this.#version = version;
    if (!this.#kept.has(name)) this.#kept.set(name, make());
    return this.#kept.get(name) as T;
  }

  user(id: string): User | undefined {
    const row = this.#user.get(id);
    const user = row && this.reader.rows.one<User>("users", row);
    return user && offline(user);
  }

  channel(cid: string): Channel | undefined {
    const [channel] = this.reader.channels([cid]);
    return channel && { ...channel, hidden: false, muted: false };
  }

  /** In the order of their ids. */
  *members(cid: string): Iterable<Member> {
    for (const member of this.reader.members(cid)) {
      const user = member.user ?? this.user(member.user_id);
      yield { ...member, ...(user && { user: offline(user) }) };
    }
  }

  /** The reader belongs to every channel; of a membership at the provider the pin and the archive stay. */
  membership(members: readonly Member[]): Member {
    const own = members.find(({ user_id: id }) => id === this.me.id);
    const { pinned_at: pinned, archived_at: archived } = own ?? {};
    const at = { created_at: own?.created_at ?? EPOCH, updated_at: own?.updated_at ?? EPOCH };
    const kept = { ...(pinned && { pinned_at: pinned }), ...(archived && { archived_at: archived }) };
    return { user_id: this.me.id, user: this.me, channel_role: "channel_member", ...at, ...kept };
  }

  /** The reader has read everything. */
  reads(cid: string, upTo: string): Read[] {
    const others = [...this.reader.reads(cid)].filter(({ user }) => user.id !== this.me.id);
    return [...others, { user: this.me, last_read: upTo, unread_messages: 0 }];
  }

  message({ message, reactions, votes, files, gone }: ArchivedMessage): Message {
    const { draft: _draft, reminder: _reminder, ...rest } = message;
    const isOwn = (one: { user_id?: string }): boolean => one.user_id === this.me.id;
    const newest = reactions.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
    return {
      ...rest,
      ...(gone !== undefined && { text: goneText(message.text) }),
      user: offline(message.user),
      attachments: this.#attachments(message, files),
      latest_reactions: newest.slice(0, LATEST_REACTIONS),
      own_reactions: reactions.filter(isOwn),
      ...(message.poll && { poll: { ...message.poll, own_votes: votes.filter(isOwn) } }),
    };
  }

  #attachments({ attachments = [] }: Message, files: readonly ArchivedFile[]): Attachment[] {
    const address = this.#addressOf;
    if (!address || files.length === 0) return attachments;
    const stored = new Map(files.map((file) => [file.n, file]));
    return attachments.map((one, n) => {
      const file = stored.get(n);
      return file && !isLinkCard(one) ? withFile(one, address(file)) : one;
    });
  }
}
