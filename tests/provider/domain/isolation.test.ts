/** A call that changes or reads one channel, message or user neither changes nor shows another one. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { EndpointName } from "../../../src/wire/endpoints/index.ts";
import { room, ROOM, type As, type TestDomain } from "./support.ts";

const TWIN = { type: "messaging", id: "twin-room" };
const ada: As = { server: true, user: "ada" };
const server: As = { server: true };
let b: TestDomain;

/** Creates everything that can belong to a message, with bob as the author. */
function fillMessage(at: { type: string; id: string }, name: string): void {
  const { id } = at;
  b.send("ada", id, { id: `${name}-m`, text: "tea" });
  b.send("bob", id, { id: `${name}-r`, text: "yes", parent_id: `${name}-m` });
  b.send("ada", id, { id: `${name}-pin`, text: "read me", pinned: true });
  b.send("bob", id, { id: `${name}-own`, text: "first" });
  b.call("bob", "updateMessage", { path: { id: `${name}-own` }, body: { message: { text: "second" } } });
  for (const who of ["bob", "cyd"])
    b.call(who, "sendReaction", { path: { id: `${name}-m` }, body: { reaction: { type: "love" } } });
  for (const who of ["bob", "cyd"])
    b.call(who, "createReminder", { path: { id: `${name}-m` }, body: { remind_at: null } });
  b.call("bob", "flag", { body: { target_message_id: `${name}-m` } });
  b.call("bob", "saveDraft", { path: at, body: { message: { text: "under it", parent_id: `${name}-m` } } });
  b.send("bob", id, {
    id: `${name}-place`,
    shared_location: {
      latitude: 1,
      longitude: 2,
      created_by_device_id: "d",
      end_at: new Date(b.now / 1000 + 3_600_000).toISOString(),
    },
  });
  b.call("ada", "createPoll", {
    body: {
      id: `${name}-poll`,
      name: "Which?",
      options: [
        { id: `${name}-o1`, text: "a" },
        { id: `${name}-o2`, text: "b" },
      ],
    },
  });
  b.send("ada", id, { id: `${name}-asks`, poll_id: `${name}-poll` });
  for (const who of ["bob", "cyd"])
    b.call(who, "castPollVote", {
      path: { message_id: `${name}-asks`, poll_id: `${name}-poll` },
      body: { vote: { option_id: `${name}-o1` } },
    });
  b.send("cyd", id, { id: `${name}-gone`, text: "oh" });
  b.call(server, "deleteMessage", { path: { id: `${name}-gone` } });
}

/** Creates everything that belongs to the channel itself. */
function fillChannel(at: { type: string; id: string }): void {
  b.call("bob", "saveDraft", { path: at, body: { message: { text: "not yet" } } });
  b.call("cyd", "muteChannel", { body: { channel_cid: `messaging:${at.id}` } });
  b.call(ada, "ban", { body: { target_user_id: "dan", ...at } });
  b.call("cyd", "hideChannel", { path: at });
  b.call("bob", "updateMemberPartial", { path: { ...at, user_id: "bob" }, body: { set: { pinned: true } } });
  b.call("bob", "setPushPreferences", {
    body: { preferences: [{ channel_cid: `messaging:${at.id}`, chat_level: "none" }] },
  });
}

/** Creates mutes and blocks between the user and others. */
function relate(id: string): void {
  b.call("bob", "muteUser", { body: { target_id: id } });
  b.call("bob", "blockUser", { body: { blocked_user_id: id } });
  b.call(id, "muteUser", { body: { target_id: "cyd" } });
  b.call(id, "blockUser", { body: { blocked_user_id: "cyd" } });
  b.call(id, "createDevice", { body: { id: `${id}-phone`, push_provider: "apn" } });
  b.call("bob", "flag", { body: { target_user_id: id } });
  b.call(ada, "ban", { body: { target_user_id: id } });
}

beforeAll(() => {
  b = room();
  for (const id of ["twin-tina", "eve"]) b.user(id, { name: id });
  b.channel("twin-room", "ada", ["ada", "bob", "cyd", "twin-tina"]);
  fillMessage(ROOM, "one");
  fillMessage(ROOM, "near");
  fillMessage(TWIN, "twin");
  for (const at of [ROOM, TWIN]) fillChannel(at);
  for (const id of ["twin-tina", "eve"]) relate(id);
  for (const id of ["phone", "twin-phone"])
    b.call("bob", "createDevice", { body: { id, push_provider: "apn" } });
  for (const name of ["rude", "twin-rude"])
    b.call(server, "createBlocklist", { body: { name, words: ["x"] } });
  for (const name of ["red", "twin-red"]) b.call(server, "createRole", { body: { name } });
  for (const name of ["wave", "twin-wave"])
    b.call(server, "createCommand", { body: { name, description: "w" } });
  for (const id of ["folk", "twin-folk"]) {
    b.call(server, "createSegment", { body: { id, type: "user", name: id } });
    b.call(server, "addSegmentTargets", { path: { id }, body: { target_ids: ["bob", "cyd"] } });
  }
  for (const id of ["ada", "bob", "cyd", "dan", "eve", "twin-tina"]) b.connect(id);
});

/** All rows of the database, except the full-text index. */
function rows(): string[] {
  const tables = b.db
    .all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'word%' AND name NOT LIKE 'search%'",
    )
    .map(({ name }) => name);
  return tables.flatMap((name) =>
    b.db
      .all(`SELECT * FROM "${name}"`)
      .map((row) => `${name} ${JSON.stringify(row, (_, v) => (typeof v === "bigint" ? String(v) : v))}`),
  );
}

type CallInput = Parameters<TestDomain["call"]>[2];
/** Name of the action, caller, route, input. */
type Row = [string, As, EndpointName, CallInput];
/** Calls on a message must also leave the other messages of its channel unchanged; calls on a channel need not. */
const TO_MESSAGES: Row[] = [
  ["sending", "bob", "sendMessage", { path: ROOM, body: { message: { id: "new", text: "hi" } } }],
  [
    "replying",
    "cyd",
    "sendMessage",
    { path: ROOM, body: { message: { id: "new", text: "hi", parent_id: "one-m" } } },
  ],
  [
    "quoting",
    "cyd",
    "sendMessage",
    { path: ROOM, body: { message: { id: "new", text: "hi", quoted_message_id: "one-m" } } },
  ],
  ["editing", "bob", "updateMessage", { path: { id: "one-own" }, body: { message: { text: "third" } } }],
  ["pinning", "ada", "updateMessagePartial", { path: { id: "one-m" }, body: { set: { pinned: true } } }],
  ["unpinning", "ada", "updateMessagePartial", { path: { id: "one-pin" }, body: { set: { pinned: false } } }],
  ["deleting softly", "ada", "deleteMessage", { path: { id: "one-m" } }],
  ["hard deleting", server, "deleteMessage", { path: { id: "one-m" }, query: { hard: "true" } }],
  [
    "deleting for the current user",
    "ada",
    "deleteMessage",
    { path: { id: "one-m" }, query: { delete_for_me: "true" } },
  ],
  ["deleting a reply", "bob", "deleteMessage", { path: { id: "one-r" } }],
  ["hard deleting a reply", server, "deleteMessage", { path: { id: "one-r" }, query: { hard: "true" } }],
  ["deleting a location", "bob", "deleteMessage", { path: { id: "one-place" } }],
  ["deleting a poll's message", "ada", "deleteMessage", { path: { id: "one-asks" } }],
  ["undeleting", server, "undeleteMessage", { path: { id: "one-gone" }, body: { undeleted_by: "ada" } }],
  ["reacting", "ada", "sendReaction", { path: { id: "one-m" }, body: { reaction: { type: "wow" } } }],
  [
    "replacing a reaction",
    "bob",
    "sendReaction",
    { path: { id: "one-m" }, body: { reaction: { type: "wow" }, enforce_unique: true } },
  ],
  ["unreacting", "bob", "deleteReaction", { path: { id: "one-m", reaction_type: "love" } }],
  [
    "moving a reminder",
    "bob",
    "updateReminder",
    { path: { id: "one-m" }, body: { remind_at: "2040-01-01T00:00:00Z" } },
  ],
  ["deleting a reminder", "bob", "deleteReminder", { path: { id: "one-m" } }],
  ["drafting", "bob", "saveDraft", { path: ROOM, body: { message: { text: "again", parent_id: "one-m" } } }],
  ["deleting a draft", "bob", "deleteDraft", { path: ROOM, query: { parent_id: "one-m" } }],
  [
    "voting",
    "bob",
    "castPollVote",
    { path: { message_id: "one-asks", poll_id: "one-poll" }, body: { vote: { option_id: "one-o2" } } },
  ],
  ["adding an option", "ada", "createPollOption", { path: { poll_id: "one-poll" }, body: { text: "c" } }],
  [
    "renaming an option",
    "ada",
    "updatePollOption",
    { path: { poll_id: "one-poll" }, body: { id: "one-o1", text: "c" } },
  ],
  ["deleting an option", "ada", "deletePollOption", { path: { poll_id: "one-poll", option_id: "one-o1" } }],
  [
    "closing a poll",
    "ada",
    "updatePollPartial",
    { path: { poll_id: "one-poll" }, body: { set: { is_closed: true } } },
  ],
  [
    "changing a poll",
    "ada",
    "updatePoll",
    { body: { id: "one-poll", name: "Where?", options: [{ id: "one-o1", text: "a" }] } },
  ],
  ["deleting a poll", "ada", "deletePoll", { path: { poll_id: "one-poll" } }],
  [
    "naming a thread",
    "ada",
    "updateThreadPartial",
    { path: { message_id: "one-m" }, body: { set: { title: "Tea" } } },
  ],
  ["reading a thread", "ada", "markRead", { path: ROOM, body: { thread_id: "one-m" } }],
  ["flagging", "cyd", "flag", { body: { target_message_id: "one-m" } }],
  ["unflagging", "bob", "unflag", { body: { target_message_id: "one-m" } }],
];
const TO_CHANNELS: Row[] = [
  [
    "moving a location",
    "bob",
    "updateLiveLocation",
    { body: { message_id: "near-place", latitude: 5, longitude: 6 } },
  ],
  [
    "changing",
    "ada",
    "updateChannel",
    { path: ROOM, body: { data: { name: "Room" }, message: { text: "named" } } },
  ],
  ["changing a part", "ada", "updateChannelPartial", { path: ROOM, body: { set: { name: "Room" } } }],
  ["adding", "ada", "updateChannel", { path: ROOM, body: { add_members: ["eve"] } }],
  ["inviting", "ada", "updateChannel", { path: ROOM, body: { invites: ["eve"] } }],
  ["removing", "ada", "updateChannel", { path: ROOM, body: { remove_members: ["bob"] } }],
  [
    "giving a role",
    server,
    "updateChannel",
    { path: ROOM, body: { add_moderators: ["bob"], user_id: "ada" } },
  ],
  ["truncating", "ada", "truncateChannel", { path: ROOM, body: {} }],
  ["truncating for one member", "ada", "truncateChannel", { path: ROOM, body: { member_ids: ["bob"] } }],
  ["deleting", "ada", "deleteChannel", { path: ROOM }],
  ["hard deleting", server, "deleteChannel", { path: ROOM, query: { hard_delete: "true" } }],
  ["hiding", "bob", "hideChannel", { path: ROOM, body: { clear_history: true } }],
  ["showing", "cyd", "showChannel", { path: ROOM }],
  ["reading", "ada", "markRead", { path: ROOM }],
  ["marking unread", "cyd", "markUnread", { path: ROOM, body: { message_id: "one-m" } }],
  [
    "confirming delivery",
    "bob",
    "markDelivered",
    { body: { latest_delivered_messages: [{ cid: "messaging:room", id: "near-asks" }] } },
  ],
  [
    "unpinning the channel",
    "bob",
    "updateMemberPartial",
    { path: { ...ROOM, user_id: "bob" }, body: { set: { pinned: false } } },
  ],
  [
    "archiving",
    "ada",
    "updateMemberPartial",
    { path: { ...ROOM, user_id: "ada" }, body: { set: { archived: true } } },
  ],
  ["muting", "bob", "muteChannel", { body: { channel_cid: "messaging:room" } }],
  ["unmuting", "cyd", "unmuteChannel", { body: { channel_cid: "messaging:room" } }],
  ["banning", ada, "ban", { body: { target_user_id: "bob", ...ROOM, delete_messages: "soft" } }],
  ["unbanning", ada, "unban", { query: { target_user_id: "dan", ...ROOM } }],
  [
    "setting a push preference",
    "bob",
    "setPushPreferences",
    { body: { preferences: [{ channel_cid: "messaging:room", chat_level: "all" }] } },
  ],
  ["deleting a draft", "bob", "deleteDraft", { path: ROOM }],
];
const TO_OTHERS: Row[] = [
  ["unmuting", "bob", "unmuteUser", { body: { target_id: "eve" } }],
  ["unblocking", "bob", "unblockUser", { body: { blocked_user_id: "eve" } }],
  ["muting", "bob", "muteUser", { body: { target_id: "dan", timeout: 5 } }],
  ["blocking", "bob", "blockUser", { body: { blocked_user_id: "dan" } }],
  ["unflagging", "bob", "unflag", { body: { target_user_id: "eve" } }],
  ["unbanning", ada, "unban", { query: { target_user_id: "eve" } }],
  ["deactivating", server, "deactivateUser", { path: { id: "eve" }, body: { mark_messages_deleted: true } }],
  ["deleting", server, "deleteUser", { path: { id: "eve" }, query: { mark_messages_deleted: "true" } }],
  ["hard deleting", server, "deleteUser", { path: { id: "eve" }, query: { hard_delete: "true" } }],
  ["renaming a user", "eve", "updateUsersPartial", { body: { users: [{ id: "eve", set: { name: "E" } }] } }],
  ["deleting a device", "bob", "deleteDevice", { query: { id: "phone" } }],
  ["changing a blocklist", server, "updateBlocklist", { path: { name: "rude" }, body: { words: ["y"] } }],
  ["deleting a blocklist", server, "deleteBlocklist", { path: { name: "rude" } }],
  ["deleting a role", server, "deleteRole", { path: { name: "red" } }],
  ["changing a command", server, "updateCommand", { path: { name: "wave" }, body: { description: "wave" } }],
  ["deleting a command", server, "deleteCommand", { path: { name: "wave" } }],
  ["changing a segment", server, "updateSegment", { path: { id: "folk" }, body: { name: "f" } }],
  [
    "deleting a segment target",
    server,
    "deleteSegmentTargets",
    { path: { id: "folk" }, body: { target_ids: ["bob"] } },
  ],
  ["deleting a segment", server, "deleteSegment", { path: { id: "folk" } }],
];

/** Makes the call and rolls it back; returns the unrelated rows that it changed and the events sent to the twin user and channel. */
function sideEffects(
  as: As,
  name: EndpointName,
  input: CallInput,
  beside: RegExp,
): { changedRows: string[]; events: string[] } {
  for (const cid of ["messaging:room", "messaging:twin-room"]) b.watched.set(cid, new Set(["ada", "bob"]));
  const before = rows();
  let after: string[] = [];
  const { raw } = b.db;
  const exec = raw.exec.bind(raw);
  const ending = vi.spyOn(raw, "exec").mockImplementation((sql) => {
    if (sql === "COMMIT") after = rows();
    exec(sql === "COMMIT" ? "ROLLBACK" : sql);
  });
  b.events = [];
  try {
    b.call(as, name, input);
  } finally {
    ending.mockRestore();
  }
  expect(after, "nothing happened").not.toEqual(before);
  const omitted = new Set(after);
  return {
    changedRows: before.filter((row) => beside.test(row) && !omitted.has(row)),
    events: b.events.flatMap(({ user, cid, to, event }) =>
      `${user} ${cid}`.includes("twin") ? [`${to} ${event.type} ${user} ${cid}`] : [],
    ),
  };
}

test.each(TO_MESSAGES)("a call on a message changes nothing else: %s", (_, as, name, input) => {
  expect(sideEffects(as, name, input, /twin|near/)).toEqual({ changedRows: [], events: [] });
});
test.each(TO_CHANNELS)("a call on a channel changes no other channel: %s", (_, as, name, input) => {
  expect(sideEffects(as, name, input, /twin/)).toEqual({ changedRows: [], events: [] });
});
test.each(TO_OTHERS)("a call on a user or an app object changes no other: %s", (_, as, name, input) => {
  expect(sideEffects(as, name, input, /twin/)).toEqual({ changedRows: [], events: [] });
});

/** The time of all reads, the same in every world. */
const LATER = 1_900_000_900_000_000;

/** A message and a channel with everything that can belong to them; optionally with a second message and a second channel. */
function buildWorld(near: boolean, twin: boolean): TestDomain {
  b = room();
  fillMessage(ROOM, "one");
  if (near) fillMessage(ROOM, "near");
  fillChannel(ROOM);
  b.user("twin-tina");
  if (twin) {
    b.channel("twin-room", "ada", ["ada", "bob", "cyd", "twin-tina"]);
    fillMessage(TWIN, "twin");
    fillChannel(TWIN);
    b.call("cyd", "updateMemberPartial", {
      path: { ...TWIN, user_id: "cyd" },
      body: { set: { archived: true } },
    });
    b.call("bob", "muteChannel", { body: { channel_cid: "messaging:twin-room" } });
    b.call("twin-tina", "muteUser", { body: { target_id: "ada" } });
    b.call("twin-tina", "blockUser", { body: { blocked_user_id: "ada" } });
    b.call(server, "deleteMessage", { path: { id: "twin-own" }, query: { hard: "true" } });
  }
  if (near) {
    const input = { path: { id: "near-pin" }, query: { delete_for_me: "true" } };
    b.call("ada", "deleteMessage", input);
  }
  b.connect("ada", "bob", "cyd");
  return b;
}

/** Fields that cover all channels of a user, or its last activity: the second channel affects them. */
const OF_ALL = [
  "last_active",
  "total_unread_count",
  "unread_channels",
  "unread_threads",
  "unread_thread_messages",
];

function answerText(at: TestDomain, [, as, name, input]: Row, alsoOmitted: string[] = []): string {
  const omitted = new Set([...OF_ALL, ...alsoOmitted]);
  at.now = LATER;
  const answer = at.call(as, name, input);
  return JSON.stringify(answer, (key, value: unknown) => (omitted.has(key) ? undefined : value), 1);
}

const filter = (cid: string) => ({ filter_conditions: { channel_cid: cid } });
const ABOUT_MESSAGES: Row[] = [
  ["the message itself", "bob", "getMessage", { path: { id: "one-m" } }],
  ["the message itself for a user without reactions", "ada", "getMessage", { path: { id: "one-m" } }],
  ["its poll", "bob", "getMessage", { path: { id: "one-asks" } }],
  ["its pin", "bob", "getMessage", { path: { id: "one-pin" } }],
  ["its replies", "cyd", "getReplies", { path: { parent_id: "one-m" } }],
  ["its reactions", "cyd", "getReactions", { path: { id: "one-m" } }],
  ["its reactions by filter", "cyd", "queryReactions", { path: { id: "one-m" }, body: {} }],
  ["its draft", "bob", "getDraft", { path: ROOM, query: { parent_id: "one-m" } }],
  ["the votes", "bob", "queryPollVotes", { path: { poll_id: "one-poll" }, body: {} }],
  ["the poll", "cyd", "getPoll", { path: { poll_id: "one-poll" } }],
  ["its history", server, "queryMessageHistory", { body: { filter: { message_id: "one-own" } } }],
  ["several messages", "cyd", "getManyMessages", { path: ROOM, query: { ids: "one-m,one-asks" } }],
];
const ABOUT_CHANNELS: Row[] = [
  ...["ada", "bob", "cyd"].map((who): Row => [
    `itself, for ${who}`,
    who,
    "queryChannel",
    { path: ROOM, body: { state: true } },
  ]),
  [
    "its row in the list",
    "bob",
    "queryChannels",
    { body: { filter_conditions: { cid: "messaging:room" }, state: true } },
  ],
  ["its members", "bob", "queryMembers", { body: ROOM }],
  ["its pins", "cyd", "getPinnedMessages", { path: ROOM }],
  ["its draft", "bob", "getDraft", { path: ROOM }],
  ["its drafts", "bob", "queryDrafts", { body: { filter: { channel_cid: "messaging:room" } } }],
  ["its threads", "bob", "queryThreads", { body: { filter: { channel_cid: "messaging:room" } } }],
  ["its thread", "bob", "getThread", { path: { message_id: "one-m" } }],
  ["its flags", server, "queryMessageFlags", { body: filter("messaging:room") }],
  ["its bans", ada, "queryBannedUsers", { body: filter("messaging:room") }],
  ["its reminders", "bob", "queryReminders", { body: { filter: { channel_cid: "messaging:room" } } }],
  ["a search", "bob", "search", { body: { filter_conditions: { cid: "messaging:room" }, query: "tea" } }],
  ["mutes between users", "cyd", "queryUsers", { body: { filter_conditions: { id: "ada" } } }],
];

describe("answers", () => {
  let alone: TestDomain;
  let near: TestDomain;
  let both: TestDomain;
  beforeAll(() => {
    alone = buildWorld(false, false);
    near = buildWorld(true, false);
    both = buildWorld(true, true);
  });

  test.each(ABOUT_MESSAGES)("about a message are the same beside other messages: %s", (...row) => {
    expect(answerText(both, row, ["last_message_at"])).toBe(answerText(alone, row, ["last_message_at"]));
  });
  test.each(ABOUT_CHANNELS)("about a channel are the same beside another channel: %s", (...row) => {
    expect(answerText(both, row)).toBe(answerText(near, row));
  });
});
