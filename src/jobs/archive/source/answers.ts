/** The reading calls that an archive answers, and how; what it cannot have is answered as nothing. */
import type { EndpointName, ResultOf } from "../../../wire/endpoints/index.ts";
import {
  POLLS_LIMIT,
  QUERY_REACTIONS_LIMIT,
  QUERY_USERS_LIMIT,
  REACTIONS_LIMIT,
} from "../../../wire/constants.ts";
import { makeCid } from "../../../wire/ids.ts";
import { isObject, type Fields } from "../../../wire/json-object.ts";
import type { Message } from "../../../wire/entities/message.ts";
import type { User } from "../../../wire/entities/user.ts";
import { archivedPins, answerChannel, answerChannels, answerMembers } from "./channels.ts";
import { fitsFilter, namedBy, valueOfField } from "./filter.ts";
import {
  fitting,
  archivedMessage,
  pageFrom,
  pageIn,
  archivedPoll,
  archivedReactions,
  archivedVotes,
} from "./messages.ts";
import { answerSearch } from "./search.ts";
import type { Shelf } from "./shelf.ts";
import { answerThread, answerThreads } from "./threads.ts";

/** Undefined = not found. */
type Answer = (shelf: Shelf, fields: Fields) => object | undefined | Promise<object>;

/** The people that a filter is met by, in the order of their ids. */
function people(shelf: Shelf, fields: Fields): User[] {
  const filter = isObject(fields.filter_conditions) ? fields.filter_conditions : {};
  const named = namedBy(filter.id);
  const all: Iterable<User> = named ? named.flatMap((id) => shelf.user(id) ?? []) : shelf.reader.users();
  const found: User[] = [];
  for (const user of all)
    if (fitsFilter(filter, (field) => valueOfField(user, field))) found.push({ ...user, online: false });
  return found;
}

const page = (messages: Message[] | undefined): object | undefined => messages && { messages };

function messageWithChannel(shelf: Shelf, { id }: Fields): object | undefined {
  const message = archivedMessage(shelf, id);
  const channel = message && shelf.channel(message.cid);
  return message && { message: { ...message, ...(channel && { channel }) } };
}

const NOTHING_UNREAD: ResultOf<"getUnread"> = {
  total_unread_count: 0,
  total_unread_threads_count: 0,
  channels: [],
  channel_type: [],
  threads: [],
};

export const ANSWERS: Readonly<Partial<Record<EndpointName, Answer>>> = {
  hi: () => ({}),
  sync: () => ({ events: [] }),
  getApp: () => ({ app: { name: "archive" } }),
  stopWatching: () => ({}),
  queryChannels: answerChannels,
  queryChannel: answerChannel,
  queryMembers: answerMembers,
  queryUsers: (shelf, fields) => ({ users: pageFrom(people(shelf, fields), fields, QUERY_USERS_LIMIT).page }),
  getMessage: messageWithChannel,
  getManyMessages: (shelf, { ids }) => ({
    messages: String(ids)
      .split(",")
      .flatMap((id) => archivedMessage(shelf, id) ?? []),
  }),
  getReplies: (shelf, fields) => page(pageIn(shelf, { parent: String(fields.parent_id) }, fields)),
  queryReactions(shelf, fields) {
    const found = archivedReactions(shelf, fields.id);
    if (!found) return undefined;
    const { page: reactions, ...cursor } = pageFrom(fitting(found, fields), fields, QUERY_REACTIONS_LIMIT);
    return { reactions, ...cursor };
  },
  getReactions: (shelf, fields) => {
    const found = archivedReactions(shelf, fields.id);
    return found && { reactions: pageFrom(found, fields, REACTIONS_LIMIT).page };
  },
  queryThreads: answerThreads,
  getThread: answerThread,
  getPoll(shelf, { poll_id: id }) {
    const poll = archivedPoll(shelf, id);
    return poll && { poll };
  },
  queryPollVotes(shelf, fields) {
    const found = archivedVotes(shelf, fields.poll_id);
    if (!found) return undefined;
    const { page: votes, ...cursor } = pageFrom(fitting(found, fields), fields, POLLS_LIMIT);
    return { votes, ...cursor };
  },
  search: answerSearch,
  getPinnedMessages(shelf, fields) {
    const pinned = archivedPins(shelf, makeCid(String(fields.type), String(fields.id))).toReversed();
    const before = pinned.findIndex(({ id }) => id === fields.id_lt);
    return { messages: pageFrom(pinned.slice(before + 1), { limit: fields.limit }, REACTIONS_LIMIT).page };
  },
  getUnread: () => NOTHING_UNREAD,
  queryReminders: () => ({ reminders: [] }),
  queryDrafts: () => ({ drafts: [] }),
  listDevices: () => ({ devices: [] }),
  listCommands: () => ({ commands: [] }),
  queryBannedUsers: () => ({ bans: [] }),
  getBlockedUsers: () => ({ blocks: [] }),
  getLiveLocations: () => ({ active_live_locations: [] }),
};
