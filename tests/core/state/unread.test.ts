/** Unread, mentions and read cursors: the provider's number, later ids, deleted ones (R-READ, specification/reading.md §1, D8, D9). */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChannelState, Read } from "../../../src/wire/entities/channel.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import { at, channel, CID, event, isNew, me, msg, msgs, subject, user, type Subject } from "./world.ts";

const ownRead = (seconds: number, unread: number): Read => ({
  user: user("ada"),
  last_read: at(seconds),
  unread_messages: unread,
});
const state = (messages: Message[], read: Read[], more: Partial<ChannelState> = {}): ChannelState =>
  channel(messages, { read, ...more });

describe("counting", () => {
  test("R-READ-1: the unread count starts with the own read entry's number, or 0 without an entry", () => {
    expect(subject(state(msgs(1, 9), [ownRead(2, 7)])).entry().unread).toBe(7);
    expect(subject(state(msgs(1, 9), [])).entry().unread).toBe(0);
  });
  test("R-READ-2: a message of another user adds 1 once, however often it arrives", () => {
    const s = subject(state(msgs(1, 2), [ownRead(2, 0)]));
    s.machine.dispatch([
      isNew(msg(3)),
      isNew(msg(3)),
      { ...isNew(msg(3)), type: "notification.message_new" },
    ]);
    expect(s.entry().unread).toBe(1);
    expect(s.entry().read.get("ada")!.unread_messages).toBe(1);
    s.machine.dispatch([isNew(msg(1))]);
    expect(s.entry().unread).toBe(1);
  });
  test.each<[string, Partial<Message>]>([
    ["own author", { user: user("ada") }],
    ["silent", { silent: true }],
    ["thread-only reply", { parent_id: "m1" }],
    ["muted author", { user: user("muted") }],
    ["shadowed", { shadowed: true }],
    ["other type", { type: "ephemeral" }],
    ["deleted type", { type: "deleted" }],
    ["restricted to others", { restricted_visibility: ["bob"] }],
  ])("R-READ-2: a message is not counted: %s", (_, more) => {
    const s = subject(state(msgs(1, 2), [ownRead(2, 0)]));
    s.machine.apply({
      kind: "me",
      me: me({
        mutes: [{ user: user("ada"), target: user("muted"), created_at: at(0), updated_at: at(0) }],
      }),
    });
    s.machine.dispatch([isNew(msg(3, more))]);
    expect(s.entry().unread).toBe(0);
    s.machine.dispatch([isNew(msg(4, { restricted_visibility: ["ada"], user: user("bob") }))]);
    expect(s.entry().unread).toBe(1);
  });
  test("R-READ-2: nothing is counted in a muted channel, without read_events, with a pending invite, or from a blocked user in a direct channel", () => {
    const mute = { user: user("ada"), channel: { cid: CID }, created_at: at(0), updated_at: at(0) };
    const cases: [ChannelState, Parameters<typeof me>[0]][] = [
      [state([], []), { channel_mutes: [mute] }],
      [{ ...state([], []), channel: { ...channel().channel, config: { read_events: false } as never } }, {}],
      [
        state([], [], {
          membership: {
            user_id: "ada",
            channel_role: "m",
            created_at: at(0),
            updated_at: at(0),
            invited: true,
            status: "pending",
          },
        }),
        {},
      ],
      [
        { ...state([], []), channel: { ...channel().channel, member_count: 2 } },
        { blocked_user_ids: ["bob"] },
      ],
    ];
    for (const [initial, own] of cases) {
      const s = subject(initial);
      s.machine.apply({ kind: "me", me: me(own) });
      s.machine.dispatch([isNew(msg(3))]);
      expect(s.entry().unread).toBe(0);
    }
  });
  test("R-READ-7: deleting an unread message subtracts 1 once, deleting a read one nothing", () => {
    const s = subject(state(msgs(1, 3), [ownRead(1, 2)]));
    s.machine.dispatch([isNew(msg(5))]);
    expect(s.entry().unread).toBe(3);
    const deleteEvent = (n: number, hard: boolean) =>
      event("message.deleted", 20, {
        message: msg(n, { type: "deleted", deleted_at: at(20), updated_at: at(20) }),
        hard_delete: hard,
      });
    s.machine.dispatch([deleteEvent(5, true), deleteEvent(5, true), isNew(msg(5))]);
    expect(s.entry().unread).toBe(2);
    s.machine.dispatch([deleteEvent(2, false), deleteEvent(2, false), deleteEvent(1, false)]);
    expect(s.entry().unread).toBe(1);
  });
  test("R-READ-8: totals are taken from events that carry them, the newest wins", () => {
    const s = subject(state([], []));
    s.machine.dispatch([{ ...isNew(msg(9)), total_unread_count: 12, unread_channels: 4 }]);
    s.machine.dispatch([{ ...isNew(msg(5)), total_unread_count: 3, unread_channels: 1 }]);
    expect(s.machine.state().totals).toEqual({ unread: 12, channels: 4, threads: 0 });
  });
  test("R-READ-8: the totals of a late event from before an answer are ignored", () => {
    const s = subject(state([], []));
    s.machine.dispatch([isNew(msg(5)), event("message.deleted", 9, { message: msg(5), hard_delete: true })]);
    s.machine.apply({ kind: "totals", unread: 3, channels: 1, threads: 0 });
    s.machine.dispatch([{ ...isNew(msg(8)), total_unread_count: 4 }]);
    expect(s.machine.state().totals.unread).toBe(3);
    s.machine.dispatch([{ ...isNew(msg(10)), total_unread_count: 5 }]);
    expect(s.machine.state().totals.unread).toBe(5);
  });
  test("R-READ-8: a first frame without a total leaves that total", () => {
    const s = subject(state([], []));
    s.machine.dispatch([{ ...isNew(msg(9)), total_unread_count: 12, unread_channels: 4, unread_threads: 2 }]);
    const { unread_channels: _channels, unread_threads: _threads, ...without } = me();
    s.machine.apply({ kind: "me", me: { ...without, total_unread_count: 13 } as never });
    expect(s.machine.state().totals).toEqual({ unread: 13, channels: 4, threads: 2 });
  });
  test("R-READ-10: mentions are counted among the unread messages and reset with them", () => {
    const s = subject(state(msgs(1, 2), [ownRead(2, 0)]));
    s.machine.dispatch([isNew(msg(3, { mentioned_users: [user("ada")] })), isNew(msg(4))]);
    expect(s.entry()).toMatchObject({ unread: 2, mentions: 1 });
    s.machine.dispatch([event("message.read", 6, { user: user("ada") })]);
    expect(s.entry()).toMatchObject({ unread: 0, mentions: 0 });
  });
  test("R-READ-10: mentions in an answer count only among its unread messages", () => {
    const mention = msg(3, { mentioned_users: [user("ada")] });
    expect(subject(state([msg(2), mention], [ownRead(2, 0)])).entry().mentions).toBe(0);
    const s = subject(state([msg(2), mention], [ownRead(2, 1)]));
    expect(s.entry()).toMatchObject({ unread: 1, mentions: 1 });
    s.machine.dispatch([isNew(msg(4))]);
    s.machine.apply({
      kind: "channels",
      states: [state([msg(2), mention], [ownRead(2, 1)])],
      messageLimit: 25,
      watched: true,
    });
    expect(s.entry()).toMatchObject({ unread: 2, mentions: 1 });
  });
  test("R-READ-10: a mention that an answer no longer contains, such as one deleted while offline, stops counting", () => {
    const mentions = (n: number): Message => msg(n, { mentioned_users: [user("ada")] });
    const s = subject(state([msg(2), mentions(3), msg(4)], [ownRead(2, 2)]));
    s.machine.dispatch([isNew(mentions(9))]);
    expect(s.entry()).toMatchObject({ unread: 3, mentions: 2 });
    const answer = state([msg(2), msg(4), mentions(5)], [ownRead(2, 2)]);
    s.machine.apply({ kind: "channels", states: [answer], messageLimit: 25, watched: true });
    // Only the later one, which the answer does not reach, is kept.
    expect(s.entry()).toMatchObject({ unread: 3, mentions: 2 });
  });
  test("specification/reading.md §1: mentions found by a search after the start count once", () => {
    const s = subject(state(msgs(80, 90), [ownRead(10, 60)]));
    const mention = msg(20, { mentioned_users: [user("ada")] });
    s.machine.apply({ kind: "mentions", cid: CID, messages: [mention] });
    s.machine.apply({
      kind: "mentions",
      cid: CID,
      messages: [mention, msg(5, { mentioned_users: [user("ada")] })],
    });
    expect(s.entry()).toMatchObject({ unread: 60, mentions: 1 });
  });
});

describe("reading", () => {
  test("R-READ-4: own reads and mark_read, of one channel or all, clear messages up to their time only", () => {
    for (const type of ["message.read", "notification.mark_read"]) {
      const s = subject(state(msgs(1, 3), [ownRead(0, 3)]));
      s.machine.dispatch([isNew(msg(9)), event(type, 5, { user: user("ada"), last_read_message_id: "m3" })]);
      expect(s.entry().unread).toBe(1);
      expect(s.entry().read.get("ada")).toMatchObject({ last_read: at(5), last_read_message_id: "m3" });
    }
    const s = subject(state(msgs(1, 3), [ownRead(0, 3)]));
    s.machine.dispatch([{ type: "notification.mark_read", created_at: at(9) } as never]);
    expect(s.entry().unread).toBe(0);
  });
  test("R-READ-4: the line of new messages moves with a mark by another device, and goes when that has read all", () => {
    for (const type of ["message.read", "notification.mark_read"]) {
      const s = subject(state(msgs(1, 8), [ownRead(2, 6)]));
      expect(s.entry()).toMatchObject({ unread: 6, firstUnreadId: "m3" });
      s.machine.dispatch([event(type, 6, { user: user("ada"), last_read_message_id: "m6" })]);
      expect(s.entry()).toMatchObject({ unread: 2, firstUnreadId: "m7" });
      s.machine.dispatch([event(type, 5, { user: user("ada"), last_read_message_id: "m5" })]);
      expect(s.entry()).toMatchObject({ unread: 2, firstUnreadId: "m7" });
      s.machine.dispatch([event(type, 8, { user: user("ada"), last_read_message_id: "m8" })]);
      expect(s.entry().unread).toBe(0);
      expect(s.entry().firstUnreadId).toBeUndefined();
    }
  });
  test("R-READ-4: the line of new messages moves with an answer that knows of a mark by another device", () => {
    const s = subject(state(msgs(1, 8), [ownRead(2, 6)]));
    s.machine.apply({ kind: "stale" });
    const states = [state(msgs(1, 8), [ownRead(6, 2)])];
    s.machine.apply({ kind: "channels", states, messageLimit: 25, watched: true });
    expect(s.entry()).toMatchObject({ unread: 2, firstUnreadId: "m7" });
  });
  test("R-READ-4: a mark of this client leaves the line of new messages where it is while the user reads", () => {
    const s = subject(state(msgs(1, 8), [ownRead(2, 6)]));
    s.machine.apply({ kind: "seen", cid: CID });
    s.machine.dispatch([event("message.read", 9, { user: user("ada"), last_read_message_id: "m8" })]);
    s.machine.apply({ kind: "readAccepted", cid: CID, at: at(9), messageId: "m8" });
    expect(s.entry()).toMatchObject({ unread: 0, firstUnreadId: "m3" });
  });
  test("R-READ-4: leaving the channel takes the line of new messages away once all are read, and not before", () => {
    const s = subject(state(msgs(1, 8), [ownRead(2, 6)]));
    s.machine.apply({ kind: "channelClosed", cid: CID });
    expect(s.entry()).toMatchObject({ unread: 6, firstUnreadId: "m3" });
    s.machine.apply({ kind: "seen", cid: CID });
    expect(s.entry()).toMatchObject({ unread: 0, firstUnreadId: "m3" });
    s.machine.apply({ kind: "channelClosed", cid: CID });
    expect(s.entry().firstUnreadId).toBeUndefined();
  });
  test("R-READ-5: another user's read position moves forward only", () => {
    const s = subject(state(msgs(1, 3), []));
    s.machine.dispatch([
      event("message.read", 8, { user: user("bob"), last_read_message_id: "m3" }),
      event("message.read", 4, { user: user("bob"), last_read_message_id: "m1" }),
    ]);
    expect(s.entry().read.get("bob")).toMatchObject({ last_read: at(8), last_read_message_id: "m3" });
  });
  test("R-READ-6, D8: marking unread holds until the user leaves, and an older read does not undo it", () => {
    const s = subject(state(msgs(1, 3), [ownRead(3, 0)]));
    const marked = event("notification.mark_unread", 20, {
      user: user("ada"),
      last_read_at: at(1),
      last_read_message_id: "m1",
      unread_messages: 2,
      first_unread_message_id: "m2",
    });
    s.machine.dispatch([marked, event("message.read", 10, { user: user("ada") })]);
    expect(s.entry()).toMatchObject({ unread: 2, firstUnreadId: "m2", keepsUnread: true });
    expect(s.entry().read.get("ada")).toMatchObject({ last_read: at(1), last_read_message_id: "m1" });
    s.machine.apply({ kind: "channelClosed", cid: CID });
    expect(s.entry().keepsUnread).toBe(false);
    s.machine.dispatch([event("message.read", 30, { user: user("ada") })]);
    expect(s.entry().unread).toBe(0);
  });
  test("R-READ-3: seeing the newest message reads the loaded messages, not later ones", () => {
    const s = subject(state(msgs(1, 3), [ownRead(0, 3)]));
    s.machine.apply({ kind: "seen", cid: CID });
    expect(s.entry().unread).toBe(0);
    s.machine.dispatch([isNew(msg(9))]);
    expect(s.entry().unread).toBe(1);
  });
  test("D8: an answer from before an own read does not undo it; after a reconnect the provider's state counts", () => {
    const s = subject(state(msgs(1, 3), [ownRead(0, 3)]));
    s.machine.dispatch([event("message.read", 9, { user: user("ada") })]);
    const old = state(msgs(1, 3), [ownRead(0, 3)]);
    s.machine.apply({ kind: "channels", states: [old], messageLimit: 25, watched: true });
    expect(s.entry().unread).toBe(0);
    s.machine.apply({ kind: "stale" });
    s.machine.apply({
      kind: "channels",
      states: [state(msgs(1, 3), [ownRead(1, 2)])],
      messageLimit: 25,
      watched: true,
    });
    expect(s.entry().unread).toBe(2);
  });
  test("D9: messages included in a snapshot are not counted twice", () => {
    const s = subject(state(msgs(1, 2), [ownRead(2, 0)]));
    s.machine.dispatch([isNew(msg(3)), isNew(msg(4))]);
    s.machine.apply({
      kind: "channels",
      states: [state(msgs(1, 3), [ownRead(2, 1)])],
      messageLimit: 25,
      watched: true,
    });
    expect(s.entry().unread).toBe(2);
  });
  test("D9: nor if the channel's last_message_at is older than its messages", () => {
    const s = subject(state(msgs(1, 2), [ownRead(2, 0)]));
    s.machine.dispatch([isNew(msg(3))]);
    const answer = state(msgs(1, 3), [ownRead(2, 1)]);
    answer.channel.last_message_at = at(1);
    s.machine.apply({ kind: "channels", states: [answer], messageLimit: 25, watched: true });
    expect(s.entry().unread).toBe(1);
  });
  test("R-READ-9: a truncation and a removal from the channel clear the count", () => {
    const s = subject(state(msgs(1, 3), [ownRead(0, 3)]));
    s.machine.dispatch([
      event("channel.truncated", 9, { channel: { ...channel().channel, truncated_at: at(9) } }),
    ]);
    expect(s.entry().unread).toBe(0);
    const t = subject(state(msgs(1, 3), [ownRead(0, 3)]));
    t.machine.dispatch([event("notification.removed_from_channel", 9, { user: user("ada") })]);
    expect(t.entry()).toMatchObject({ unread: 0, unavailable: true });
  });
  test("the new-messages line is above the first unread message", () => {
    expect(subject(state(msgs(1, 9), [ownRead(4, 5)])).entry().firstUnreadId).toBe("m5");
    const s = subject(state(msgs(1, 2), [ownRead(2, 0)]));
    s.machine.dispatch([isNew(msg(3)), isNew(msg(4))]);
    expect(s.entry().firstUnreadId).toBe("m3");
  });
  test("the new-messages line goes up with each older page that has unread messages, and stays at the first one", () => {
    const s = subject(state(msgs(16, 20), [ownRead(7, 13)]), 5);
    const older = (from: number, to: number): string | undefined => {
      const pagination = { id_lt: `m${to + 1}`, limit: to - from + 1 };
      s.machine.apply({ kind: "page", cid: CID, messages: msgs(from, to), pagination });
      return s.entry().firstUnreadId;
    };
    expect(s.entry().firstUnreadId).toBe("m16");
    expect([older(11, 15), older(6, 10), older(1, 5)]).toEqual(["m11", "m8", "m8"]);
  });
});

describe("reads and marks on several devices", () => {
  const unread = (count: number, lastRead = 0) => ({
    read: [{ user: user("ada"), last_read: at(lastRead), unread_messages: count }],
  });
  const answer = (s: Subject, from: number, to: number, more: ReturnType<typeof unread>, since?: number) =>
    s.machine.apply({
      kind: "channels",
      states: [channel(msgs(from, to), more)],
      messageLimit: 25,
      watched: true,
      ...(since !== undefined && { since }),
    });
  const markedUnread = (seconds: number, lastRead: number, count: number) =>
    event("notification.mark_unread", seconds, {
      user: user("ada"),
      last_read_at: at(lastRead),
      unread_messages: count,
      first_unread_message_id: `m${lastRead + 1}`,
    });
  const markedRead = (seconds: number, lastRead: number) =>
    event("notification.mark_read", seconds, { user: user("ada"), last_read_at: at(lastRead) });

  test("D9: a mark repeated by sync does not change the count of the snapshot that includes it", () => {
    const s = subject(channel(msgs(1, 3), unread(3)));
    s.machine.apply({ kind: "stale" });
    // Marked unread from m5 on, which was deleted since: the provider counts nothing.
    answer(s, 1, 4, unread(0, 4));
    s.machine.dispatch(
      [
        event("message.read", 6, { user: user("ada") }),
        markedUnread(7, 4, 1),
        event("message.deleted", 9, { message: msg(5, { type: "deleted", deleted_at: at(9) }) }),
      ],
      true,
    );
    expect(s.entry().unread).toBe(0);
    // The hold it means is not in the snapshot (R-READ-6).
    expect(s.entry()).toMatchObject({ keepsUnread: true, firstUnreadId: "m5" });
  });
  test("D9: a read repeated by sync does not clear a later mark as unread", () => {
    const s = subject(channel(msgs(1, 3), unread(0, 3)));
    s.machine.apply({ kind: "stale" });
    answer(s, 1, 4, unread(3, 1));
    s.machine.dispatch(
      [event("message.read", 6, { user: user("ada") }), markedRead(6, 6), markedUnread(7, 1, 3)],
      true,
    );
    expect(s.entry().unread).toBe(3);
    s.machine.dispatch([markedRead(8, 8)]);
    expect(s.entry()).toMatchObject({ unread: 0, keepsUnread: false });
  });
  test("D8, D9: a read repeated by sync that is newer than the snapshot is asked for again; one the snapshot contains is not", () => {
    for (const repeated of [event("message.read", 6, { user: user("ada") }), markedRead(6, 6)]) {
      const s = subject(channel(msgs(1, 3), unread(3)));
      s.machine.apply({ kind: "stale" });
      answer(s, 1, 4, unread(2, 2));
      s.machine.takeRefetches();
      s.machine.dispatch([repeated], true);
      expect(s.machine.takeRefetches()).toContainEqual({ kind: "unread", cid: CID });
      answer(s, 1, 4, unread(0, 6), s.machine.revision());
      expect(s.entry()).toMatchObject({ unread: 0 });
      expect(s.entry().read.get("ada")!.last_read).toBe(at(6));
      s.machine.dispatch([repeated], true);
      expect(s.machine.takeRefetches()).toEqual([]);
    }
  });
  test("D8, R-READ-6: a mark as unread repeated by sync counts when the snapshot is older, and not when the user has read on", () => {
    const s = subject(channel(msgs(1, 4), unread(0, 4)));
    s.machine.apply({ kind: "stale" });
    answer(s, 1, 4, unread(0, 4));
    s.machine.dispatch([markedUnread(7, 1, 3)], true);
    expect(s.entry()).toMatchObject({ unread: 3, keepsUnread: true, firstUnreadId: "m2" });
    s.machine.apply({ kind: "stale" });
    answer(s, 1, 4, unread(0, 9), s.machine.revision());
    s.machine.dispatch([markedUnread(8, 1, 3)], true);
    expect(s.entry()).toMatchObject({ unread: 0 });
    expect(s.entry().read.get("ada")!.last_read).toBe(at(9));
  });
  test("R-READ-4: an event of reading that is dated now counts up to the message it names, and the number is asked for again", () => {
    const partial = { user: user("ada"), last_read_message_id: "m2" };
    for (const type of ["message.read", "notification.mark_read"] as const) {
      const s = subject(channel(msgs(1, 4), unread(4, 0)));
      s.machine.takeRefetches();
      s.machine.dispatch([event(type, 20, partial)]);
      expect(s.entry()).toMatchObject({ unread: 2, firstUnreadId: "m3" });
      expect(s.entry().read.get("ada")!.last_read).toBe(at(2));
      expect(s.machine.takeRefetches()).toContainEqual({ kind: "unread", cid: CID });
      s.machine.dispatch([event(type, 21, { ...partial, last_read_message_id: "m4" })]);
      expect(s.entry()).toMatchObject({ unread: 0 });
      expect(s.entry().read.get("ada")!.last_read).toBe(at(21));
    }
  });
  test.each(["message.read", "notification.mark_read"] as const)(
    "R-READ-4: a %s that is dated later than its message leaves each loaded message after that one unread, however few",
    (type) => {
      for (const upTo of [1, 2, 3, 4]) {
        const s = subject(channel(msgs(1, 4), unread(4, 0)));
        s.machine.dispatch([event(type, 20, { user: user("ada"), last_read_message_id: `m${upTo}` })]);
        const isAll = upTo === 4;
        expect([upTo, s.entry().unread, s.entry().firstUnreadId]).toEqual([
          upTo,
          4 - upTo,
          isAll ? undefined : `m${upTo + 1}`,
        ]);
        expect(s.entry().read.get("ada")!.last_read).toBe(at(isAll ? 20 : upTo));
      }
    },
  );
  test.each<[string, Partial<Message>, number]>([
    ["another user", {}, 1],
    ["the user", { user: user("ada") }, 0],
    ["a thread", { parent_id: "m1" }, 0],
    ["nobody's notice", { silent: true }, 0],
  ])("R-READ-4: after a mark dated later than its message one newer message of %s", (_, more, left) => {
    const s = subject(channel([...msgs(1, 2), msg(3, more)], unread(2 + left, 0)));
    s.machine.dispatch([event("message.read", 20, { user: user("ada"), last_read_message_id: "m2" })]);
    expect(s.entry().unread).toBe(left);
    expect(s.entry().read.get("ada")!.last_read).toBe(at(left === 0 ? 20 : 2));
  });
  test("D8: a late read on another device counts as newer than an earlier mark, though it reads less", () => {
    const s = subject(channel(msgs(1, 5), unread(0, 5)));
    s.machine.dispatch([markedUnread(10, 2, 3)]);
    expect(s.entry().unread).toBe(3);
    // Read up to m4, by an event at 20: the read state is that of m4.
    s.machine.dispatch([event("message.read", 4, { user: user("ada") }), markedRead(20, 4)]);
    expect(s.entry()).toMatchObject({ unread: 1, keepsUnread: false });
    expect(s.entry().read.get("ada")!.last_read).toBe(at(4));
    // Earlier events no longer change anything.
    s.machine.dispatch([markedUnread(15, 0, 5)]);
    expect(s.entry().unread).toBe(1);
  });
  test("D9: a mark as unread combined with a delete received earlier is requested again", () => {
    const s = subject(channel([], unread(0)));
    s.machine.apply({ kind: "stale" });
    const gone = msg(5, { type: "deleted", deleted_at: at(9), updated_at: at(9) });
    s.machine.apply({
      kind: "channels",
      states: [channel([msg(4, { user: user("ada") }), gone], unread(0, 4))],
      messageLimit: 25,
      watched: true,
    });
    const deleted = event("message.deleted", 9, { message: gone });
    s.machine.dispatch([deleted], true);
    // Buffered during a recovery: older than the answer, but not marked as a replay.
    s.machine.takeRefetches();
    s.machine.dispatch([markedUnread(7, 4, 1), deleted]);
    // Only the provider knows whether the mark includes the delete: it is fetched later.
    expect(s.machine.takeRefetches()).toContainEqual({ kind: "unread", cid: CID });
    answer(s, 1, 4, unread(0, 4));
    expect(s.entry().unread).toBe(0);
    // A message deleted before the mark is not subtracted again.
    s.machine.dispatch([markedUnread(20, 3, 2)]);
    expect(s.entry().unread).toBe(2);
  });
  test("D8: events from before the own read of an answer change nothing", () => {
    const s = subject(channel(msgs(1, 6), unread(2, 4)));
    s.machine.dispatch([markedUnread(3, 0, 6)]);
    expect(s.entry()).toMatchObject({ unread: 2, keepsUnread: false });
  });
  test("D8: after an answer repeats a late read, events from before that read change nothing", () => {
    const s = subject(channel(msgs(1, 5), unread(5, 0)));
    s.machine.dispatch([event("message.read", 4, { user: user("ada") }), markedRead(20, 4)]);
    answer(s, 1, 5, unread(1, 4), s.machine.revision());
    s.machine.dispatch([markedUnread(15, 0, 5)]);
    expect(s.entry().unread).toBe(1);
  });
  test("D8: after a reconnect a mark newer than the provider's read time counts", () => {
    const s = subject(channel(msgs(1, 6), unread(6, 0)));
    s.machine.dispatch([event("message.read", 10, { user: user("ada") })]);
    s.machine.apply({ kind: "stale" });
    answer(s, 1, 6, unread(2, 4));
    s.machine.dispatch([markedUnread(7, 2, 4)]);
    expect(s.entry().unread).toBe(4);
  });
  test("D8: the count after a read into the gap during a request is a guess, and is requested again", () => {
    const s = subject(channel(msgs(8, 10), unread(10, 0)), 3);
    s.machine.apply({ kind: "stale" });
    const since = s.machine.revision();
    s.machine.dispatch([event("message.read", 5, { user: user("ada") })]);
    s.machine.takeRefetches();
    s.machine.apply({
      kind: "channels",
      states: [channel(msgs(8, 10), unread(10, 0))],
      messageLimit: 3,
      watched: true,
      since,
    });
    expect(s.entry().unread).toBe(3);
    expect(s.machine.takeRefetches()).toContainEqual({ kind: "unread", cid: CID });
  });
  test("D8: a mark that an answer confirms without an event is no longer pending", () => {
    const s = subject(channel(msgs(1, 3), unread(3)));
    s.machine.apply({ kind: "seen", cid: CID });
    s.machine.apply({ kind: "stale" });
    answer(s, 1, 3, unread(0, 3));
    // Later another device marks unread while this one is away.
    s.machine.apply({ kind: "stale" });
    answer(s, 1, 3, unread(2, 1), s.machine.revision());
    expect(s.entry().unread).toBe(2);
  });
});

describe("for any order of arrival", () => {
  test("D9: the count equals a recount of messages after the last read and not deleted", () => {
    const step = fc.record({
      kind: fc.constantFrom("new", "hard", "soft", "read" as const),
      n: fc.integer({ min: 1, max: 40 }),
      own: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.array(fc.nat(), { maxLength: 90 }),
        (steps, order) => {
          const authors = new Map<number, boolean>();
          for (const each of steps) if (!authors.has(each.n)) authors.set(each.n, each.own);
          const message = (n: number): Message => msg(n, { user: user(authors.get(n) ? "ada" : "bob") });
          const eventOf = (each: (typeof steps)[number]) => {
            if (each.kind === "new") return isNew(message(each.n));
            if (each.kind === "read") return event("message.read", each.n + 0.5, { user: user("ada") });
            return event("message.deleted", 100, {
              hard_delete: each.kind === "hard",
              message: { ...message(each.n), type: "deleted", deleted_at: at(100), updated_at: at(100) },
            });
          };
          const events = steps.map(eventOf);
          // Duplicates and any order: every event at least once.
          const shuffled = [
            ...order.map((i) => events[i % Math.max(1, events.length)]!).filter(Boolean),
            ...events.toReversed(),
          ];
          const s = subject(state([], [ownRead(0, 0)]));
          s.machine.dispatch(shuffled);
          const lastRead = Math.max(0, ...steps.filter((e) => e.kind === "read").map((e) => e.n + 0.5));
          const gone = new Set(steps.filter((e) => e.kind === "hard" || e.kind === "soft").map((e) => e.n));
          const unread = new Set(
            steps
              .filter((e) => e.kind === "new" && e.n > lastRead && !authors.get(e.n) && !gone.has(e.n))
              .map((e) => e.n),
          );
          expect(s.entry().unread).toBe(unread.size);
        },
      ),
      { numRuns: 400 },
    );
  });
  test.each([
    [512, 255],
    [512, 256],
    [512, 257],
    [513, 255],
    [513, 256],
    [513, 257],
  ])("of %i unread messages %i are read elsewhere: exactly the later ones stay unread", (all, read) => {
    const s = subject(state([], [ownRead(0, 0)]));
    s.machine.dispatch(msgs(1, all).map(isNew));
    s.machine.takeRefetches();
    s.machine.dispatch([event("message.read", read, { user: user("ada") })]);
    // Up to the 512th every message is known by its key; of 513 the older half is a number only.
    const known = all === 512 || read >= 256;
    expect([s.machine.takeRefetches().length > 0, known && s.entry().unread]).toEqual([
      !known,
      known && all - read,
    ]);
  });
  test("thousands of unread messages are counted exactly", () => {
    const s = subject(state([], [ownRead(0, 0)]));
    for (let i = 0; i < 3000; i += 100) s.machine.dispatch(msgs(i + 1, i + 100).map(isNew));
    s.machine.dispatch(msgs(2990, 3000).map(isNew));
    expect(s.entry().unread).toBe(3000);
    s.machine.dispatch([event("message.read", 2995, { user: user("ada") })]);
    expect(s.entry().unread).toBe(5);
  });
});

describe("two answers", () => {
  const applyAnswer = (s: Subject, given: ChannelState, since: number): void =>
    s.machine.apply({ kind: "channels", states: [given], messageLimit: 25, watched: true, since });

  test("D9: an answer requested after another one is newer, even if its newest message is deleted", () => {
    const s = subject(state(msgs(1, 3), [ownRead(0, 3)]));
    applyAnswer(s, state(msgs(1, 2), [ownRead(0, 2)]), s.machine.revision());
    expect(s.entry().unread).toBe(2);
  });
  test("D9: an answer requested earlier that arrives last changes no count", () => {
    const s = subject(state(msgs(1, 3), [ownRead(0, 3)]));
    const since = s.machine.revision();
    applyAnswer(s, state(msgs(1, 4), [ownRead(0, 4)]), since);
    applyAnswer(s, state(msgs(1, 2), [ownRead(0, 2)]), since);
    expect(s.entry().unread).toBe(4);
  });
  test("D8: after a mark of unknown outcome the next requested answer counts, an earlier one does not", () => {
    const s = subject(state(msgs(1, 3), [ownRead(0, 3)]));
    s.machine.apply({ kind: "seen", cid: CID });
    const before = s.machine.revision();
    s.machine.apply({ kind: "readUnknown", cid: CID });
    applyAnswer(s, state(msgs(1, 3), [ownRead(1, 2)]), before);
    expect(s.entry().unread).toBe(0);
    applyAnswer(s, state(msgs(1, 3), [ownRead(1, 2)]), s.machine.revision());
    expect(s.entry()).toMatchObject({ unread: 2 });
    expect(s.entry().read.get("ada")!.last_read).toBe(at(1));
  });
  test("D9: a count guessed behind a gap, for a mark already accepted, is requested at once", () => {
    const s = subject(state(msgs(1, 3), [ownRead(0, 3)]));
    const since = s.machine.revision();
    s.machine.apply({ kind: "seen", cid: CID });
    s.machine.apply({ kind: "readAccepted", cid: CID, at: at(3) });
    s.machine.apply({ kind: "stale" });
    s.machine.takeRefetches();
    s.machine.apply({
      kind: "channels",
      states: [state(msgs(16, 20), [ownRead(0, 20)])],
      messageLimit: 5,
      watched: true,
      since,
    });
    expect(s.machine.takeRefetches()).toContainEqual({ kind: "unread", cid: CID });
  });
});
