/** Replaces a user's object in all channels: members, watchers, read states and typing. */
import type { User } from "../../wire/entities/user.ts";
import type { StateDraft } from "./state-draft.ts";

function updateInMap<V>(
  draft: StateDraft,
  map: ReadonlyMap<string, V>,
  id: string,
  change: (value: V) => V,
): ReadonlyMap<string, V> {
  const held = map.get(id);
  const next = held && change(held);
  return next === undefined || next === held ? map : draft.writable(map).set(id, next);
}

export function updateUserEverywhere(draft: StateDraft, user: User): void {
  for (const cid of draft.cids) {
    const held = draft.peek(cid)!;
    const isTyping = held.typing.some((each) => each.user.id === user.id);
    if (!isTyping && !held.members.has(user.id) && !held.watchers.has(user.id) && !held.read.has(user.id))
      continue;
    const entry = draft.entry(cid)!;
    entry.members = updateInMap(draft, entry.members, user.id, (member) =>
      member.user === user ? member : { ...member, user },
    );
    entry.watchers = updateInMap(draft, entry.watchers, user.id, () => user);
    entry.read = updateInMap(draft, entry.read, user.id, (read) =>
      read.user === user ? read : { ...read, user },
    );
    if (isTyping)
      entry.typing = entry.typing.map((each) => (each.user.id === user.id ? { ...each, user } : each));
    if (entry.membership && entry.membership.user_id === user.id)
      entry.membership = { ...entry.membership, user };
  }
}
