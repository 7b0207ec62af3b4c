/** Resolves the users and channels named in a search, by id, name or prefix (specification/search.md §6). */
import { fold } from "../text/fold.ts";
import type { User } from "../wire/entities/user.ts";
import { isUserId, splitCid } from "../wire/ids.ts";
import { channelTitle, listedChannels, userName, type TitledChannel } from "./channels.ts";
import { matchRank } from "./matching.ts";
import { type SearchIds, type SearchQuery, writerNamed } from "./search-query.ts";
import type { State } from "./state.ts";

interface Names extends SearchIds {
  /** Messages about unknown names; with any of them, nothing is searched. */
  faults: readonly string[];
}

/** Items with exactly this name, else those with a word that begins with it. */
function matchingName<T>(all: readonly T[], wanted: string, namesOf: (one: T) => readonly string[]): T[] {
  const whole = all.filter((one) => namesOf(one).some((name) => fold(name) === wanted));
  if (whole.length > 0) return whole;
  return all.filter((one) => namesOf(one).some((name) => (matchRank(name, wanted) ?? 2) < 2));
}

const namesOfUser = (user: User): string[] => [user.id, userName(user)];

/** Ids of these users with the name; one that is none of theirs may still be the id of a user at the provider. */
export function usersNamed(users: readonly User[], name: string, me: string | undefined): string[] {
  if (users.some(({ id }) => id === name)) return [name];
  const id = writerNamed(name, me);
  if (id !== name) return [id];
  const found = matchingName(users, fold(name), namesOfUser).map((user) => user.id);
  return found.length === 0 && isUserId(name) ? [name] : found;
}

/** Cids of these channels with the name; one with a type may still exist at the provider. */
export function channelsOfName(
  channels: readonly TitledChannel[],
  name: string,
  me: string | undefined,
): string[] {
  const namesOf = (one: TitledChannel): string[] => [one.channel.id, channelTitle(one, me).replace(/^#/, "")];
  const found = matchingName(channels, fold(name.replace(/^[#@]/, "")), namesOf).map(({ cid }) => cid);
  return found.length === 0 && splitCid(name) ? [name] : found;
}

export function channelsNamed(state: State, name: string, { me, here }: SearchContext): string[] {
  if (state.channels.has(name)) return [name];
  if (name === HERE) return here === undefined ? [] : [here];
  return channelsOfName(listedChannels(state), name, me);
}

const UNKNOWN = { from: "is not a known user", in: "is not a known channel" } as const;

export const unknownName = (key: keyof typeof UNKNOWN, name: string): string =>
  `${key}:${name} ${UNKNOWN[key]}`;

interface SearchContext {
  me: string | undefined;
  here: string | undefined;
}

/** The open channel. */
export const HERE = "here";

export function searchNames(query: SearchQuery, state: State, context: SearchContext): Names {
  const faults: string[] = [];
  const idsOf = (
    key: keyof typeof UNKNOWN,
    names: readonly string[],
    find: (name: string) => string[],
  ): string[] =>
    names.flatMap((name) => {
      const found = find(name);
      if (found.length === 0) faults.push(unknownName(key, name));
      return found;
    });
  const people = query.from.length > 0 ? [...state.users.values()] : [];
  const users = idsOf("from", query.from, (name) => usersNamed(people, name, context.me));
  const cids = idsOf("in", query.in, (name) => channelsNamed(state, name, context));
  return { users: [...new Set(users)], cids: [...new Set(cids)], faults };
}
