/** Puts the new object of a user wherever a channel holds the old one. */
import type { User } from "../../wire/entities/user.ts";
import type { StateDraft } from "./state-draft.ts";

function inMap<V>(
  draft: StateDraft,
  map: ReadonlyMap<string, V>,
  id: string,
  change: (value: V) => V,
): ReadonlyMap<string, V> {
  const held = map.get(id);
  const next = held && change(held);
  return next === undefined || next === held ? map : draft.writable(map).set(id, next);
}

/** Puts the new object of a user wherever people look first: members, watchers, read, typing. */
export function spreadUser(draft: StateDraft, user: User): void {
  for (const cid of draft.cids) {
    const held = draft.peek(cid)!;
    const isTyping = held.typing.some((each) => each.user.id === user.id);
    if (!isTyping && !held.members.has(user.id) && !held.watchers.has(user.id) && !held.read.has(user.id))
      continue;
    const entry = draft.entry(cid)!;
    entry.members = inMap(draft, entry.members, user.id, (member) =>
      member.user === user ? member : { ...member, user },
    );
    entry.watchers = inMap(draft, entry.watchers, user.id, () => user);
    entry.read = inMap(draft, entry.read, user.id, (read) => (read.user === user ? read : { ...read, user }));
    if (isTyping)
      entry.typing = entry.typing.map((each) => (each.user.id === user.id ? { ...each, user } : each));
    if (entry.membership && entry.membership.user_id === user.id)
      entry.membership = { ...entry.membership, user };
  }
}
