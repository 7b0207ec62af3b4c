/** What an import item defines, and what it refers to (specification/admin.md §10). */
import type { ImportItem } from "../entities/import.ts";

/** A referenced object: kind and id. A distinct channel is identified by its type and sorted members. */
export interface ImportKey {
  kind: "user" | "channel" | "message" | "device";
  key: string;
}

const channelKey = (type: unknown, id: unknown, members: unknown): string =>
  typeof id === "string" && id !== ""
    ? `${String(type)}:${id}`
    : `${String(type)}:!${[...new Set(members as string[])].toSorted().join(",")}`;

export const channelOfItem = (data: ImportItem["data"]): string =>
  channelKey(data.channel_type, data.channel_id, data.channel_member_ids);

/** The error for a reply to a reply, or to a message of another channel. */
export const misplacedReply = (parent: string): string =>
  `message.parent_id ${parent} is no message of the same channel that may have replies`;

/** The error for a second item with the same id. */
export const repeatedItem = ({ kind, key }: ImportKey): string => `${kind} ${key} is in the file twice`;

/** What an item defines, once in a file; undefined for bans, members and reactions, which have no id. */
export function definedKey({ type, data }: ImportItem): ImportKey | undefined {
  if (type === "user") return { kind: "user", key: data.id as string };
  if (type === "device") return { kind: "device", key: data.id as string };
  if (type === "message") return { kind: "message", key: data.id as string };
  return type === "channel"
    ? { kind: "channel", key: channelKey(data.type, data.id, data.member_ids) }
    : undefined;
}

/** What must be in the file or exist already. Mutes and blocks may name any user. */
export function referencedKeys({ type, data }: ImportItem): ImportKey[] {
  const users = (...ids: unknown[]): ImportKey[] =>
    ids
      .flat()
      .filter((id): id is string => typeof id === "string")
      .map((key) => ({ kind: "user", key }));
  const messages = (...ids: unknown[]): ImportKey[] =>
    ids.filter((id): id is string => typeof id === "string").map((key) => ({ kind: "message", key }));
  const channel = (): ImportKey => ({ kind: "channel", key: channelOfItem(data) });
  switch (type) {
    case "user":
      return [];
    case "device":
      return users(data.user_id);
    case "future_channel_ban":
      return users(data.created_by, data.target_id);
    case "channel":
      return users(data.created_by, data.member_ids, data.banned_users);
    case "member":
      return [channel(), ...users(data.user_id)];
    case "message":
      return [
        channel(),
        ...users(data.user, data.mentioned_users_ids, data.pinned_by_id),
        ...messages(data.parent_id, data.quoted_message_id),
      ];
    case "reaction":
      return [...messages(data.message_id), ...users(data.user_id)];
  }
}
