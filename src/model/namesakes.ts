/** Finds members of a channel who share a first name and need a longer label. */
import type { Member } from "../wire/entities/channel.ts";
import type { User } from "../wire/entities/user.ts";
import { userName } from "./channels.ts";

type Members = ReadonlyMap<string, Member>;

export const firstName = (name: string): string => name.split(" ", 1)[0]!;

const shared = new WeakMap<Members, ReadonlySet<string>>();

function sharedNames(members: Members): ReadonlySet<string> {
  const known = shared.get(members);
  if (known) return known;
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { user } of members.values()) {
    const name = firstName(userName(user));
    if (seen.has(name)) twice.add(name);
    seen.add(name);
  }
  shared.set(members, twice);
  return twice;
}

export const hasNamesake = (user: User | null | undefined, members: Members): boolean =>
  user?.name !== undefined && sharedNames(members).has(firstName(userName(user)));
