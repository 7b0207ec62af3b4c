/** Custom fields: which keys of an entity are built in; all others are custom and travel beside them (specification/wire.md §6). */
import { Channel, Member } from "./entities/channel.ts";
import { builtInKeys } from "./entities/fields.ts";
import { Message, Reaction } from "./entities/message.ts";
import { OwnUser } from "./entities/user.ts";
import { POISONED_KEYS } from "./ids.ts";

const KEYS = {
  message: () => [...builtInKeys(Message()), "status", "user_id", "before_message_send_failed"],
  user: () => builtInKeys(OwnUser()),
  channel: () => builtInKeys(Channel()),
  member: () => builtInKeys(Member()),
  reaction: () => builtInKeys(Reaction()),
} as const;

const known = new Map<keyof typeof KEYS, ReadonlySet<string>>();

/** The keys of an entity that are not custom. */
export function builtInFields(kind: keyof typeof KEYS): ReadonlySet<string> {
  let keys = known.get(kind);
  if (!keys) known.set(kind, (keys = new Set(KEYS[kind]())));
  return keys;
}

/** The custom fields of an entity, same JSON values; `undefined` values are left out. */
export function customOf(kind: keyof typeof KEYS, entity: object): Record<string, unknown> {
  const builtIn = builtInFields(kind);
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(entity))
    if (value !== undefined && !builtIn.has(key) && !POISONED_KEYS.has(key)) out[key] = value;
  return out;
}
