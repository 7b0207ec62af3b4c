/** Personal data that public events must not overwrite: bans, blocks, votes, reminders, locations. */
import { describe, expect, test } from "vitest";
import { withVotes } from "../../../src/core/features/polls.ts";
import { listedChannels } from "../../../src/model/channels.ts";
import { postingBlock, isPending, isRejected } from "../../../src/model/membership.ts";
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
import type { Message } from "../../../src/wire/entities/message.ts";

const all = { cid: undefined };

describe("what prevents posting", () => {
  const now = Date.parse(at(50));
  const blockOf = (s: Subject, moment = now) => {
    const { channel: locationsOf, membership, unavailable } = s.entry();
    return postingBlock({ channel: locationsOf, membership, unavailable, me: s.machine.state().me }, moment);
  };
  const ownChannel = () => subject(channel([], { members: [member("ada")], membership: member("ada") }));
  const ban = (seconds: number, more: object = {}) =>
    event("user.banned", seconds, { user: user("ada"), shadow: false, ...more });

  test("a ban applies at once and until it ends, whichever of its two events arrives first", () => {
    const s = ownChannel();
    expect(blockOf(s)).toBeUndefined();
    s.machine.dispatch([ban(10, { expiration: at(90) })]);
    expect(blockOf(s)).toEqual({ kind: "banned", until: Date.parse(at(90)) });
    expect(blockOf(s, Date.parse(at(90)))).toBeUndefined();
    // A late repetition of the ban does not undo the unban.
    s.machine.dispatch([event("user.unbanned", 20, { user: user("ada"), shadow: false }), ban(10)]);
    expect(blockOf(s)).toBeUndefined();
    const other = ownChannel();
    other.machine.dispatch([
      event("member.updated", 10, {
        member: member("ada", { banned: true, ban_expires: at(90) }),
        user: user("ada"),
      }),
    ]);
    expect(blockOf(other)).toEqual({ kind: "banned", until: Date.parse(at(90)) });
  });
  test("a ban applies to the own membership when the member list does not include it", () => {
    const s = subject(channel([], { members: [member("bob")], membership: member("ada") }));
    s.machine.dispatch([ban(10)]);
    expect(blockOf(s)).toEqual({ kind: "banned" });
    expect(s.machine.takeRefetches()).toEqual([{ kind: "capabilities", cid: CID }]);
  });
  test("an app-wide ban applies to every channel; a shadow ban and a ban of another user do not", () => {
    const s = ownChannel();
    s.machine.dispatch([
      event("user.banned", 10, { user: user("bob"), shadow: false }),
      event("user.banned", 11, { user: user("ada"), shadow: true }),
    ]);
    expect(blockOf(s)).toBeUndefined();
    s.machine.dispatch([ban(12, { ...all, expiration: at(80) })]);
    expect(blockOf(s)).toEqual({ kind: "bannedEverywhere", until: Date.parse(at(80)) });
    s.machine.dispatch([event("user.unbanned", 13, { ...all, user: user("ada"), shadow: false })]);
    expect(blockOf(s)).toBeUndefined();
    expect(s.machine.state().me).not.toHaveProperty("ban_expires");
  });
  test("a frozen channel refuses users without the capability, a disabled or deleted one everybody", () => {
    const s = ownChannel();
    s.machine.dispatch([event("channel.frozen", 10)]);
    expect(blockOf(s)).toEqual({ kind: "frozen" });
    const locationsOf = channel().channel;
    const allowed = { ...locationsOf, frozen: true, own_capabilities: ["send-message"] };
    s.machine.apply({
      kind: "channels",
      states: [{ ...channel(), channel: allowed }],
      messageLimit: 25,
      watched: true,
    });
    expect(blockOf(s)).toBeUndefined();
    s.machine.dispatch([
      event("channel.updated", 20, { channel: { ...locationsOf, disabled: true, updated_at: at(20) } }),
    ]);
    expect(blockOf(s)).toEqual({ kind: "disabled" });
    s.machine.dispatch([event("channel.deleted", 30, { channel: locationsOf })]);
    expect(blockOf(s)).toEqual({ kind: "gone" });
  });
  test("an invite is pending until it is answered", () => {
    expect(isPending(undefined)).toBe(false);
    expect(isPending(member("ada"))).toBe(false);
    expect(isPending(member("ada", { invited: true }))).toBe(true);
    expect(isPending(member("ada", { invited: true, status: "pending" }))).toBe(true);
    expect(isPending(member("ada", { invited: true, invite_accepted_at: at(5) }))).toBe(false);
    const rejected = member("ada", { invited: true, invite_rejected_at: at(5) });
    expect([isPending(rejected), isRejected(rejected)]).toEqual([false, true]);
    expect(isRejected(member("ada", { invited: true, status: "accepted" }))).toBe(false);
    expect(isRejected(undefined)).toBe(false);
  });
});

describe("blocked users", () => {
  const listedIds = (s: Subject): string[] => listedChannels(s.machine.state()).map(({ cid }) => cid);
  const direct = () =>
    channel([msg(1)], {
      cid: "messaging:direct",
      members: [member("ada"), member("bob")],
      channel: { ...channel([], { cid: "messaging:direct" }).channel, member_count: 2 },
    });
  const blocks = (seconds: number, ids: string[]) =>
    event("user.updated", seconds, { ...all, user: { ...user("ada"), blocked_user_ids: ids } });

  test("R-CHAN-1: a direct channel with a blocked user is hidden at once, and a message does not restore it", () => {
    const s = subject(channel([msg(1)], { members: [member("ada"), member("bob"), member("eve")] }));
    s.machine.apply({ kind: "channels", states: [direct()], messageLimit: 25, watched: true });
    s.machine.dispatch([blocks(5, ["bob"])]);
    expect(listedIds(s)).toEqual([CID]);
    s.machine.dispatch([isNew(msg(9, { cid: "messaging:direct" }))]);
    expect(listedIds(s)).toEqual([CID]);
    expect(s.entry("messaging:direct").unread).toBe(0);
    s.machine.takeRefetches();
    s.machine.dispatch([blocks(20, [])]);
    expect(listedIds(s)).toContain("messaging:direct");
    // Messages sent during the block are fetched (BL-6).
    expect(s.machine.takeRefetches()).toEqual([{ kind: "channel", cid: "messaging:direct" }]);
  });
  test("a block made on another device is known with the next first frame", () => {
    const s = subject(direct());
    s.machine.dispatch([event("health.check", 5, { ...all, me: me({ blocked_user_ids: ["bob"] }) })]);
    expect(listedIds(s)).toEqual([]);
  });
});

describe("polls", () => {
  const poll = (more: object = {}) => ({
    id: "p",
    name: "Tea?",
    options: [
      { id: "a", text: "Tea" },
      { id: "b", text: "Coffee" },
    ],
    vote_count: 0,
    own_votes: [],
    ...more,
  });
  const pollMessage = (seconds: number, more: object = {}) =>
    msg(seconds, { poll_id: "p", poll: poll() as never, ...more });
  const ownChannel = { id: "v", poll_id: "p", option_id: "a" };

  test("a poll shown under several messages is updated in all of them (V-11)", () => {
    const s = subject(
      channel([
        pollMessage(1),
        pollMessage(2),
        msg(3, { quoted_message_id: "m1", quoted_message: pollMessage(1) }),
      ]),
    );
    s.machine.dispatch([
      event("poll.updated", 5, { poll: poll({ name: "Cake?" }), message: pollMessage(2), message_id: "m2" }),
    ]);
    expect([s.loaded("m1")!.poll!.name, s.loaded("m2")!.poll!.name]).toEqual(["Cake?", "Cake?"]);
    expect(s.loaded("m3")!.quoted_message!.poll!.name).toBe("Cake?");
  });
  test("R-MSG-3: own votes in an anonymous poll come from the answer only, and events do not remove them", async () => {
    const s = subject(channel([pollMessage(1)]));
    let meanwhile = (): void => {};
    const call = withVotes(
      (async () => {
        meanwhile();
        return { poll: poll({ vote_count: 1, own_votes: [ownChannel] }), vote: ownChannel };
      }) as never,
      s.machine,
    );
    const path = { message_id: "m1", poll_id: "p" };
    const told = (seconds: number, votes: number) =>
      event("poll.vote_casted", seconds, {
        poll: poll({ vote_count: votes }),
        poll_vote: { id: "v", poll_id: "p", option_id: "a" },
        message_id: "m1",
      });
    await call("castPollVote", { path, body: { vote: { option_id: "a" } } });
    s.machine.dispatch([
      told(6, 1),
      event("message.updated", 7, {
        message: pollMessage(1, { updated_at: at(7), poll: poll({ vote_count: 1 }) }),
      }),
      // A late event: the vote above is newer.
      event("message.updated", 5, { message: pollMessage(1, { updated_at: at(7) }) }),
    ]);
    expect(s.loaded("m1")!.poll).toMatchObject({ vote_count: 1, own_votes: [{ id: "v" }] });
    // Others voted during the request: the answer's counts are old, its own votes are not (specification/state.md §2).
    meanwhile = () => s.machine.dispatch([told(9, 5)]);
    await call("castPollVote", { path, body: { vote: { option_id: "a" } } });
    expect(s.loaded("m1")!.poll).toMatchObject({ vote_count: 5, own_votes: [{ id: "v" }] });
  });
  test("removing an option removes its votes; a deleted poll is not restored (V-10)", () => {
    const s = subject(channel([pollMessage(1, { poll: poll({ own_votes: [ownChannel] }) })]));
    s.machine.dispatch([
      event("poll.updated", 5, { poll: poll({ options: [{ id: "b", text: "Coffee" }] }), message_id: "m1" }),
    ]);
    expect(s.loaded("m1")!.poll!.own_votes).toEqual([]);
    s.machine.dispatch([
      event("poll.deleted", 6, { poll: poll(), message_id: "m1" }),
      event("poll.updated", 5, { poll: poll(), message_id: "m1" }),
    ]);
    expect(s.loaded("m1")).toMatchObject({ poll: null, poll_id: "p" });
  });
});

describe("reminders and drafts", () => {
  const reminder = (seconds: number, remindAt: string | null) => ({
    channel_cid: CID,
    message_id: "m1",
    user_id: "ada",
    remind_at: remindAt,
    created_at: at(5),
    updated_at: at(seconds),
  });
  const reminderEvent = (type: string, seconds: number, remindAt: string | null) =>
    event(type, seconds, { reminder: reminder(seconds, remindAt), message_id: "m1", user_id: "ada" });

  test("R-REM-2: an edit received by everybody leaves the own reminder and draft", () => {
    const s = subject(channel([msg(1)]));
    s.machine.dispatch([
      reminderEvent("reminder.created", 5, at(90)),
      event("draft.updated", 6, {
        draft: { channel_cid: CID, parent_id: "m1", message: { id: "d", text: "but" }, created_at: at(6) },
        parent_id: "m1",
      }),
      event("message.updated", 9, { message: msg(1, { text: "new", updated_at: at(9) }) }),
    ]);
    expect(s.loaded("m1")).toMatchObject({
      text: "new",
      reminder: { remind_at: at(90) },
      draft: { message: { text: "but" } },
    });
  });
  test("in any order, and repeated, the newest event of a reminder wins", () => {
    const s = subject(channel([msg(1)]));
    const deleted = reminderEvent("reminder.deleted", 20, null);
    s.machine.dispatch([
      reminderEvent("reminder.updated", 10, null),
      reminderEvent("reminder.created", 5, at(90)),
    ]);
    expect(s.loaded("m1")!.reminder!.remind_at).toBeNull();
    s.machine.dispatch([reminderEvent("notification.reminder_due", 12, at(12))]);
    s.machine.dispatch([event("message.updated", 13, { message: msg(1, { updated_at: at(13) }) })]);
    expect(s.loaded("m1")).toMatchObject({ reminderDue: true, reminder: { remind_at: at(12) } });
    s.machine.dispatch([reminderEvent("reminder.updated", 14, at(99))]);
    expect(s.loaded("m1")).not.toHaveProperty("reminderDue");
    s.machine.dispatch([deleted, reminderEvent("reminder.updated", 10, null)]);
    expect(s.loaded("m1")).not.toHaveProperty("reminder");
  });
  test("a late draft.updated does not restore a deleted draft", () => {
    const s = subject();
    const draft = { channel_cid: CID, message: { id: "d", text: "half" }, created_at: at(5) };
    s.machine.dispatch([event("draft.deleted", 9, { draft }), event("draft.updated", 5, { draft })]);
    expect(s.entry()).not.toHaveProperty("draft");
  });
  test("a pending edit stays over a new reminder (R-SEND-14)", () => {
    const s = subject(channel([msg(1)]));
    const row = {
      seq: 1,
      messageId: "m1",
      cid: CID,
      action: { kind: "edit", set: { text: "mine" }, unset: [] },
      state: "queued",
      tries: 0,
      owner: "1:1",
      createdAt: Date.parse(at(9)),
    } as never;
    s.machine.apply({ kind: "queued", row, user: user("ada"), fresh: true });
    s.machine.dispatch([reminderEvent("reminder.created", 10, at(90))]);
    expect(s.loaded("m1")).toMatchObject({ text: "mine", reminder: { remind_at: at(90) } });
    s.machine.apply({ kind: "dropped", row });
    expect(s.loaded("m1")).toMatchObject({ text: "text 1", reminder: { remind_at: at(90) } });
  });
});

describe("threads", () => {
  test("R-THREAD-3, R-READ-4: reading a thread leaves the channel unread", () => {
    const s = subject(
      channel(msgs(1, 3), { read: [{ user: user("ada"), last_read: at(0), unread_messages: 3 }] }),
    );
    s.machine.dispatch([
      event("message.read", 9, { user: user("ada"), thread: { parent_message_id: "m1" } }),
      event("notification.mark_read", 9, { thread_id: "m1", unread_threads: 2 }),
      event("notification.mark_unread", 10, { thread_id: "m1", unread_messages: 1, unread_threads: 3 }),
    ]);
    expect(s.entry()).toMatchObject({ unread: 3, keepsUnread: false });
    expect(s.machine.state().totals.threads).toBe(3);
  });
});

describe("live locations", () => {
  const place = (seconds: number, end: number, latitude = 1) => ({
    latitude,
    longitude: 2,
    end_at: new Date(Date.UTC(2026, 0, 2) + end * 1000).toISOString(),
    user_id: "bob",
    created_at: at(1),
    updated_at: at(seconds),
  });
  const locationMessage = (id: string, seconds: number, end: number, latitude?: number) =>
    msg(1, { id, updated_at: at(seconds), shared_location: place(seconds, end, latitude) });
  const locationsOf = (s: Subject) => s.entry().liveLocations.map((each) => [each.message_id, each.latitude]);

  test("R-LOC-3: a live location is removed at its end, without an event", async () => {
    const s = subject();
    s.machine.dispatch([isNew(locationMessage("l1", 1, 60)), isNew(locationMessage("l2", 1, 120))]);
    expect(locationsOf(s)).toHaveLength(2);
    await s.clock.advance(61_000);
    expect(locationsOf(s)).toEqual([["l2", 1]]);
    await s.clock.advance(60_000);
    expect(locationsOf(s)).toEqual([]);
    // The message stays, with its last position.
    expect(s.loaded("l1")!.shared_location!.latitude).toBe(1);
    expect(s.clock.timers).toEqual([]);
  });
  test("a live location whose message is not loaded moves and ends too", () => {
    const s = subject(
      channel(msgs(30, 60), {
        active_live_locations: [{ ...place(1, 60), message_id: "l1", channel_cid: CID }],
      }),
    );
    const updated = (seconds: number, end: number, latitude: number) =>
      event("message.updated", seconds, { message: locationMessage("l1", seconds, end, latitude) });
    s.machine.dispatch([updated(70, 60, 5), updated(65, 60, 4)]);
    expect(locationsOf(s)).toEqual([["l1", 5]]);
    s.machine.dispatch([updated(80, -1, 6)]);
    expect(locationsOf(s)).toEqual([]);
    s.machine.dispatch([updated(75, 60, 5)]);
    expect(locationsOf(s)).toEqual([]);
    expect(s.loaded("l1")).toBeUndefined();
  });
  test.each([
    [
      "deleted",
      event("message.deleted", 9, {
        message: { ...locationMessage("l1", 1, 60), shared_location: undefined },
      }),
    ],
    [
      "hard-deleted",
      event("message.deleted", 9, { message: locationMessage("l1", 1, 60), hard_delete: true }),
    ],
    ["deleted with the author's messages", event("user.messages.deleted", 9, { user: user("bob") })],
    ["removed from the channel", event("member.removed", 9, { member: member("bob"), user: user("bob") })],
    [
      "truncated away",
      event("channel.truncated", 9, {
        channel: { ...channel().channel, truncated_at: at(8), updated_at: at(9) },
      }),
    ],
  ])("LE-3: a live location ends when its message or author is %s", (_what, updated) => {
    const s = subject(channel([], { members: [member("ada"), member("bob")] }));
    s.machine.dispatch([isNew(locationMessage("l1", 1, 60))]);
    expect(locationsOf(s)).toHaveLength(1);
    s.machine.dispatch([updated]);
    expect(locationsOf(s)).toEqual([]);
    s.machine.close();
  });
});

describe("the own reminder and thread draft of a message", () => {
  const reminder = (seconds: number) => ({
    message_id: "m1",
    channel_cid: CID,
    user_id: "ada",
    remind_at: at(seconds),
    created_at: at(1),
    updated_at: at(1),
  });
  const reminderEvent = (
    type: "reminder.created" | "reminder.deleted" | "notification.reminder_due",
    when: number,
  ) => event(type, when, { message_id: "m1", user_id: "ada", reminder: reminder(5) });
  const answer = (s: Subject, message: Message, since?: number): void =>
    s.machine.apply({
      kind: "channels",
      states: [channel([message])],
      messageLimit: 25,
      watched: true,
      ...(since !== undefined && { since }),
    });

  test("a due reminder stays due after any answer until its time changes (RE-6)", () => {
    const s = subject(channel([msg(1, { reminder: reminder(5) })]));
    s.machine.dispatch([reminderEvent("notification.reminder_due", 6)]);
    answer(s, msg(1, { reminder: reminder(5) }));
    answer(s, msg(1, { reminder: reminder(5), updated_at: at(7) }), s.machine.revision());
    expect(s.loaded("m1")).toMatchObject({ reminder: reminder(5), reminderDue: true });
    answer(s, msg(1, { reminder: reminder(90) }));
    expect(s.loaded("m1")).toMatchObject({ reminder: reminder(90) });
    expect(s.loaded("m1")).not.toHaveProperty("reminderDue");
  });

  test("an answer requested before a reminder was created or deleted does not undo it", () => {
    const s = subject(channel([msg(1)]));
    const before = s.machine.revision();
    s.machine.dispatch([reminderEvent("reminder.created", 6)]);
    answer(s, msg(1), before);
    expect(s.loaded("m1")!.reminder).toMatchObject({ remind_at: at(5) });
    const between = s.machine.revision();
    s.machine.dispatch([reminderEvent("reminder.deleted", 8)]);
    answer(s, msg(1, { reminder: reminder(5) }), between);
    expect(s.loaded("m1")).not.toHaveProperty("reminder");
    answer(s, msg(1, { reminder: reminder(5) }), s.machine.revision());
    expect(s.loaded("m1")!.reminder).toMatchObject({ remind_at: at(5) });
  });

  test("such an answer still updates everything else of the message", () => {
    const s = subject(channel([msg(1)]));
    const before = s.machine.revision();
    s.machine.dispatch([reminderEvent("reminder.created", 6)]);
    const groups = { wow: { count: 2, sum_scores: 2, first_reaction_at: at(2), last_reaction_at: at(2) } };
    answer(s, msg(1, { reaction_groups: groups }), before);
    expect(s.loaded("m1")!.reaction_groups).toMatchObject(groups);
  });
});
