/** How each event changes the rows of the cache, which the next start shows before the provider corrects them. */
import { emptiedMessage } from "../../src/wire/gone.ts";
import { expect, test } from "vitest";
import { applyToCache, CACHED_EVENTS, type CacheRows } from "../../src/model/cache-events.ts";
import type { AnyEvent } from "../../src/wire/events.ts";
import type { Message, Reaction } from "../../src/wire/entities/message.ts";
import { at, channel, CID, event, msg, user } from "../core/state/world.ts";

const love = (by: string, type = "love"): Reaction => ({
  type,
  user_id: by,
  message_id: "m1",
  score: 1,
  created_at: at(5),
  updated_at: at(5),
});
const groups = { love: { count: 1 } } as never;
const cached = msg(1, {
  own_reactions: [love("ada"), love("ada", "wow")] as never,
  poll: { id: "p", own_votes: ["v"] } as never,
  updated_at: at(10),
});
const bare = { ...msg(2), own_reactions: undefined } as unknown as Message;
const read = (id: string, seconds: number, more: object = {}) => ({
  user: user(id),
  last_read: at(seconds),
  unread_messages: 2,
  ...more,
});
const cachedChannel = () => {
  const state = channel([], { read: [read("ada", 10, { last_read_message_id: "m0" }), read("bob", 1)] });
  Object.assign(state.channel, { own_capabilities: ["x"], mood: "calm" });
  return state;
};

/** The calls to the rows for one event; the channel is cached and live by default. */
function rowCalls(cause: AnyEvent, more: Partial<CacheRows> = {}): unknown[] {
  const log: unknown[] = [];
  const write =
    (name: string) =>
    (...args: unknown[]): void =>
      void log.push([name, ...args]);
  const stored = new Map([cached, bare].map((each) => [each.id, each]));
  applyToCache(
    {
      me: () => "ada",
      isLive: () => true,
      message: (id) => stored.get(id),
      channel: (cid) => (cid === CID ? cachedChannel() : undefined),
      keepEarly: write("early"),
      putMessage(message) {
        log.push(["put", message]);
        stored.set(message.id, message);
      },
      removeMessage(id) {
        log.push(["remove", id]);
        stored.delete(id);
      },
      removeUpTo: write("up to"),
      hasCopies: () => true,
      messagesWith: (text) => [...stored.values()].filter((each) => JSON.stringify(each).includes(text)),
      cids: () => [CID],
      putChannel: write("channel"),
      recordActivity: write("touch"),
      removeChannel: write("drop"),
      ...more,
    },
    cause,
  );
  return log;
}

const newMessage = msg(20);
const edited = msg(1, { text: "new", updated_at: at(10), own_reactions: [] });
const ownReactions = { own_reactions: cached.own_reactions };
const poll = { id: "p", name: "Tea?", own_votes: [] } as never;
const reacted = { ...cached, reaction_groups: groups, latest_reactions: [love("bob")] };
const react = (type: string, by: string, reactionType = "love", message: Message = reacted as never) =>
  event(type, 30, { message: { ...message, own_reactions: [] }, reaction: love(by, reactionType) });
const truncated = { ...channel().channel, truncated_at: at(7) };
const readEvent = (more: object, by = "ada", seconds = 10) =>
  event("message.read", seconds, { user: user(by), ...more });
const withRead = (...list: unknown[]) => [["channel", { ...cachedChannel(), read: list }]];

test.each<[string, AnyEvent, unknown[]]>([
  [
    "a message is stored and records activity",
    event("message.new", 20, { message: newMessage }),
    [
      ["put", newMessage],
      ["touch", CID, at(20)],
    ],
  ],
  ["a known message is ignored", event("message.new", 20, { message: edited }), []],
  ["an event without its message is ignored", event("message.new", 20), []],
  [
    "a reply is stored without recording activity",
    event("notification.message_new", 20, { message: { ...newMessage, parent_id: "m1" } }),
    [["put", { ...newMessage, parent_id: "m1" }]],
  ],
  [
    "a reply shown in the channel records activity",
    event("message.new", 20, { message: { ...newMessage, parent_id: "m1", show_in_channel: true } }),
    [
      ["put", { ...newMessage, parent_id: "m1", show_in_channel: true }],
      ["touch", CID, at(20)],
    ],
  ],
  [
    "an edit keeps own reactions",
    event("message.updated", 20, { message: edited }),
    [["put", { ...edited, ...ownReactions }]],
  ],
  [
    "an edit keeps own votes",
    event("message.undeleted", 20, { message: { ...edited, poll } }),
    [["put", { ...edited, ...ownReactions, poll: { id: "p", name: "Tea?", own_votes: ["v"] } }]],
  ],
  [
    "an edit of a message without own reactions and votes adds none",
    event("message.updated", 20, { message: msg(2, { own_reactions: [love("x")] as never, poll }) }),
    [["put", msg(2, { poll })]],
  ],
  [
    "an older edit is ignored",
    event("message.updated", 20, { message: { ...edited, updated_at: at(9) } }),
    [],
  ],
  ["an edit of an unknown message is ignored", event("message.updated", 20, { message: newMessage }), []],
  ["an edit without its message is ignored", event("message.updated", 20), []],
  [
    "a soft delete stores the message as deleted",
    event("message.deleted", 20, { message: edited }),
    [["put", emptiedMessage(edited)]],
  ],
  [
    "a hard delete removes the message",
    event("message.deleted", 20, { message: edited, hard_delete: true }),
    [["remove", "m1"]],
  ],
  ["a delete without its message is ignored", event("message.deleted", 20, { hard_delete: true }), []],
  ["a reaction of another user keeps the own ones", react("reaction.new", "bob"), [["put", reacted]]],
  [
    "an own reaction replaces the one of its type",
    react("reaction.updated", "ada"),
    [["put", { ...reacted, own_reactions: [love("ada", "wow"), love("ada")] }]],
  ],
  [
    "removing an own reaction keeps the others",
    react("reaction.deleted", "ada", "wow"),
    [["put", { ...reacted, own_reactions: [love("ada")] }]],
  ],
  [
    "a first own reaction is stored",
    react("reaction.new", "ada", "love", bare),
    [["put", { ...bare, own_reactions: [love("ada")] }]],
  ],
  ["a reaction to an unknown message is ignored", react("reaction.new", "ada", "love", newMessage), []],
  ["an event without its reaction is ignored", event("reaction.new", 20, { message: cached }), []],
  [
    "a truncation removes older messages",
    event("channel.truncated", 20, { channel: truncated }),
    [["up to", CID, at(7)]],
  ],
  [
    "a truncation without a time removes everything and stores its message",
    event("notification.channel_truncated", 20, { message: newMessage }),
    [
      ["up to", CID, at(20)],
      ["put", newMessage],
    ],
  ],
  [
    "channel data keeps personal and omitted fields",
    event("channel.updated", 20, { channel: { cid: CID, name: "Tea", own_capabilities: [] } }),
    [["channel", { ...cachedChannel(), channel: { ...cachedChannel().channel, name: "Tea" } }]],
  ],
  [
    "data of an unknown channel is ignored",
    event("channel.updated", 20, { cid: "messaging:x", channel: {} }),
    [],
  ],
  ["an event without data is ignored", event("channel.updated", 20), []],
  [
    "a read mark replaces that of its user",
    readEvent({ last_read_message_id: "m9" }),
    withRead(read("bob", 1), read("ada", 10, { unread_messages: 0, last_read_message_id: "m9" })),
  ],
  [
    "a read mark without a message id keeps the former id",
    readEvent({}, "ada", 12),
    withRead(read("bob", 1), read("ada", 12, { unread_messages: 0, last_read_message_id: "m0" })),
  ],
  [
    "a first read mark is added",
    readEvent({}, "cy"),
    withRead(...cachedChannel().read, read("cy", 10, { unread_messages: 0 })),
  ],
  ["an older read mark is ignored", readEvent({}, "ada", 9), []],
  ["a read mark of a thread is ignored", readEvent({ thread: { id: "m1" } }), []],
  ["a read mark without a user is ignored", event("message.read", 20), []],
  ["a read mark of an unknown channel is ignored", readEvent({ cid: "messaging:x" }), []],
  ["a deleted channel is removed", event("channel.deleted", 20), [["drop", CID]]],
  ["a channel deleted elsewhere is removed", event("notification.channel_deleted", 20), [["drop", CID]]],
  [
    "a channel the user was removed from is removed",
    event("notification.removed_from_channel", 20),
    [["drop", CID]],
  ],
  [
    "a channel the user left while watching it is removed",
    event("member.removed", 20, { member: { user_id: "ada" } }),
    [["drop", CID]],
  ],
  [
    "another member who leaves changes nothing",
    event("member.removed", 20, { member: { user_id: "bob" } }),
    [],
  ],
  ["an event without a cid is ignored", event("channel.deleted", 20, { cid: undefined }), []],
  [
    "other events do not change the cache",
    event("typing.start", 20, { user: user("bob"), message: newMessage }),
    [],
  ],
])("%s", (_, cause, expected) => {
  expect(rowCalls(cause)).toEqual(expected);
  if (expected.length) expect(CACHED_EVENTS.has(cause.type)).toBe(true);
});

const { quoted_message: _, ...quotable } = {
  ...cached,
  poll: { id: "p", updated_at: at(9), own_votes: ["v"] } as never,
};
const quoting = (quoted: Message) => msg(3, { quoted_message_id: "m1", quoted_message: quoted });
const pinned = (...pins: Message[]) => ({ ...cachedChannel(), pinned_messages: pins });
const pin = { ...quotable, pinned: true };
const tea = { id: "p", name: "Tea?", updated_at: at(9) };
const vote = (by: string): AnyEvent =>
  event("poll.vote_casted", 20, { poll: tea, poll_vote: { id: "w", option_id: "o", user_id: by } });
const pinOfQuote = { ...quoting(quotable), pinned: true };

test.each<[string, AnyEvent, Message, Message[]]>([
  [
    "an edit",
    event("message.updated", 20, { message: { ...edited, pinned: true } }),
    { ...edited, pinned: true, ...ownReactions },
    [{ ...edited, pinned: true, ...ownReactions }],
  ],
  [
    "an edit that unpins",
    event("message.updated", 20, { message: edited }),
    { ...edited, ...ownReactions },
    [],
  ],
  [
    "a reaction",
    react("reaction.deleted", "bob"),
    { ...quotable, reaction_groups: groups, latest_reactions: [love("bob")] },
    [{ ...pin, reaction_groups: groups, latest_reactions: [love("bob")] }],
  ],
  [
    "a vote of somebody else",
    vote("bob"),
    { ...quotable, poll: { ...tea, own_votes: ["v"] } as never },
    [{ ...pin, poll: { ...tea, own_votes: ["v"] } as never }],
  ],
  [
    "an own vote",
    vote("ada"),
    { ...quotable, poll: { ...tea, own_votes: ["v", { id: "w", option_id: "o", user_id: "ada" }] } as never },
    [{ ...pin, poll: { ...tea, own_votes: ["v", { id: "w", option_id: "o", user_id: "ada" }] } as never }],
  ],
  [
    "a poll that is deleted",
    event("poll.deleted", 20, { poll: tea }),
    { ...quotable, poll: null },
    [{ ...pin, poll: null }],
  ],
])("R-MSG-3: %s changes quotes and pins, also of a message that is not stored", (_, cause, copy, pins) => {
  const calls = rowCalls(cause, {
    message: () => undefined,
    messagesWith: (text) => [quoting(quotable), msg(4)].filter((each) => JSON.stringify(each).includes(text)),
    channel: () => pinned(pin, pinOfQuote),
  });
  const { quoted_message: _q, ...quoted } = copy;
  expect(calls).toEqual([
    ["put", quoting(quoted)],
    ["channel", pinned(...pins, { ...pinOfQuote, quoted_message: quoted })],
  ]);
});

test("an older edit changes neither quotes nor pins", () => {
  const cause = event("message.updated", 20, { message: { ...edited, updated_at: at(9) } });
  expect(
    rowCalls(cause, { messagesWith: () => [quoting(quotable)], channel: () => pinned(pin, pinOfQuote) }),
  ).toEqual([]);
});

test("of a big channel's read marks the own one and the newest hundred are stored", () => {
  const mark = (id: string) => ({ user: user(id), last_read: at(5), unread_messages: 0 });
  const read = ["me", ...Array.from({ length: 100 }, (_, n) => `u${n}`)].map(mark);
  const put = rowCalls(readEvent({}, "ada", 10), {
    me: () => "me",
    channel: () => ({ ...cachedChannel(), read }) as never,
  });
  const [[, state]] = put as [[string, { read: typeof read }]];
  const ids = state.read.map(({ user: { id } }) => id);
  expect(ids).toEqual(["me", ...Array.from({ length: 99 }, (_, n) => `u${n + 1}`), "ada"]);
});

test("D6: a message in a channel that is not live is kept back, and still records activity", () => {
  expect(rowCalls(event("message.new", 20, { message: newMessage }), { isLive: () => false })).toEqual([
    ["early", newMessage],
    ["touch", CID, at(20)],
  ]);
});

test("capabilities that were not stored are taken from the event", () => {
  const state = channel();
  const cause = event("channel.updated", 20, { channel: { cid: CID, own_capabilities: ["told"] } });
  expect(rowCalls(cause, { channel: () => state })).toEqual([
    ["channel", { ...state, channel: { ...state.channel, own_capabilities: ["told"] } }],
  ]);
});
