/** Archived channels as a provider answers them: the list, single ones with their newest messages, and their members. */
import type { Channel, ChannelState, Member } from "../../../wire/entities/channel.ts";
import type { Message } from "../../../wire/entities/message.ts";
import type { Filter } from "../../../wire/entities/query.ts";
import { CHANNEL_MEMBERS_LIMIT, QUERY_CHANNELS_LIMIT, QUERY_MEMBERS_LIMIT } from "../../../wire/constants.ts";
import { isObject, type Fields } from "../../../wire/json-object.ts";
import { makeCid } from "../../../wire/ids.ts";
import { EPOCH } from "../../../wire/time.ts";
import { fitsFilter, namedBy, valueOfField } from "./filter.ts";
import { countIn, archivedMessage, pageFrom, pageIn } from "./messages.ts";
import type { Shelf } from "./shelf.ts";

/** The channels by their newest message; it is looked up in the index, for each. */
const newestFirst = (shelf: Shelf): string[] =>
  shelf.keep("channels", () =>
    shelf.db
      .prepare(
        `SELECT cid, (SELECT max(at) FROM messages m WHERE m.cid = c.cid) last FROM channels c ORDER BY last DESC, cid`,
      )
      .all()
      .map(({ cid }) => String(cid)),
  );

const memberIds = (shelf: Shelf, cid: string): string[] =>
  shelf.db
    .prepare("SELECT user_id FROM members WHERE cid = ?")
    .all(cid)
    .map((row) => String(row.user_id));

/** The fields of a channel that belong to the reader, or that are told in another way. */
function fieldOf(shelf: Shelf, channel: Channel, field: string): unknown {
  if (field === "members") return [...new Set([shelf.me.id, ...memberIds(shelf, channel.cid)])];
  if (field === "joined") return true;
  if (["hidden", "muted", "has_unread", "blocked"].includes(field)) return false;
  if (field.startsWith("member.")) return valueOfField([...shelf.members(channel.cid)], field.slice(7));
  return valueOfField(channel, field);
}

/** The reader's own list is all of the archive. */
const isEverything = (shelf: Shelf, filter: Filter): boolean =>
  Object.entries(filter).every(
    ([field, test]) => field === "members" && namedBy(test)?.includes(shelf.me.id) === true,
  );

/** The cids that a filter is met by, newest first. */
export function cidsFor(shelf: Shelf, filter: Filter): string[] {
  const named = namedBy(filter.cid);
  const all = named ? newestFirst(shelf).filter((cid) => named.includes(cid)) : newestFirst(shelf);
  if (isEverything(shelf, filter)) return all;
  return all.filter((cid) => {
    const channel = shelf.channel(cid);
    return channel !== undefined && fitsFilter(filter, (field) => fieldOf(shelf, channel, field));
  });
}

/** Those that were found so far, oldest first. */
export const archivedPins = (shelf: Shelf, cid: string): Message[] =>
  shelf.pins
    .of(cid)
    .flatMap((id) => archivedMessage(shelf, id) ?? [])
    .filter(({ pinned }) => pinned);

interface StateAsked {
  messages: Fields;
  members: number;
}

/** Undefined for a channel that the archive does not have, and for a page beside a message that it does not have. */
function stateOf(
  shelf: Shelf,
  cid: string,
  { messages: asked, members: count }: StateAsked,
): ChannelState | undefined {
  const channel = shelf.channel(cid);
  const messages = channel && pageIn(shelf, { cid }, asked);
  if (!channel || !messages) return undefined;
  const members = [...shelf.members(cid)];
  return {
    channel: { ...channel, member_count: channel.member_count ?? members.length },
    messages,
    pinned_messages: archivedPins(shelf, cid),
    members: members.slice(0, count),
    membership: shelf.membership(members),
    read: shelf.reads(cid, messages.at(-1)?.created_at ?? channel.last_message_at ?? EPOCH),
    watcher_count: 0,
  };
}

/** `POST /channels`. */
export function answerChannels(shelf: Shelf, fields: Fields): { channels: unknown[] } {
  const filter = isObject(fields.filter_conditions) ? fields.filter_conditions : {};
  // Another order than by activity is asked for by no view.
  const { page } = pageFrom(cidsFor(shelf, filter), fields, QUERY_CHANNELS_LIMIT);
  const members = countIn({ limit: fields.member_limit }, QUERY_MEMBERS_LIMIT);
  const asked = { messages: { limit: fields.message_limit }, members };
  const none = { messages: [], pinned_messages: [], members: [], read: [] };
  return {
    channels: page.flatMap((cid) => {
      if (fields.state !== false) return stateOf(shelf, cid, asked) ?? [];
      const channel = shelf.channel(cid);
      return channel ? { channel, ...none } : [];
    }),
  };
}

/** `POST /channels/{type}/{id}/query`. */
export function answerChannel(shelf: Shelf, fields: Fields): ChannelState | undefined {
  const members = countIn(isObject(fields.members) ? fields.members : {}, CHANNEL_MEMBERS_LIMIT);
  const messages = isObject(fields.messages) ? fields.messages : {};
  return stateOf(shelf, makeCid(String(fields.type), String(fields.id)), { messages, members });
}

/** `GET /members`. */
export function answerMembers(shelf: Shelf, fields: Fields): { members: Member[] } {
  const { filter_conditions: given, user_id_gt: after } = fields;
  const filter = isObject(given) ? given : {};
  const valueOf =
    (member: Member) =>
    (field: string): unknown => {
      if (field === "id") return member.user_id;
      return valueOfField(field === "name" ? { name: member.user?.name } : member, field);
    };
  const found: Member[] = [];
  for (const member of shelf.members(makeCid(String(fields.type), String(fields.id))))
    if ((after === undefined || member.user_id > String(after)) && fitsFilter(filter, valueOf(member)))
      found.push(member);
  return { members: pageFrom(found, fields, QUERY_MEMBERS_LIMIT).page };
}
