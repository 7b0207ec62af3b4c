/** Which people and channels a search means, by id, name or its beginning (specification/search.md §6). */
import { isUserId, splitCid } from "../wire/ids.ts";
import type { User } from "../wire/entities/user.ts";
import { channelTitle, listed, userName } from "./channels.ts";
import { fold, matchRank } from "./matching.ts";
import { type Narrowed, type SearchQuery, writerNamed } from "./search-query.ts";
import type { ChannelEntry, State } from "./state.ts";

interface Names extends Narrowed {
  /** Sentences about names that lead nowhere: nothing is looked for then. */
  faults: readonly string[];
}

/** The ones that are called so, else those whose name begins so. */
function called<T>(all: readonly T[], wanted: string, namesOf: (one: T) => readonly string[]): T[] {
  const whole = all.filter((one) => namesOf(one).some((name) => fold(name) === wanted));
  if (whole.length > 0) return whole;
  return all.filter((one) => namesOf(one).some((name) => (matchRank(name, wanted) ?? 2) < 2));
}

const namesOfUser = (user: User): string[] => [user.id, userName(user)];

/** Somebody whom nobody here knows may still be known to the provider, by an id. */
function usersCalled(state: State, name: string, me: string | undefined): string[] {
  if (state.users.has(name)) return [name];
  const id = writerNamed(name, me);
  if (id !== name) return [id];
  const found = called([...state.users.values()], fold(name), namesOfUser).map(({ id }) => id);
  return found.length === 0 && isUserId(name) ? [name] : found;
}

/** Channels by id, name or the beginning of a name. */
export function channelsCalled(state: State, name: string, { me, here }: SearchContext): string[] {
  if (state.channels.has(name)) return [name];
  if (name === HERE) return here === undefined ? [] : [here];
  const namesOf = (entry: ChannelEntry): string[] => [
    entry.channel.id,
    channelTitle(entry, me).replace(/^#/, ""),
  ];
  const found = called(listed(state), fold(name.replace(/^[#@]/, "")), namesOf).map(({ cid }) => cid);
  return found.length === 0 && splitCid(name) ? [name] : found;
}

const UNKNOWN = { from: "is nobody who is known here", in: "is no channel that is known here" } as const;

/** Who searches, and the channel that is open. */
interface SearchContext {
  me: string | undefined;
  here: string | undefined;
}

/** Names the open channel. */
const HERE = "here";

/** The ids behind the names of a search, as far as they are known here. */
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
  const users = idsOf("from", query.from, (name) => usersCalled(state, name, context.me));
  const cids = idsOf("in", query.in, (name) => channelsCalled(state, name, context));
  return { users: [...new Set(users)], cids: [...new Set(cids)], faults };
}
