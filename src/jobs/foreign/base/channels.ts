/** The channels of an import and their members; a direct conversation is known by its members. */
import type { ImportItem } from "../../../wire/entities/import.ts";
import type { Tally } from "../../tally.ts";
import { boundedCustom, shortened, withoutNothing } from "./fields.ts";
import type { ImportedPeople } from "./people.ts";

interface ChannelFields {
  name?: string | undefined;
  created_at?: string | undefined;
  creator?: string | undefined;
  frozen?: boolean | undefined;
  /** Topic, purpose and the like. */
  custom?: object;
}

interface KnownChannel extends ChannelFields {
  /** Id, or the people of a direct conversation. */
  place: { id: string } | { members: readonly string[] };
}

interface MemberFields {
  moderator?: boolean;
  last_read?: string | undefined;
}

export class Channels {
  readonly #type: string;
  readonly #people: ImportedPeople;
  readonly #channels = new Map<string, KnownChannel>();
  /** Channel → person → what is known of the membership. */
  readonly #members = new Map<string, Map<string, MemberFields>>();

  /** `type`: of all channels. */
  constructor(type: string, people: ImportedPeople) {
    this.#type = type;
    this.#people = people;
  }

  get keys(): string[] {
    return [...this.#channels.keys()];
  }

  has(key: string): boolean {
    return this.#channels.has(key);
  }

  name(key: string): string | undefined {
    return this.#channels.get(key)?.name;
  }

  /** Adds a channel, or what is not known of it yet; its key is its id. */
  add(id: string, fields: ChannelFields = {}): string {
    this.#channels.set(id, { ...fields, ...this.#channels.get(id), place: { id } });
    return id;
  }

  /** The key of the conversation of these people, who are known; with oneself it is a channel with an id. */
  direct(ids: readonly string[], own: string, fields: ChannelFields = {}): string {
    const members = [...new Set(ids)].toSorted();
    if (members.length < 2) {
      const key = this.add(own, fields);
      for (const id of members) this.join(key, id);
      return key;
    }
    const key = `!${members.join(",")}`;
    this.#channels.set(key, { ...fields, ...this.#channels.get(key), place: { members } });
    return key;
  }

  /** ImportedPeople of a direct conversation are its members already. */
  join(key: string, user: string, fields: MemberFields = {}): void {
    const members = this.#members.get(key) ?? new Map<string, MemberFields>();
    this.#members.set(key, members.set(user, { ...fields, ...members.get(user) }));
  }

  /** How an item of the channel names it. */
  placeOf(key: string): object {
    const { place } = this.#channels.get(key)!;
    return {
      channel_type: this.#type,
      ...("id" in place ? { channel_id: place.id } : { channel_member_ids: place.members }),
    };
  }

  *items(tally: Tally): Iterable<ImportItem> {
    for (const [key, { place, name, created_at, creator, frozen, custom }] of this.#channels) {
      const members = "id" in place ? [...(this.#members.get(key)?.keys() ?? [])] : place.members;
      const by = [creator, ...members].find((one) => one !== undefined && this.#people.has(one));
      yield {
        type: "channel",
        data: {
          type: this.#type,
          ...("id" in place ? { id: place.id } : { member_ids: place.members }),
          created_by: by ?? this.#people.first,
          ...withoutNothing({ created_at, name: name && shortened(name), frozen: frozen || undefined }),
          ...boundedCustom(custom ?? {}, tally),
        },
      };
    }
  }

  *memberItems(): Iterable<ImportItem> {
    for (const [key, members] of this.#members)
      for (const [user, { moderator, last_read }] of members)
        if (this.#people.has(user) && (!key.startsWith("!") || last_read !== undefined))
          yield {
            type: "member",
            data: {
              ...this.placeOf(key),
              user_id: user,
              ...withoutNothing({ is_moderator: moderator || undefined, last_read }),
            },
          };
  }
}
