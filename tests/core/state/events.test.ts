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
  says: string;
  held?: ChannelState;
  first?: Record<string, unknown>;
  told: Record<string, unknown>;
  see(s: Subject): unknown;
  before?: unknown;
  after: unknown;
}
type Row = Effect | { local: string } | { listeners: string };

const ownUser = (s: Subject) => s.machine.state().me!;
const all = { cid: undefined };

/** The type requires a row for each name of EventMap. */
const ROWS: Record<EventType, Row> = {
  "connection.changed": { local: "told by the connection; the link itself is in `state.link`" },
  "connection.recovered": { local: "told when recovery has ended; what it loaded came as answers" },
  "transport.changed": { local: "told by the connection; the transport is in `state.link`" },
  "channel.created": {
    listeners: "the creator's own call answers with the channel, members hear notification.added_to_channel",
  },
  "thread.updated": {
    listeners: "title and custom fields live in the thread list alone (core/lists/threads.ts, R-THREAD)",
  },

  "health.check": {
    says: "`me` replaces the own user",
    told: { ...all, me: { ...me(), name: "Ada L.", unread_channels: 4 } },
    see: (s) => [ownUser(s).name, s.machine.state().totals.channels],
    before: ["ada", 0],
    after: ["Ada L.", 4],
  },
  "message.new": {
    says: "inserted, and counted",
    told: { message: msg(5), user: user("bob"), total_unread_count: 7 },
    see: (s) => [s.shown(), s.entry().unread, s.machine.state().totals.unread],
    before: [[], 0, 0],
    after: [["m5"], 1, 7],
  },
  "notification.message_new": {
    says: "of a known channel that is not watched: as message.new",
    first: { kind: "unwatched", cid: CID },
    told: { message: msg(5), channel: channel().channel },
    see: (s) => [s.shown(), s.entry().unread],
    before: [[], 0],
    after: [["m5"], 1],
  },
  "notification.thread_message_new": {
    says: "counters are set, and the reply stands in the thread that is held",
    held: channel([msg(1)]),
    first: { kind: "page", cid: CID, parentId: "m1", messages: [], pagination: { limit: 25 } },
    told: {
      message: msg(5, { parent_id: "m1" }),
      thread_id: "m1",
      unread_threads: 3,
      unread_thread_messages: 9,
    },
    see: (s) => [s.shown("m1"), s.shown(), s.machine.state().totals.threads],
    before: [[], ["m1"], 0],
    after: [["m5"], ["m1"], 3],
  },
  "message.updated": {
    says: "replaced",
    held: channel([msg(1)]),
    told: { message: msg(1, { text: "new", updated_at: at(5) }) },
    see: (s) => s.held("m1")!.text,
    before: "text 1",
    after: "new",
  },
  "message.deleted": {
    says: "replaced by its deleted form",
    held: channel([msg(1)]),
    told: { message: deletedForm() },
    see: (s) => s.held("m1")!.type,
    before: "regular",
    after: "deleted",
  },
  "message.undeleted": {
    says: "replaced",
    held: channel([msg(1, { type: "deleted", deleted_at: at(2), updated_at: at(2) })]),
    told: { message: msg(1, { text: "back", updated_at: at(5) }) },
    see: (s) => [s.held("m1")!.type, s.held("m1")!.text],
    before: ["deleted", "text 1"],
    after: ["regular", "back"],
  },
  "message.read": {
    says: "read of that user moves, unread 0",
    held: channel([msg(1)], reads(1)),
    told: { user: user("ada"), last_read_message_id: "m1" },
    see: (s) => [s.entry().unread, s.entry().read.get("ada")!.last_read_message_id],
    before: [1, undefined],
    after: [0, "m1"],
  },
  "message.delivered": {
    says: "the delivery of that user moves",
    held: channel([msg(1)], reads(0)),
    told: { user: user("bob"), last_delivered_at: at(3), last_delivered_message_id: "m1" },
    see: (s) => s.entry().read.get("bob")!.last_delivered_message_id,
    after: "m1",
  },
  "notification.mark_read": {
    says: "without cid every channel is read; counters are set",
    held: channel([msg(1)], reads(1)),
    told: { ...all, total_unread_count: 0, unread_channels: 0 },
    see: (s) => s.entry().unread,
    before: 1,
    after: 0,
  },
  "notification.mark_unread": {
    says: "own read and number as told",
    held: channel(msgs(1, 3), reads(0)),
    told: {
      first_unread_message_id: "m2",
      last_read_at: at(1),
      last_read_message_id: "m1",
      unread_messages: 2,
      unread_channels: 1,
    },
    see: (s) => [s.entry().unread, s.entry().firstUnreadId, s.machine.state().totals.channels],
    before: [0, undefined, 0],
    after: [2, "m2", 1],
  },
  "reaction.new": {
    says: "groups from the message, own reactions from the reaction",
    held: channel([msg(1)]),
    told: {
      reaction: love("ada"),
      message: msg(1, { reaction_groups: { love: group }, latest_reactions: [love("ada")] }),
    },
    see: (s) => [Object.keys(s.held("m1")!.reaction_groups), s.held("m1")!.own_reactions.length],
    before: [[], 0],
    after: [["love"], 1],
  },
  "reaction.updated": {
    says: "the same with a new score",
    held: channel([
      msg(1, {
        reaction_groups: { love: group },
        latest_reactions: [love("ada")],
        own_reactions: [love("ada")],
      }),
    ]),
    told: {
      reaction: { ...love("ada"), score: 5, updated_at: at(6) },
      message: msg(1, {
        reaction_groups: { love: { ...group, sum_scores: 5 } },
        latest_reactions: [{ ...love("ada"), score: 5 }],
      }),
    },
    see: (s) => [s.held("m1")!.reaction_groups.love!.sum_scores, s.held("m1")!.own_reactions[0]!.score],
    before: [1, 1],
    after: [5, 5],
  },
  "reaction.deleted": {
    says: "gone from groups and own ones",
    held: channel([
      msg(1, {
        reaction_groups: { love: group },
        latest_reactions: [love("ada")],
        own_reactions: [love("ada")],
      }),
    ]),
    told: { reaction: love("ada"), message: msg(1) },
    see: (s) => [Object.keys(s.held("m1")!.reaction_groups), s.held("m1")!.own_reactions.length],
    before: [["love"], 1],
    after: [[], 0],
  },

  "channel.updated": {
    says: "data merged, capabilities kept, its message inserted",
    told: {
      channel: { ...channel().channel, name: "Kitchen", updated_at: at(5) },
      message: msg(5, { type: "system" }),
    },
    see: (s) => [s.entry().channel.name, s.shown()],
    before: [undefined, []],
    after: ["Kitchen", ["m5"]],
  },
  "channel.deleted": {
    says: "gone",
    held: channel([msg(1)]),
    told: { channel: { ...channel().channel, deleted_at: at(5) } },
    see: (s) => [s.entry().unavailable, s.shown()],
    before: [false, ["m1"]],
    after: [true, []],
  },
  "notification.channel_deleted": {
    says: "gone",
    told: { channel: { ...channel().channel, deleted_at: at(5) } },
    see: (s) => s.entry().unavailable,
    before: false,
    after: true,
  },
  "channel.truncated": {
    says: "messages and pins up to the moment go, unread 0, its message is inserted; what stays is counted by the provider",
    held: channel(msgs(1, 9), {
      ...reads(9),
      pinned_messages: [msg(2, { pinned: true, pinned_at: at(2) })],
    }),
    told: {
      channel: { ...channel().channel, truncated_at: at(8), updated_at: at(5) },
      message: msg(8.5, { id: "cut", type: "system" }),
    },
    see: (s) => [s.shown(), s.entry().pinned.length, s.entry().unread, s.machine.takeRefetches()],
    before: [msgs(1, 9).map(({ id }) => id), 1, 9, []],
    after: [["cut", "m9"], 0, 0, [{ kind: "unread", cid: CID }]],
  },
  "notification.channel_truncated": {
    says: "the same where it is not watched",
    held: channel(msgs(1, 3), reads(3)),
    told: { channel: { ...channel().channel, truncated_at: at(3), updated_at: at(5) } },
    see: (s) => [s.shown(), s.entry().unread],
    before: [["m1", "m2", "m3"], 3],
    after: [[], 0],
  },
  "channel.hidden": {
    says: "hidden; with clear_history emptied",
    held: channel([msg(1)]),
    told: { clear_history: true, channel: channel().channel },
    see: (s) => [s.entry().hidden, s.shown()],
    before: [false, ["m1"]],
    after: [true, []],
  },
  "channel.visible": {
    says: "shown again",
    held: channel([], { hidden: true }),
    told: { channel: channel().channel },
    see: (s) => s.entry().hidden,
    before: true,
    after: false,
  },
  "channel.frozen": {
    says: "frozen, and what one may do is asked for",
    told: {},
    see: (s) => [s.entry().channel.frozen, s.machine.takeRefetches()],
    before: [false, []],
    after: [true, [{ kind: "capabilities", cid: CID }]],
  },
  "channel.unfrozen": {
    says: "not frozen, and what one may do is asked for",
    held: { ...channel(), channel: { ...channel().channel, frozen: true } },
    told: {},
    see: (s) => [s.entry().channel.frozen, s.machine.takeRefetches()],
    before: [true, []],
    after: [false, [{ kind: "capabilities", cid: CID }]],
  },
  "notification.channel_mutes_updated": {
    says: "own channel mutes as told",
    told: { ...all, me: { channel_mutes: [{ user: user("ada"), channel: { cid: CID } }] } },
    see: (s) => ownUser(s).channel_mutes.length,
    before: 0,
    after: 1,
  },
  "member.added": {
    says: "among the members",
    held: channel([], both),
    told: { member: member("eve"), user: user("eve") },
    see: (s) => [[...s.entry().members.keys()], s.entry().memberCount],
    before: [["ada", "bob"], 3],
    after: [["ada", "bob", "eve"], 4],
  },
  "member.updated": {
    says: "of the own user: the membership",
    held: channel([], both),
    told: { member: member("ada", { pinned_at: at(5) }), user: user("ada") },
    see: (s) => s.entry().membership!.pinned_at,
    after: at(5),
  },
  "member.removed": {
    says: "out of members and reads",
    held: channel([], { ...both, ...reads(0) }),
    told: { member: member("bob"), user: user("bob") },
    see: (s) => [[...s.entry().members.keys()], s.entry().read.has("bob"), s.entry().memberCount],
    before: [["ada", "bob"], true, 3],
    after: [["ada"], false, 2],
  },
  "notification.added_to_channel": {
    says: "a channel that is not held is asked for",
    told: { cid: "messaging:new", member: member("ada") },
    see: (s) => s.machine.takeRefetches(),
    before: [],
    after: [{ kind: "channel", cid: "messaging:new" }],
  },
  "notification.removed_from_channel": {
    says: "no longer mine to read",
    held: channel([msg(1)], both),
    told: { member: member("ada"), user: user("ada") },
    see: (s) => [s.entry().unavailable, s.entry().membership],
    before: [false, member("ada")],
    after: [true, undefined],
  },
  "notification.invited": {
    says: "a channel that is not held is asked for",
    told: { cid: "messaging:new", member: member("ada", { invited: true, status: "pending" }) },
    see: (s) => s.machine.takeRefetches(),
    before: [],
    after: [{ kind: "channel", cid: "messaging:new" }],
  },
  "notification.invite_accepted": {
    says: "membership updated, and what one may do is asked for",
    held: channel([], { membership: member("ada", { invited: true, status: "pending" }) }),
    told: { member: member("ada", { invited: true, status: "accepted", invite_accepted_at: at(5) }) },
    see: (s) => [s.entry().membership!.status, s.machine.takeRefetches()],
    before: ["pending", []],
    after: ["accepted", [{ kind: "capabilities", cid: CID }]],
  },
  "notification.invite_rejected": {
    says: "membership updated",
    held: channel([], { membership: member("ada", { invited: true, status: "pending" }) }),
    told: { member: member("ada", { invited: true, status: "rejected", invite_rejected_at: at(5) }) },
    see: (s) => s.entry().membership!.status,
    before: "pending",
    after: "rejected",
  },
  "user.watching.start": {
    says: "among the watchers, their number as told",
    told: { user: user("eve"), watcher_count: 4 },
    see: (s) => [[...s.entry().watchers.keys()], s.entry().watcherCount],
    before: [[], 0],
    after: [["eve"], 4],
  },
  "user.watching.stop": {
    says: "out of the watchers, their number as told",
    held: channel([], { watchers: [user("eve")], watcher_count: 5 }),
    told: { user: user("eve"), watcher_count: 4 },
    see: (s) => [[...s.entry().watchers.keys()], s.entry().watcherCount],
    before: [["eve"], 5],
    after: [[], 4],
  },
  "typing.start": {
    says: "typing",
    told: { user: user("bob") },
    see: (s) => s.entry().typing.map((each) => each.user.id),
    before: [],
    after: ["bob"],
  },
  "typing.stop": {
    says: "not typing",
    first: event("typing.start", 4, { user: user("bob") }),
    told: { user: user("bob") },
    see: (s) => s.entry().typing.map((each) => each.user.id),
    before: ["bob"],
    after: [],
  },

  "user.updated": {
    says: "replaced in members and as author",
    held: channel([msg(1)], both),
    told: { ...all, user: user("bob", { name: "Bob B.", updated_at: at(5) }) },
    see: (s) => [s.entry().members.get("bob")!.user!.name, s.held("m1")!.user.name],
    before: ["bob", "bob"],
    after: ["Bob B.", "Bob B."],
  },
  "user.presence.changed": {
    says: "replaced in members and the table of users",
    held: channel([msg(1)], both),
    told: { ...all, user: user("bob", { online: true }) },
    see: (s) => [s.entry().members.get("bob")!.user!.online, s.machine.state().users.get("bob")!.online],
    before: [undefined, undefined],
    after: [true, true],
  },
  "user.deleted": {
    says: "marked deleted; with mark_messages_deleted the messages too",
    held: channel([msg(1)], both),
    told: {
      ...all,
      user: user("bob", { deleted_at: at(5), updated_at: at(5) }),
      mark_messages_deleted: true,
    },
    see: (s) => [s.entry().members.get("bob")!.user!.deleted_at, s.held("m1")!.type],
    before: [undefined, "regular"],
    after: [at(5), "deleted"],
  },
  "user.banned": {
    says: "of the own user in a channel: the membership, at once, with its end",
    held: channel([], both),
    told: { user: user("ada"), expiration: at(90), shadow: false, total_bans: 1 },
    see: (s) => [s.entry().membership!.banned, s.entry().membership!.ban_expires, ownUser(s).banned],
    before: [undefined, undefined, undefined],
    after: [true, at(90), undefined],
  },
  "user.unbanned": {
    says: "of the own user everywhere: the own flag, and rights that were asked for meanwhile",
    held: { ...channel(), channel: { ...channel().channel, own_capabilities: ["read-events"] } },
    first: event("user.banned", 4, { ...all, user: user("ada"), shadow: false }),
    told: { ...all, user: user("ada"), shadow: false },
    see: (s) => [ownUser(s).banned, s.machine.takeRefetches()],
    before: [true, []],
    after: [false, [{ kind: "capabilities", cid: CID }]],
  },
  "user.messages.deleted": {
    says: "every message of the user is deleted; hard also empties it",
    held: channel([msg(1), msg(2, { user: user("eve") })]),
    told: { ...all, user: user("bob"), hard_delete: true },
    see: (s) => [s.held("m1")!.type, s.held("m1")!.text, s.held("m2")!.type],
    before: ["regular", "text 1", "regular"],
    after: ["deleted", "", "regular"],
  },
  "notification.mutes_updated": {
    says: "own mutes as told",
    told: { ...all, me: { mutes: [{ user: user("ada"), target: user("bob") }] } },
    see: (s) => ownUser(s).mutes.map((mute) => mute.target.id),
    before: [],
    after: ["bob"],
  },

  "poll.updated": {
    says: "the poll is replaced",
    held: withPoll(),
    told: { poll: poll({ name: "Coffee?" }), message_id: "m1" },
    see: (s) => s.held("m1")!.poll!.name,
    before: "Tea?",
    after: "Coffee?",
  },
  "poll.closed": {
    says: "no more voting",
    held: withPoll(),
    told: { poll: poll({ is_closed: true }), message_id: "m1" },
    see: (s) => s.held("m1")!.poll!.is_closed,
    after: true,
  },
  "poll.deleted": {
    says: "removed from the message, which keeps its id (V-10)",
    held: withPoll(),
    told: { poll: poll(), message_id: "m1" },
    see: (s) => [s.held("m1")!.poll?.id, s.held("m1")!.poll_id],
    before: ["p", "p"],
    after: [undefined, "p"],
  },
  "poll.vote_casted": {
    says: "counts as told, my vote is mine",
    held: withPoll(),
    told: { poll: poll({ vote_count: 1 }), poll_vote: vote, message_id: "m1" },
    see: (s) => [s.held("m1")!.poll!.vote_count, s.held("m1")!.poll!.own_votes.map(({ id }) => id)],
    before: [0, []],
    after: [1, ["v"]],
  },
  "poll.vote_changed": {
    says: "my other vote is replaced",
    held: channel([msg(1, { poll_id: "p", poll: poll({ own_votes: [{ ...vote, id: "old" }] }) as never })]),
    told: { poll: poll({ vote_count: 1 }), poll_vote: vote, message_id: "m1" },
    see: (s) => s.held("m1")!.poll!.own_votes.map(({ id }) => id),
    before: ["old"],
    after: ["v"],
  },
  "poll.vote_removed": {
    says: "my vote is gone",
    held: channel([msg(1, { poll_id: "p", poll: poll({ own_votes: [vote] }) as never })]),
    told: { poll: poll(), poll_vote: vote, message_id: "m1" },
    see: (s) => s.held("m1")!.poll!.own_votes.map(({ id }) => id),
    before: ["v"],
    after: [],
  },

  "draft.updated": {
    says: "of a thread: on the message it hangs from (DR-5)",
    held: channel([msg(1)]),
    told: { draft: draft("half a", { parent_id: "m1" }), parent_id: "m1" },
    see: (s) => [s.held("m1")!.draft?.message.text, s.entry().draft],
    before: [undefined, undefined],
    after: ["half a", undefined],
  },
  "draft.deleted": {
    says: "of the channel: gone",
    held: channel([], { draft: draft("half a") as never }),
    told: { draft: draft("half a") },
    see: (s) => s.entry().draft?.message.text,
    before: "half a",
    after: undefined,
  },
  "reminder.created": {
    says: "on its message (RE-8)",
    held: channel([msg(1)]),
    told: { reminder: reminder(at(90)), message_id: "m1", user_id: "ada" },
    see: (s) => s.held("m1")!.reminder?.remind_at,
    after: at(90),
  },
  "reminder.updated": {
    says: "a bookmark from now on",
    held: channel([msg(1, { reminder: reminder(at(90)) })]),
    told: { reminder: reminder(null), message_id: "m1", user_id: "ada" },
    see: (s) => s.held("m1")!.reminder?.remind_at,
    before: at(90),
    after: null,
  },
  "reminder.deleted": {
    says: "gone from its message",
    held: channel([msg(1, { reminder: reminder(null) })]),
    told: { reminder: reminder(null), message_id: "m1", user_id: "ada" },
    see: (s) => s.held("m1")!.reminder?.remind_at,
    before: null,
    after: undefined,
  },
  "notification.reminder_due": {
    says: "it stays, with the moment that has come (R-REM-2)",
    held: channel([msg(1)]),
    told: { reminder: reminder(at(5)), message_id: "m1", user_id: "ada" },
    see: (s) => s.held("m1")!.reminder,
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

const effects = Object.entries(ROWS).filter((row): row is [string, Effect] => "says" in row[1]);

test.each(effects.map(([type, row]) => [type, row.says, row] as const))("%s: %s", (type, _says, row) => {
  const s = subject(row.held ?? channel());
  if (row.first && "kind" in row.first) s.machine.apply(row.first as never);
  else if (row.first) s.machine.dispatch([row.first as never]);
  expect(row.see(s), "before").toEqual(row.before);
  s.machine.dispatch([event(type, 6, row.told)]);
  expect(row.see(s), "after").toEqual(row.after);
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
  const names = [...Object.entries(ROWS).flatMap(([type, row]) => ("says" in row ? [] : [type])), "wave"];
  s.machine.dispatch(names.map((type) => event(type, 6, { thread: {}, channel: channel().channel })));
  expect(types).toEqual(names);
  expect(s.machine.state()).toBe(before);
});

test("any event of an unloaded channel changes nothing and throws nothing", () => {
  const s = subject(null);
  const { channels } = s.machine.state();
  for (const [type, row] of effects) s.machine.dispatch([event(type, 6, row.told)]);
  expect(s.machine.state().channels).toBe(channels);
  s.machine.dispatch([isNew(msg(7))]);
  expect(s.machine.state().channels).toBe(channels);
});
