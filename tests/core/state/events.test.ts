/** Every event by name: what it does to the state (specification/events.md §6), or why it does nothing. */
import { expect, test } from "vitest";
import { REDUCERS } from "../../../src/core/state/reduce.ts";
import { LOCAL_EVENTS, type EventType } from "../../../src/wire/events.ts";
import type { ChannelState } from "../../../src/wire/entities/channel.ts";
import type { Message, Reaction } from "../../../src/wire/entities/message.ts";
import {
  at,
  channel,
  CID,
  event,
  isNew,
  me,
  msg,
  msgs,
  subject,
  user,
  member,
  type Subject,
} from "./world.ts";

const group = { count: 1, sum_scores: 1, first_reaction_at: at(1), last_reaction_at: at(1) };
const love = (by: string): Reaction => ({
  type: "love",
  user_id: by,
  user: user(by),
  message_id: "m1",
  score: 1,
  created_at: at(5),
  updated_at: at(5),
});
const poll = (more: object = {}) => ({
  id: "p",
  name: "Tea?",
  options: [{ id: "a", text: "Tea" }],
  vote_count: 0,
  own_votes: [],
  ...more,
});
const withPoll = (): ChannelState => channel([msg(1, { poll_id: "p", poll: poll() as never })]);
const vote = { id: "v", poll_id: "p", option_id: "a", user_id: "ada" };
const reminder = (remindAt: string | null) => ({
  channel_cid: CID,
  message_id: "m1",
  user_id: "ada",
  remind_at: remindAt,
  created_at: at(5),
  updated_at: at(5),
  message: msg(1),
});
const draft = (text: string, more: object = {}) => ({
  channel_cid: CID,
  message: { id: "d", text },
  created_at: at(5),
  ...more,
});
const both = { members: [member("ada"), member("bob")], membership: member("ada") };
const reads = (unread: number) => ({
  read: [
    { user: user("ada"), last_read: at(0), unread_messages: unread },
    { user: user("bob"), last_read: at(0), unread_messages: 0 },
  ],
});
const deletedForm = (): Message =>
  msg(1, { type: "deleted", deleted_at: at(5), updated_at: at(5), text: "" });

interface Effect {
  /** specification/events.md §6, shortened. */
  effect: string;
  initial?: ChannelState;
  first?: Record<string, unknown>;
  fields: Record<string, unknown>;
  read(s: Subject): unknown;
  before?: unknown;
  after: unknown;
}
type Row = Effect | { local: string } | { listeners: string };

const ownUser = (s: Subject) => s.machine.state().me!;
const all = { cid: undefined };

/** The type requires a row for each name of EventMap. */
const ROWS: Record<EventType, Row> = {
  "connection.changed": { local: "emitted by the connection; its state is `state.link`" },
  "connection.recovered": { local: "emitted after a recovery, whose data was applied as answers" },
  "transport.changed": { local: "emitted by the connection; the transport is in `state.link`" },
  "channel.created": {
    listeners: "the creator gets the channel as an answer, members get notification.added_to_channel",
  },
  "thread.updated": {
    listeners: "title and custom fields are in the thread list only (core/lists/threads.ts, R-THREAD)",
  },

  "health.check": {
    effect: "`me` replaces the current user",
    fields: { ...all, me: { ...me(), name: "Ada L.", unread_channels: 4 } },
    read: (s) => [ownUser(s).name, s.machine.state().totals.channels],
    before: ["ada", 0],
    after: ["Ada L.", 4],
  },
  "message.new": {
    effect: "the message is inserted and counted",
    fields: { message: msg(5), user: user("bob"), total_unread_count: 7 },
    read: (s) => [s.shown(), s.entry().unread, s.machine.state().totals.unread],
    before: [[], 0, 0],
    after: [["m5"], 1, 7],
  },
  "notification.message_new": {
    effect: "in a known, unwatched channel it has the effect of message.new",
    first: { kind: "unwatched", cid: CID },
    fields: { message: msg(5), channel: channel().channel },
    read: (s) => [s.shown(), s.entry().unread],
    before: [[], 0],
    after: [["m5"], 1],
  },
  "notification.thread_message_new": {
    effect: "the totals are set, and the reply is added to a loaded thread",
    initial: channel([msg(1)]),
    first: { kind: "page", cid: CID, parentId: "m1", messages: [], pagination: { limit: 25 } },
    fields: {
      message: msg(5, { parent_id: "m1" }),
      thread_id: "m1",
      unread_threads: 3,
      unread_thread_messages: 9,
    },
    read: (s) => [s.shown("m1"), s.shown(), s.machine.state().totals.threads],
    before: [[], ["m1"], 0],
    after: [["m5"], ["m1"], 3],
  },
  "message.updated": {
    effect: "replaced",
    initial: channel([msg(1)]),
    fields: { message: msg(1, { text: "new", updated_at: at(5) }) },
    read: (s) => s.loaded("m1")!.text,
    before: "text 1",
    after: "new",
  },
  "message.deleted": {
    effect: "the message is replaced by its deleted form",
    initial: channel([msg(1)]),
    fields: { message: deletedForm() },
    read: (s) => s.loaded("m1")!.type,
    before: "regular",
    after: "deleted",
  },
  "message.undeleted": {
    effect: "replaced",
    initial: channel([msg(1, { type: "deleted", deleted_at: at(2), updated_at: at(2) })]),
    fields: { message: msg(1, { text: "back", updated_at: at(5) }) },
    read: (s) => [s.loaded("m1")!.type, s.loaded("m1")!.text],
    before: ["deleted", "text 1"],
    after: ["regular", "back"],
  },
  "message.read": {
    effect: "the user's read position moves, and the own unread count becomes 0",
    initial: channel([msg(1)], reads(1)),
    fields: { user: user("ada"), last_read_message_id: "m1" },
    read: (s) => [s.entry().unread, s.entry().read.get("ada")!.last_read_message_id],
    before: [1, undefined],
    after: [0, "m1"],
  },
  "message.delivered": {
    effect: "the user's delivery position moves",
    initial: channel([msg(1)], reads(0)),
    fields: { user: user("bob"), last_delivered_at: at(3), last_delivered_message_id: "m1" },
    read: (s) => s.entry().read.get("bob")!.last_delivered_message_id,
    after: "m1",
  },
  "notification.mark_read": {
    effect: "without a cid every channel is read, and the totals are set",
    initial: channel([msg(1)], reads(1)),
    fields: { ...all, total_unread_count: 0, unread_channels: 0 },
    read: (s) => s.entry().unread,
    before: 1,
    after: 0,
  },
  "notification.mark_unread": {
    effect: "the own read position and unread count are set",
    initial: channel(msgs(1, 3), reads(0)),
    fields: {
      first_unread_message_id: "m2",
      last_read_at: at(1),
      last_read_message_id: "m1",
      unread_messages: 2,
      unread_channels: 1,
    },
    read: (s) => [s.entry().unread, s.entry().firstUnreadId, s.machine.state().totals.channels],
    before: [0, undefined, 0],
    after: [2, "m2", 1],
  },
  "reaction.new": {
    effect: "groups are taken from the message, own reactions from the reaction",
    initial: channel([msg(1)]),
    fields: {
      reaction: love("ada"),
      message: msg(1, { reaction_groups: { love: group }, latest_reactions: [love("ada")] }),
    },
    read: (s) => [Object.keys(s.loaded("m1")!.reaction_groups), s.loaded("m1")!.own_reactions.length],
    before: [[], 0],
    after: [["love"], 1],
  },
  "reaction.updated": {
    effect: "groups and own reactions get the new score",
    initial: channel([
      msg(1, {
        reaction_groups: { love: group },
        latest_reactions: [love("ada")],
        own_reactions: [love("ada")],
      }),
    ]),
    fields: {
      reaction: { ...love("ada"), score: 5, updated_at: at(6) },
      message: msg(1, {
        reaction_groups: { love: { ...group, sum_scores: 5 } },
        latest_reactions: [{ ...love("ada"), score: 5 }],
      }),
    },
    read: (s) => [s.loaded("m1")!.reaction_groups.love!.sum_scores, s.loaded("m1")!.own_reactions[0]!.score],
    before: [1, 1],
    after: [5, 5],
  },
  "reaction.deleted": {
    effect: "the reaction is removed from groups and own reactions",
    initial: channel([
      msg(1, {
        reaction_groups: { love: group },
        latest_reactions: [love("ada")],
        own_reactions: [love("ada")],
      }),
    ]),
    fields: { reaction: love("ada"), message: msg(1) },
    read: (s) => [Object.keys(s.loaded("m1")!.reaction_groups), s.loaded("m1")!.own_reactions.length],
    before: [["love"], 1],
    after: [[], 0],
  },

  "channel.updated": {
    effect: "the data is merged, capabilities are kept, the message is inserted",
    fields: {
      channel: { ...channel().channel, name: "Kitchen", updated_at: at(5) },
      message: msg(5, { type: "system" }),
    },
    read: (s) => [s.entry().channel.name, s.shown()],
    before: [undefined, []],
    after: ["Kitchen", ["m5"]],
  },
  "channel.deleted": {
    effect: "the channel becomes unavailable",
    initial: channel([msg(1)]),
    fields: { channel: { ...channel().channel, deleted_at: at(5) } },
    read: (s) => [s.entry().unavailable, s.shown()],
    before: [false, ["m1"]],
    after: [true, []],
  },
  "notification.channel_deleted": {
    effect: "the channel becomes unavailable",
    fields: { channel: { ...channel().channel, deleted_at: at(5) } },
    read: (s) => s.entry().unavailable,
    before: false,
    after: true,
  },
  "channel.truncated": {
    effect:
      "messages and pins up to the time are removed, the message is inserted, and the unread count is requested",
    initial: channel(msgs(1, 9), {
      ...reads(9),
      pinned_messages: [msg(2, { pinned: true, pinned_at: at(2) })],
    }),
    fields: {
      channel: { ...channel().channel, truncated_at: at(8), updated_at: at(5) },
      message: msg(8.5, { id: "cut", type: "system" }),
    },
    read: (s) => [s.shown(), s.entry().pinned.length, s.entry().unread, s.machine.takeRefetches()],
    before: [msgs(1, 9).map(({ id }) => id), 1, 9, []],
    after: [["cut", "m9"], 0, 0, [{ kind: "unread", cid: CID }]],
  },
  "notification.channel_truncated": {
    effect: "messages of an unwatched channel are removed",
    initial: channel(msgs(1, 3), reads(3)),
    fields: { channel: { ...channel().channel, truncated_at: at(3), updated_at: at(5) } },
    read: (s) => [s.shown(), s.entry().unread],
    before: [["m1", "m2", "m3"], 3],
    after: [[], 0],
  },
  "channel.hidden": {
    effect: "the channel is hidden, and emptied with clear_history",
    initial: channel([msg(1)]),
    fields: { clear_history: true, channel: channel().channel },
    read: (s) => [s.entry().hidden, s.shown()],
    before: [false, ["m1"]],
    after: [true, []],
  },
  "channel.visible": {
    effect: "the channel is shown again",
    initial: channel([], { hidden: true }),
    fields: { channel: channel().channel },
    read: (s) => s.entry().hidden,
    before: true,
    after: false,
  },
  "channel.frozen": {
    effect: "the channel is frozen, and its capabilities are requested",
    fields: {},
    read: (s) => [s.entry().channel.frozen, s.machine.takeRefetches()],
    before: [false, []],
    after: [true, [{ kind: "capabilities", cid: CID }]],
  },
  "channel.unfrozen": {
    effect: "the channel is unfrozen, and its capabilities are requested",
    initial: { ...channel(), channel: { ...channel().channel, frozen: true } },
    fields: {},
    read: (s) => [s.entry().channel.frozen, s.machine.takeRefetches()],
    before: [true, []],
    after: [false, [{ kind: "capabilities", cid: CID }]],
  },
  "notification.channel_mutes_updated": {
    effect: "the own channel mutes are replaced",
    fields: { ...all, me: { channel_mutes: [{ user: user("ada"), channel: { cid: CID } }] } },
    read: (s) => ownUser(s).channel_mutes.length,
    before: 0,
    after: 1,
  },
  "member.added": {
    effect: "the member is added",
    initial: channel([], both),
    fields: { member: member("eve"), user: user("eve") },
    read: (s) => [[...s.entry().members.keys()], s.entry().memberCount],
    before: [["ada", "bob"], 3],
    after: [["ada", "bob", "eve"], 4],
  },
  "member.updated": {
    effect: "for the current user the membership is updated",
    initial: channel([], both),
    fields: { member: member("ada", { pinned_at: at(5) }), user: user("ada") },
    read: (s) => s.entry().membership!.pinned_at,
    after: at(5),
  },
  "member.removed": {
    effect: "the member and its read position are removed",
    initial: channel([], { ...both, ...reads(0) }),
    fields: { member: member("bob"), user: user("bob") },
    read: (s) => [[...s.entry().members.keys()], s.entry().read.has("bob"), s.entry().memberCount],
    before: [["ada", "bob"], true, 3],
    after: [["ada"], false, 2],
  },
  "notification.added_to_channel": {
    effect: "an unloaded channel is requested",
    fields: { cid: "messaging:new", member: member("ada") },
    read: (s) => s.machine.takeRefetches(),
    before: [],
    after: [{ kind: "channel", cid: "messaging:new" }],
  },
  "notification.removed_from_channel": {
    effect: "the channel becomes unavailable",
    initial: channel([msg(1)], both),
    fields: { member: member("ada"), user: user("ada") },
    read: (s) => [s.entry().unavailable, s.entry().membership],
    before: [false, member("ada")],
    after: [true, undefined],
  },
  "notification.invited": {
    effect: "an unloaded channel is requested",
    fields: { cid: "messaging:new", member: member("ada", { invited: true, status: "pending" }) },
    read: (s) => s.machine.takeRefetches(),
    before: [],
    after: [{ kind: "channel", cid: "messaging:new" }],
  },
  "notification.invite_accepted": {
    effect: "the membership is updated, and the capabilities are requested",
    initial: channel([], { membership: member("ada", { invited: true, status: "pending" }) }),
    fields: { member: member("ada", { invited: true, status: "accepted", invite_accepted_at: at(5) }) },
    read: (s) => [s.entry().membership!.status, s.machine.takeRefetches()],
    before: ["pending", []],
    after: ["accepted", [{ kind: "capabilities", cid: CID }]],
  },
  "notification.invite_rejected": {
    effect: "the membership is updated",
    initial: channel([], { membership: member("ada", { invited: true, status: "pending" }) }),
    fields: { member: member("ada", { invited: true, status: "rejected", invite_rejected_at: at(5) }) },
    read: (s) => s.entry().membership!.status,
    before: "pending",
    after: "rejected",
  },
  "user.watching.start": {
    effect: "the watcher is added, and the number is set",
    fields: { user: user("eve"), watcher_count: 4 },
    read: (s) => [[...s.entry().watchers.keys()], s.entry().watcherCount],
    before: [[], 0],
    after: [["eve"], 4],
  },
  "user.watching.stop": {
    effect: "the watcher is removed, and the number is set",
    initial: channel([], { watchers: [user("eve")], watcher_count: 5 }),
    fields: { user: user("eve"), watcher_count: 4 },
    read: (s) => [[...s.entry().watchers.keys()], s.entry().watcherCount],
    before: [["eve"], 5],
    after: [[], 4],
  },
  "typing.start": {
    effect: "the user is typing",
    fields: { user: user("bob") },
    read: (s) => s.entry().typing.map((each) => each.user.id),
    before: [],
    after: ["bob"],
  },
  "typing.stop": {
    effect: "the user is no longer typing",
    first: event("typing.start", 4, { user: user("bob") }),
    fields: { user: user("bob") },
    read: (s) => s.entry().typing.map((each) => each.user.id),
    before: ["bob"],
    after: [],
  },

  "user.updated": {
    effect: "the user is replaced in members and messages",
    initial: channel([msg(1)], both),
    fields: { ...all, user: user("bob", { name: "Bob B.", updated_at: at(5) }) },
    read: (s) => [s.entry().members.get("bob")!.user!.name, s.loaded("m1")!.user.name],
    before: ["bob", "bob"],
    after: ["Bob B.", "Bob B."],
  },
  "user.presence.changed": {
    effect: "the user is replaced in members and users",
    initial: channel([msg(1)], both),
    fields: { ...all, user: user("bob", { online: true }) },
    read: (s) => [s.entry().members.get("bob")!.user!.online, s.machine.state().users.get("bob")!.online],
    before: [undefined, undefined],
    after: [true, true],
  },
  "user.deleted": {
    effect: "the user is deleted, and with mark_messages_deleted the messages too",
    initial: channel([msg(1)], both),
    fields: {
      ...all,
      user: user("bob", { deleted_at: at(5), updated_at: at(5) }),
      mark_messages_deleted: true,
    },
    read: (s) => [s.entry().members.get("bob")!.user!.deleted_at, s.loaded("m1")!.type],
    before: [undefined, "regular"],
    after: [at(5), "deleted"],
  },
  "user.banned": {
    effect: "for the current user in a channel the membership is banned until the expiry",
    initial: channel([], both),
    fields: { user: user("ada"), expiration: at(90), shadow: false, total_bans: 1 },
    read: (s) => [s.entry().membership!.banned, s.entry().membership!.ban_expires, ownUser(s).banned],
    before: [undefined, undefined, undefined],
    after: [true, at(90), undefined],
  },
  "user.unbanned": {
    effect:
      "for the current user app-wide the flag is cleared, and capabilities requested meanwhile are requested again",
    initial: { ...channel(), channel: { ...channel().channel, own_capabilities: ["read-events"] } },
    first: event("user.banned", 4, { ...all, user: user("ada"), shadow: false }),
    fields: { ...all, user: user("ada"), shadow: false },
    read: (s) => [ownUser(s).banned, s.machine.takeRefetches()],
    before: [true, []],
    after: [false, [{ kind: "capabilities", cid: CID }]],
  },
  "user.messages.deleted": {
    effect: "every message of the user is deleted, and emptied by a hard delete",
    initial: channel([msg(1), msg(2, { user: user("eve") })]),
    fields: { ...all, user: user("bob"), hard_delete: true },
    read: (s) => [s.loaded("m1")!.type, s.loaded("m1")!.text, s.loaded("m2")!.type],
    before: ["regular", "text 1", "regular"],
    after: ["deleted", "", "regular"],
  },
  "notification.mutes_updated": {
    effect: "the own mutes are replaced",
    fields: { ...all, me: { mutes: [{ user: user("ada"), target: user("bob") }] } },
    read: (s) => ownUser(s).mutes.map((mute) => mute.target.id),
    before: [],
    after: ["bob"],
  },

  "poll.updated": {
    effect: "the poll is replaced",
    initial: withPoll(),
    fields: { poll: poll({ name: "Coffee?" }), message_id: "m1" },
    read: (s) => s.loaded("m1")!.poll!.name,
    before: "Tea?",
    after: "Coffee?",
  },
  "poll.closed": {
    effect: "the poll is closed",
    initial: withPoll(),
    fields: { poll: poll({ is_closed: true }), message_id: "m1" },
    read: (s) => s.loaded("m1")!.poll!.is_closed,
    after: true,
  },
  "poll.deleted": {
    effect: "the poll is removed from its message, which keeps the poll id (V-10)",
    initial: withPoll(),
    fields: { poll: poll(), message_id: "m1" },
    read: (s) => [s.loaded("m1")!.poll?.id, s.loaded("m1")!.poll_id],
    before: ["p", "p"],
    after: [undefined, "p"],
  },
  "poll.vote_casted": {
    effect: "the counts are set, and the own vote is added",
    initial: withPoll(),
    fields: { poll: poll({ vote_count: 1 }), poll_vote: vote, message_id: "m1" },
    read: (s) => [s.loaded("m1")!.poll!.vote_count, s.loaded("m1")!.poll!.own_votes.map(({ id }) => id)],
    before: [0, []],
    after: [1, ["v"]],
  },
  "poll.vote_changed": {
    effect: "the own vote is replaced",
    initial: channel([
      msg(1, { poll_id: "p", poll: poll({ own_votes: [{ ...vote, id: "old" }] }) as never }),
    ]),
    fields: { poll: poll({ vote_count: 1 }), poll_vote: vote, message_id: "m1" },
    read: (s) => s.loaded("m1")!.poll!.own_votes.map(({ id }) => id),
    before: ["old"],
    after: ["v"],
  },
  "poll.vote_removed": {
    effect: "the own vote is removed",
    initial: channel([msg(1, { poll_id: "p", poll: poll({ own_votes: [vote] }) as never })]),
    fields: { poll: poll(), poll_vote: vote, message_id: "m1" },
    read: (s) => s.loaded("m1")!.poll!.own_votes.map(({ id }) => id),
    before: ["v"],
    after: [],
  },

  "draft.updated": {
    effect: "the draft of a thread is set on the parent message (DR-5)",
    initial: channel([msg(1)]),
    fields: { draft: draft("half a", { parent_id: "m1" }), parent_id: "m1" },
    read: (s) => [s.loaded("m1")!.draft?.message.text, s.entry().draft],
    before: [undefined, undefined],
    after: ["half a", undefined],
  },
  "draft.deleted": {
    effect: "the draft of the channel is removed",
    initial: channel([], { draft: draft("half a") as never }),
    fields: { draft: draft("half a") },
    read: (s) => s.entry().draft?.message.text,
    before: "half a",
    after: undefined,
  },
  "reminder.created": {
    effect: "the reminder is set on its message (RE-8)",
    initial: channel([msg(1)]),
    fields: { reminder: reminder(at(90)), message_id: "m1", user_id: "ada" },
    read: (s) => s.loaded("m1")!.reminder?.remind_at,
    after: at(90),
  },
  "reminder.updated": {
    effect: "the reminder becomes a bookmark",
    initial: channel([msg(1, { reminder: reminder(at(90)) })]),
    fields: { reminder: reminder(null), message_id: "m1", user_id: "ada" },
    read: (s) => s.loaded("m1")!.reminder?.remind_at,
    before: at(90),
    after: null,
  },
  "reminder.deleted": {
    effect: "the reminder is removed from its message",
    initial: channel([msg(1, { reminder: reminder(null) })]),
    fields: { reminder: reminder(null), message_id: "m1", user_id: "ada" },
    read: (s) => s.loaded("m1")!.reminder?.remind_at,
    before: null,
    after: undefined,
  },
  "notification.reminder_due": {
    effect: "the due reminder stays on its message (R-REM-2)",
    initial: channel([msg(1)]),
    fields: { reminder: reminder(at(5)), message_id: "m1", user_id: "ada" },
    read: (s) => s.loaded("m1")!.reminder,
    after: {
      channel_cid: CID,
      message_id: "m1",
      user_id: "ada",
      remind_at: at(5),
      created_at: at(5),
      updated_at: at(5),
    },
  },
};

const effects = Object.entries(ROWS).filter((row): row is [string, Effect] => "effect" in row[1]);

test.each(effects.map(([type, row]) => [type, row.effect, row] as const))("%s: %s", (type, _says, row) => {
  const s = subject(row.initial ?? channel());
  if (row.first && "kind" in row.first) s.machine.apply(row.first as never);
  else if (row.first) s.machine.dispatch([row.first as never]);
  expect(row.read(s), "before").toEqual(row.before);
  s.machine.dispatch([event(type, 6, row.fields)]);
  expect(row.read(s), "after").toEqual(row.after);
  expect(row.after).not.toEqual(row.before);
  s.machine.close();
});

test("every event with an effect has a reducer, and local events are exactly LOCAL_EVENTS", () => {
  expect(Object.keys(REDUCERS).toSorted()).toEqual(effects.map(([type]) => type).toSorted());
  const local = Object.entries(ROWS).filter(([, row]) => "local" in row);
  expect(local.map(([type]) => type).toSorted()).toEqual([...LOCAL_EVENTS].toSorted());
});

test("events without a reducer and unknown ones reach listeners and change nothing", () => {
  const s = subject(channel([msg(1)]));
  const types: string[] = [];
  s.machine.on("all", ({ type }) => types.push(type));
  const before = s.machine.state();
  const names = [...Object.entries(ROWS).flatMap(([type, row]) => ("effect" in row ? [] : [type])), "wave"];
  s.machine.dispatch(names.map((type) => event(type, 6, { thread: {}, channel: channel().channel })));
  expect(types).toEqual(names);
  expect(s.machine.state()).toBe(before);
});

test("any event of an unloaded channel changes nothing and throws nothing", () => {
  const s = subject(null);
  const { channels } = s.machine.state();
  for (const [type, row] of effects) s.machine.dispatch([event(type, 6, row.fields)]);
  expect(s.machine.state().channels).toBe(channels);
  s.machine.dispatch([isNew(msg(7))]);
  expect(s.machine.state().channels).toBe(channels);
});
