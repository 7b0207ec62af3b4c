/** Converts the file of an export into the items of an import, in their order (specification/admin.md §9, §10). */
import type { Channel, Member, Read } from "../entities/channel.ts";
import type { Message, Reaction } from "../entities/message.ts";
import type { User } from "../entities/user.ts";
import { customOf } from "../custom.ts";
import type { ImportItem, ImportType } from "../entities/import.ts";
import { customOfItem } from "./forms.ts";
import { splitCid } from "../ids.ts";
import { isObject, type Fields } from "../json-object.ts";

/** A message of an export with every reaction of it; personal keys are empty. */
type ExportedMessage = Message & { reactions?: Reaction[] };

/** One entry of the JSON array of version v1. */
interface ExportedV1 {
  channel: Channel;
  members: Member[];
  reads: Read[];
  messages: ExportedMessage[];
}

/**
 * One line of version v2: for each channel its own line, then its members, then each message followed by its reactions;
 * users, when they were asked for, come last.
 */
type ExportLine =
  | { type: "channel"; data: Channel }
  | { type: "member"; data: Member & { cid: string; last_read?: string } }
  | { type: "message"; data: Message }
  | { type: "reaction"; data: Reaction & { cid: string } }
  | { type: "user"; data: User };

/** Reads the file from its beginning; called several times, because an import has another order. */
type ReadExport = () => AsyncIterable<unknown>;

/** Without absent, null and empty values. */
const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null && value !== ""));

const LINE_TYPES: ReadonlySet<unknown> = new Set<ExportLine["type"]>([
  "user",
  "channel",
  "member",
  "message",
  "reaction",
]);

/** Lines of version v2 unchanged, entries of version v1 as equivalent lines; nothing for anything else. */
function linesOf(value: unknown): ExportLine[] {
  if (!isObject(value)) return [];
  if (LINE_TYPES.has(value.type) && isObject(value.data)) return [value as unknown as ExportLine];
  // Exports of other services have a channel and messages, too, but no cid.
  if (!isObject(value.channel) || typeof value.channel.cid !== "string") return [];
  if (!Array.isArray(value.messages)) return [];
  const { channel, members, reads, messages } = value as unknown as ExportedV1;
  const lastReads = new Map((reads ?? []).map((entry) => [entry.user.id, entry.last_read]));
  return [
    { type: "channel", data: channel },
    ...(members ?? []).map((member): ExportLine => {
      const last = lastReads.get(member.user_id);
      return {
        type: "member",
        data: { ...member, cid: channel.cid, ...(last === undefined ? {} : { last_read: last }) },
      };
    }),
    ...messages.flatMap(({ reactions, ...message }: ExportedMessage): ExportLine[] => [
      { type: "message", data: message },
      ...(reactions ?? message.latest_reactions ?? []).map((reaction): ExportLine => ({
        type: "reaction",
        data: { ...reaction, cid: channel.cid },
      })),
    ]),
  ];
}

/** Adds custom fields, except those whose names the import format reserves. */
function withCustom(type: ImportType, data: Fields, custom: Fields): ImportItem {
  return { type, data: { ...customOfItem({ type, data: custom }), ...data } };
}

export function userItem(user: User): ImportItem {
  const { invisible, ...rest } = user;
  return withCustom(
    "user",
    withoutEmpty({
      id: user.id,
      name: rest.name,
      image: rest.image,
      role: rest.role,
      language: rest.language,
      teams: rest.teams?.length ? rest.teams : undefined,
      teams_role: rest.teams_role,
      invisible: invisible ? true : undefined,
      created_at: rest.created_at,
      deactivated_at: rest.deactivated_at,
      deleted_at: rest.deleted_at,
      privacy_settings: rest.privacy_settings,
    }),
    customOf("user", user),
  );
}

export function channelItem(channel: Channel, banned: string[]): ImportItem {
  return withCustom(
    "channel",
    withoutEmpty({
      type: channel.type,
      id: channel.id,
      created_by: channel.created_by?.id,
      created_at: channel.created_at,
      frozen: channel.frozen ? true : undefined,
      disabled: channel.disabled ? true : undefined,
      team: channel.team,
      truncated_at: channel.truncated_at,
      banned_users: banned.length > 0 ? banned : undefined,
    }),
    customOf("channel", channel),
  );
}

export function memberItem(
  member: Member & { cid: string; last_read?: string; hidden?: boolean },
): ImportItem {
  const { cid, last_read: lastRead, hidden, ...rest } = member;
  const { type, id } = splitCid(cid)!;
  return withCustom(
    "member",
    withoutEmpty({
      channel_type: type,
      channel_id: id,
      user_id: member.user_id,
      channel_role: member.channel_role,
      created_at: member.created_at,
      archived_at: member.archived_at,
      invited: member.invited ? true : undefined,
      invited_accepted_at: member.invite_accepted_at,
      invited_rejected_at: member.invite_rejected_at,
      hide_channel: hidden ? true : undefined,
      last_read: lastRead,
    }),
    customOf("member", rest),
  );
}

const isPinImportable = ({ pinned_at: at, pin_expires: end, pinned_by: by }: Message): boolean =>
  Boolean(at && end && by);

export function messageItem(message: Message, quoted: string | undefined): ImportItem {
  const { type, id } = splitCid(message.cid)!;
  const pinned = isPinImportable(message);
  return withCustom(
    "message",
    withoutEmpty({
      id: message.id,
      channel_type: type,
      channel_id: id,
      user: message.user.id,
      type: message.type,
      text: message.text,
      html: message.html,
      parent_id: message.parent_id,
      show_in_channel: message.show_in_channel ? true : undefined,
      quoted_message_id: quoted,
      attachments: message.attachments?.length ? message.attachments : undefined,
      mentioned_users_ids: message.mentioned_users?.length
        ? message.mentioned_users.map((user) => user.id)
        : undefined,
      restricted_visibility: message.restricted_visibility?.length
        ? message.restricted_visibility
        : undefined,
      ...(pinned
        ? {
            pinned_at: message.pinned_at,
            pin_expires: message.pin_expires,
            pinned_by_id: message.pinned_by?.id,
          }
        : {}),
      created_at: message.created_at,
      deleted_at: message.deleted_at,
    }),
    customOf("message", message),
  );
}

export function reactionItem({ cid: _cid, ...reaction }: Reaction & { cid?: string }): ImportItem {
  return withCustom(
    "reaction",
    withoutEmpty({
      message_id: reaction.message_id,
      user_id: reaction.user_id,
      type: reaction.type,
      score: reaction.score,
      created_at: reaction.created_at,
    }),
    { ...customOf("reaction", reaction), ...withoutEmpty({ emoji_code: reaction.emoji_code }) },
  );
}

function usersOf(line: ExportLine): (User | null | undefined)[] {
  switch (line.type) {
    case "user":
      return [line.data];
    case "channel":
      return [line.data.created_by];
    case "member":
      return [line.data.user ?? { id: line.data.user_id }];
    case "message":
      return [line.data.user, line.data.pinned_by, ...(line.data.mentioned_users ?? [])];
    case "reaction":
      return [line.data.user ?? { id: line.data.user_id }];
  }
}

async function* lines(read: ReadExport, onOther: () => void = () => {}): AsyncIterable<ExportLine> {
  for await (const value of read()) {
    const found = linesOf(value);
    if (found.length === 0) onOther();
    yield* found;
  }
}

/** Called with what an import has no place for: its kind, and why, the same text for everything with the same cause. */
type OnUnused = (kind: "message" | "reply" | "reaction" | "field" | "entry", reason: string) => void;

const IMPORTABLE_TYPES = ["regular", "reply", "system", "deleted"];

/** Why a message cannot be imported, or undefined. `hasParent`: the parent is imported, too. */
export function unimportable({ type, parent_id: parent }: Message, hasParent: boolean): string | undefined {
  if (!IMPORTABLE_TYPES.includes(type)) return `${type} messages cannot be imported`;
  return parent && !hasParent ? "their parent is not in the file" : undefined;
}

/** Parts of an importable message for which an import has no place. */
export function countUnusedParts(message: Message, hasQuoted: boolean, onUnused: OnUnused): void {
  if (message.poll_id) onUnused("field", "polls cannot be imported; their messages are");
  if (message.shared_location) onUnused("field", "locations cannot be imported; their messages are");
  if (message.quoted_message_id && !hasQuoted)
    onUnused("field", "the quoted message is not in the file before its quote");
  if (message.pinned && !isPinImportable(message))
    onUnused("field", "pins without an end cannot be imported");
  if (message.message_text_updated_at) onUnused("field", "that a message was edited cannot be imported");
  if (message.silent) onUnused("field", "that a message is silent cannot be imported");
}

/** Items ready for JSON lines. Memory holds the users and the ids of messages, nothing else. */
export async function* convertExport(
  read: ReadExport,
  onUnused: OnUnused = () => {},
): AsyncIterable<ImportItem> {
  const users = new Map<string, User>();
  const completeUsers = new Set<string>();
  const banned = new Map<string, string[]>();
  for await (const line of lines(read, () => onUnused("entry", "not of an export"))) {
    for (const user of usersOf(line))
      if (user && (line.type === "user" || !completeUsers.has(user.id)))
        // Some lines name only the id of a person whom others describe.
        users.set(user.id, { ...users.get(user.id), ...user });
    if (line.type === "user") completeUsers.add(line.data.id);
    if (line.type === "member" && line.data.banned)
      banned.set(line.data.cid, [...(banned.get(line.data.cid) ?? []), line.data.user_id]);
  }
  for (const user of users.values()) yield userItem(user);
  users.clear();
  for await (const line of lines(read))
    if (line.type === "channel") yield channelItem(line.data, banned.get(line.data.cid) ?? []);
  for await (const line of lines(read)) if (line.type === "member") yield memberItem(line.data);
  const importable = new Set<string>();
  for await (const line of lines(read)) {
    if (line.type !== "message") continue;
    const { data } = line;
    const reason = unimportable(data, importable.has(data.parent_id ?? ""));
    if (reason !== undefined) {
      onUnused(data.parent_id ? "reply" : "message", reason);
      continue;
    }
    importable.add(data.id);
    const quoted = data.quoted_message_id;
    const hasQuoted = quoted !== undefined && importable.has(quoted);
    countUnusedParts(data, hasQuoted, onUnused);
    yield messageItem(data, hasQuoted ? quoted : undefined);
  }
  for await (const line of lines(read)) {
    if (line.type !== "reaction") continue;
    if (importable.has(line.data.message_id)) yield reactionItem(line.data);
    else onUnused("reaction", "their message is not imported");
  }
}
