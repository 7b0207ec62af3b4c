/** Resolves the users and channels named in a search, by id, name or prefix (specification/search.md §6). */
import { isUserId, splitCid } from "../wire/ids.ts";
import type { User } from "../wire/entities/user.ts";
import { channelTitle, listedChannels, userName } from "./channels.ts";
import { matchRank } from "./matching.ts";
import { fold } from "../text/fold.ts";
import { type SearchIds, type SearchQuery, writerNamed } from "./search-query.ts";
import type { ChannelEntry, State } from "./state.ts";

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

/** An unknown name may still be the id of a user at the provider. */
function usersNamed(state: State, name: string, me: string | undefined): string[] {
  if (state.users.has(name)) return [name];
  const id = writerNamed(name, me);
  if (id !== name) return [id];
  const found = matchingName([...state.users.values()], fold(name), namesOfUser).map(({ id }) => id);
  return found.length === 0 && isUserId(name) ? [name] : found;
}

export function channelsNamed(state: State, name: string, { me, here }: SearchContext): string[] {
  if (state.channels.has(name)) return [name];
  if (name === HERE) return here === undefined ? [] : [here];
  const namesOf = (entry: ChannelEntry): string[] => [
    entry.channel.id,
    channelTitle(entry, me).replace(/^#/, ""),
  ];
  const found = matchingName(listedChannels(state), fold(name.replace(/^[#@]/, "")), namesOf).map(
    ({ cid }) => cid,
  );
  return found.length === 0 && splitCid(name) ? [name] : found;
}

const UNKNOWN = { from: "is not a known user", in: "is not a known channel" } as const;

interface SearchContext {
  me: string | undefined;
  here: string | undefined;
}

const HERE = "here";

export function searchNames(query: SearchQuery, state: State, context: SearchContext): Names {
  const faults: string[] = [];
  const idsOf = (
    key: keyof typeof UNKNOWN,
    names: readonly string[],
    find: (name: string) => string[],
  ): string[] =>
    names.flatMap((name) => {
      const found = find(name);
      if (found.length === 0) faults.push(`${key}:${name} ${UNKNOWN[key]}`);
      return found;
    });
  const users = idsOf("from", query.from, (name) => usersNamed(state, name, context.me));
  const cids = idsOf("in", query.in, (name) => channelsNamed(state, name, context));
  return { users: [...new Set(users)], cids: [...new Set(cids)], faults };
}
