/** What a value that an entity must have is made of where it is missing: from the rest of the entity, or from what holds it. */
import { isFilledText, isObject } from "./json-object.ts";
import type { Shape } from "./entities/fields.ts";

type Values = Record<string, unknown>;

/** The author of a message that names none; no real id has an exclamation mark before its first letter but `!anon`. */
const UNKNOWN_PERSON = { id: "!unknown", name: "unknown person" } as const;

/** Whether nothing says who wrote it: then its author proves nothing. */
export const isUnknownAuthor = ({ user }: { user?: { id?: unknown } | null }): boolean =>
  !isFilledText(user?.id) || user.id === UNKNOWN_PERSON.id;

const textIn = (holder: unknown, key: string): string | undefined => {
  const value = isObject(holder) ? (holder as Values)[key] : undefined;
  return isFilledText(value) ? value : undefined;
};

/** An entity about somebody: without the person nothing of it can be used. */
const isAboutPerson = (shape: Shape): boolean => shape.unread_messages !== undefined;

function personIn(shape: Shape, value: Values, holder: Values): object | undefined {
  // The user of this event is the author of its message.
  const id =
    textIn(value, "user_id") ?? (holder.type === "message.new" ? textIn(holder.user, "id") : undefined);
  if (id !== undefined) return { id };
  return isAboutPerson(shape) ? undefined : { ...UNKNOWN_PERSON };
}

function cidIn(shape: Shape, value: Values, holder: Values): string | undefined {
  const { type, id } = value;
  if (shape.own_capabilities && isFilledText(type) && isFilledText(id)) return `${type}:${id}`;
  const named = textIn(value, "channel_cid") ?? textIn(value.channel, "cid");
  // A message is kept in any case: its list says where it belongs.
  return (
    named ?? textIn(holder.channel, "cid") ?? textIn(holder, "cid") ?? (shape.own_reactions ? "" : undefined)
  );
}

/** The part of a channel's cid before or after the colon. */
function cidPart(value: Values, part: "type" | "id"): string | undefined {
  const [, type, id] = /^([^:]+):(.+)$/s.exec(textIn(value, "cid") ?? "") ?? [];
  return part === "type" ? type : id;
}

const userIdIn = (shape: Shape, value: Values, holder: Values): string | undefined =>
  textIn(value.user, "id") ?? (shape.push_provider ? (textIn(holder, "id") ?? "") : undefined);

function createdAt(shape: Shape, value: Values): string | undefined {
  const at = textIn(value, "updated_at") ?? textIn(value, "last_message_at");
  // Messages are ordered by it; of anything else "never" is as good.
  return at ?? (shape.own_reactions ? undefined : "0001-01-01T00:00:00Z");
}

/** Undefined where nothing says what it is: then the entity cannot be used. */
export function derivedValue(shape: Shape, key: string, value: Values, holder: Values): unknown {
  switch (key) {
    case "user":
      return personIn(shape, value, holder);
    case "user_id":
      return userIdIn(shape, value, holder);
    case "cid":
      return cidIn(shape, value, holder);
    case "id":
      return shape.own_capabilities ? cidPart(value, "id") : undefined;
    case "type":
      if (shape.own_capabilities) return cidPart(value, "type");
      return shape.own_reactions ? (isFilledText(value.parent_id) ? "reply" : "regular") : undefined;
    case "created_at":
      return createdAt(shape, value);
    case "channel": {
      const cid = textIn(value, "channel_cid") ?? textIn(value, "cid");
      return cid === undefined ? undefined : { cid };
    }
  }
  return undefined;
}
