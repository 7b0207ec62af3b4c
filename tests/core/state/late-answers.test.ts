/** Channels of an answer requested before an event: the event's changes stay, the rest is as answered (specification/state.md §2). */
import { expect, test } from "vitest";
import type { ChannelState } from "../../../src/wire/entities/channel.ts";
import { at, channel, CID, event, isNew, member, msg, msgs, subject, user, type Subject } from "./world.ts";

const people = ["ada", "bob", "cleo"].map((id) => member(id));
const before = (more: Partial<ChannelState> = {}): ChannelState =>
  channel(msgs(1, 3), { members: people, ...more });

/** Applies an answer requested before the events after them. */
function afterEvents(initial: ChannelState, events: ReturnType<typeof event>[], answer = initial): Subject {
  const s = subject(initial);
  const since = s.machine.revision();
  s.machine.dispatch(events);
  s.machine.apply({ kind: "channels", states: [answer], messageLimit: 25, watched: true, since });
  return s;
}

/** Applies an answer that is requested now. */
function applyAnswer(s: Subject, answer: ChannelState): void {
  const since = s.machine.revision();
  s.machine.apply({ kind: "channels", states: [answer], messageLimit: 25, watched: true, since });
}

const pin = (on: boolean) =>
  msg(2, { updated_at: at(20), pinned: on, pinned_at: on ? at(20) : null, text: "at twenty" });

test("a message pinned after the request stays pinned", () => {
  const s = afterEvents(before(), [event("message.updated", 20, { message: pin(true) })]);
  expect(s.entry().pinned.map(({ id }) => id)).toEqual(["m2"]);
  applyAnswer(s, before());
  expect(s.entry().pinned).toEqual([]);
});

test("a message unpinned after the request stays unpinned, whether its message is loaded or not", () => {
  const pinned = msg(2, { pinned: true, pinned_at: at(3) });
  for (const messages of [[msg(1), pinned, msg(3)], [msg(3)]]) {
    const initial = channel(messages, { pinned_messages: [pinned] });
    const s = afterEvents(initial, [event("message.updated", 20, { message: pin(false) })]);
    expect(s.entry().pinned).toEqual([]);
  }
});

test("a pinned message edited after the request is pinned with its new text", () => {
  const pinned = msg(2, { pinned: true, pinned_at: at(3) });
  const s = afterEvents(before({ pinned_messages: [pinned] }), [
    event("message.updated", 20, { message: pin(true) }),
  ]);
  expect(s.entry().pinned.map(({ text }) => text)).toEqual(["at twenty"]);
});

const draft = (seconds: number, text: string) => ({
  channel_cid: CID,
  created_at: at(seconds),
  message: { id: "d1", text },
});

test("a draft saved after the request stays, and a deleted one is not restored", () => {
  const saved = afterEvents(before(), [event("draft.updated", 20, { draft: draft(20, "new") })]);
  expect(saved.entry().draft?.message.text).toBe("new");
  applyAnswer(saved, before());
  expect(saved.entry().draft).toBeUndefined();
  const initial = before({ draft: draft(5, "old") } as never);
  const dropped = afterEvents(initial, [event("draft.deleted", 20, { draft: draft(5, "old") })]);
  expect(dropped.entry().draft).toBeUndefined();
  applyAnswer(dropped, initial);
  expect(dropped.entry().draft?.message.text).toBe("old");
});

test("a channel hidden or shown after the request stays so", () => {
  const hidden = afterEvents(before(), [event("channel.hidden", 20)]);
  expect(hidden.entry().hidden).toBe(true);
  applyAnswer(hidden, before());
  expect(hidden.entry().hidden).toBe(false);
  const asHidden = before({ hidden: true } as never);
  expect(afterEvents(asHidden, [event("channel.visible", 20)]).entry().hidden).toBe(false);
  expect(afterEvents(asHidden, [isNew(msg(20))]).entry().hidden).toBe(false);
});

test("a channel deleted or left after the request stays unavailable until the next answer", () => {
  const deleted = afterEvents(before(), [event("channel.deleted", 20)]);
  expect(deleted.entry()).toMatchObject({ unavailable: true, watched: false });
  expect(deleted.shown()).toEqual([]);
  const removed = afterEvents(before(), [
    event("notification.removed_from_channel", 20, { user: user("ada") }),
  ]);
  expect(removed.entry().unavailable).toBe(true);
  applyAnswer(removed, before());
  expect(removed.entry().unavailable).toBe(false);
  expect(removed.shown()).toEqual(["m1", "m2", "m3"]);
});

const membersOf = (s: Subject): string[] => [...s.entry().members.keys()].toSorted();

test("members who joined or left after the request, and their number, are those of the events", () => {
  const count = (n: number): object => ({ channel_member_count: n });
  const joined = afterEvents(before(), [event("member.added", 20, { member: member("dan"), ...count(4) })]);
  expect([membersOf(joined), joined.entry().memberCount]).toEqual([["ada", "bob", "cleo", "dan"], 4]);
  const left = afterEvents(before(), [event("member.removed", 20, { member: member("cleo"), ...count(2) })]);
  expect([membersOf(left), left.entry().memberCount]).toEqual([["ada", "bob"], 2]);
  applyAnswer(left, before());
  expect([membersOf(left), left.entry().memberCount]).toEqual([["ada", "bob", "cleo"], 3]);
});

test("a role given after the request stays, also in the own membership", () => {
  const moderator = (id: string) => member(id, { channel_role: "channel_moderator", updated_at: at(20) });
  const s = afterEvents(before({ membership: member("ada") }), [
    event("member.updated", 20, { member: moderator("bob") }),
    event("member.updated", 21, { member: moderator("ada") }),
  ]);
  expect(s.entry().members.get("bob")!.channel_role).toBe("channel_moderator");
  expect(s.entry().membership!.channel_role).toBe("channel_moderator");
});

test("a ban from after the request stays", () => {
  const s = afterEvents(before({ membership: member("ada") }), [
    event("user.banned", 20, { user: user("bob") }),
    event("user.banned", 21, { user: user("ada") }),
  ]);
  expect(s.entry().members.get("bob")!.banned).toBe(true);
  expect(s.entry().membership!.banned).toBe(true);
});

const location = (seconds: number, latitude: number, more: object = {}) => ({
  message_id: "m2",
  channel_cid: CID,
  user_id: "bob",
  latitude,
  longitude: 1,
  created_by_device_id: "d",
  end_at: new Date(Date.UTC(2026, 0, 3)).toISOString(),
  created_at: at(2),
  updated_at: at(seconds),
  ...more,
});
const shared = (seconds: number, latitude: number, more?: object) =>
  msg(2, { updated_at: at(seconds), shared_location: location(seconds, latitude, more) });

test("a live location started, moved or ended after the request is as its events say", () => {
  const live = before({ active_live_locations: [location(2, 1)] } as never);
  const places = (s: Subject): number[] => s.entry().liveLocations.map(({ latitude }) => latitude!);
  const withMessage = channel([msg(1), shared(2, 1), msg(3)], live);
  expect(places(subject(withMessage))).toEqual([1]);
  expect(
    places(afterEvents(withMessage, [event("message.updated", 20, { message: shared(20, 7) })])),
  ).toEqual([7]);
  const over = { end_at: at(19) };
  const ended = afterEvents(withMessage, [event("message.updated", 20, { message: shared(20, 1, over) })]);
  expect(places(ended)).toEqual([]);
  const deleted = afterEvents(withMessage, [event("message.deleted", 20, { message: shared(20, 1) })]);
  expect(places(deleted)).toEqual([]);
  const begun = { ...shared(20, 9), id: "m20", created_at: at(20) };
  const empty = before({ active_live_locations: [] } as never);
  expect(
    places(
      afterEvents(empty, [isNew({ ...begun, shared_location: location(20, 9, { message_id: "m20" }) })]),
    ),
  ).toEqual([9]);
});

test("watchers who came or left after the request are those of the events", () => {
  const watched = before({ watchers: [user("ada"), user("bob")], watcher_count: 2 });
  const started = event("user.watching.start", 20, { user: user("cleo"), watcher_count: 3 });
  const stopped = event("user.watching.stop", 20, { user: user("bob"), watcher_count: 1 });
  const watchersOf = (s: Subject): unknown[] => [
    [...s.entry().watchers.keys()].toSorted(),
    s.entry().watcherCount,
  ];
  expect(watchersOf(afterEvents(watched, [started]))).toEqual([["ada", "bob", "cleo"], 3]);
  expect(watchersOf(afterEvents(watched, [stopped]))).toEqual([["ada"], 1]);
});

test("a newer delivery time is taken from an answer with the same read state, and never goes back", () => {
  const read = (delivered: number) => [
    {
      user: user("bob"),
      last_read: at(1),
      unread_messages: 0,
      last_delivered_at: at(delivered),
      last_delivered_message_id: `m${delivered}`,
    },
  ];
  const s = subject(before({ read: read(1) }));
  applyAnswer(s, before({ read: read(3) }));
  expect(s.entry().read.get("bob")).toMatchObject({
    last_delivered_at: at(3),
    last_delivered_message_id: "m3",
  });
  applyAnswer(s, before({ read: [{ ...read(2)[0]!, last_read: at(2) }] }));
  expect(s.entry().read.get("bob")).toMatchObject({ last_read: at(2), last_delivered_message_id: "m3" });
});

test("deleting the message of one live location leaves the other", () => {
  const both = [location(2, 1), location(3, 5, { message_id: "m3" })];
  const s = subject(before({ active_live_locations: both } as never));
  s.machine.dispatch([event("message.deleted", 20, { message: msg(2) })]);
  expect(s.entry().liveLocations.map(({ message_id }) => message_id)).toEqual(["m3"]);
});

test("an unavailable channel's capabilities may be requested again", () => {
  const s = subject(before({ membership: member("ada") }));
  const frozen = (type: string, seconds: number): void => s.machine.dispatch([event(type, seconds)]);
  frozen("channel.frozen", 5);
  s.machine.apply({ kind: "unavailable", cids: [CID] });
  s.machine.takeRefetches();
  frozen("channel.unfrozen", 6);
  expect(s.machine.takeRefetches()).toEqual([{ kind: "capabilities", cid: CID }]);
});

test("watchers are updated from the answer, also if only their presence changed", () => {
  const s = subject(before({ watchers: [user("bob")] }));
  applyAnswer(s, before({ watchers: [user("bob", { online: true })] }));
  expect(s.machine.state().users.get("bob")!.online).toBe(true);
});

test("the event times of the thousand latest users are remembered; for older ones an older event counts again", () => {
  const s = subject(channel());
  const startWatching = (id: string, second: number) =>
    event("user.watching.start", second, { user: user(id), watcher_count: 1 });
  const stopWatching = (id: string) => event("user.watching.stop", 10, { user: user(id), watcher_count: 1 });
  s.machine.dispatch(Array.from({ length: 1001 }, (_, i) => startWatching(`u${i}`, 20)));
  s.machine.dispatch([stopWatching("u0"), stopWatching("u1000")]);
  expect([s.entry().watchers.has("u0"), s.entry().watchers.has("u1000")]).toEqual([false, true]);
  // After another event it is among the newest again.
  s.machine.dispatch([
    startWatching("u2", 30),
    ...Array.from({ length: 999 }, (_, i) => startWatching(`v${i}`, 30)),
    stopWatching("u2"),
  ]);
  expect(s.entry().watchers.has("u2")).toBe(true);
});

test("an earlier snapshot of the state keeps its watchers and members after later events", () => {
  const s = subject(before({ watchers: [user("bob")] }));
  const snapshot = s.entry();
  s.machine.dispatch([
    event("user.watching.start", 20, { user: user("dan"), watcher_count: 2 }),
    event("user.watching.stop", 21, { user: user("bob"), watcher_count: 1 }),
    event("member.added", 22, { member: member("dan") }),
    event("member.removed", 23, { member: member("cleo") }),
  ]);
  const after = s.entry();
  expect([...after.watchers.keys()]).toEqual(["dan"]);
  s.machine.dispatch([event("user.watching.start", 24, { user: user("eve"), watcher_count: 2 })]);
  expect([...snapshot.watchers.keys()]).toEqual(["bob"]);
  expect([...snapshot.members.keys()]).toEqual(["ada", "bob", "cleo"]);
  expect([...after.watchers.keys()]).toEqual(["dan"]);
});

test("a page of members is added without those who left or changed after the request", () => {
  const s = subject(before());
  const since = s.machine.revision();
  s.machine.dispatch([
    event("member.removed", 20, { member: member("dan") }),
    event("member.updated", 21, { member: member("bob", { channel_role: "channel_moderator" }) }),
  ]);
  const page = ["bob", "dan", "eve"].map((id) => member(id));
  s.machine.apply({ kind: "members", cid: CID, members: page, since });
  const { members } = s.entry();
  expect([...members.keys()].toSorted()).toEqual(["ada", "bob", "cleo", "eve"]);
  expect(members.get("bob")!.channel_role).toBe("channel_moderator");
  s.machine.apply({ kind: "members", cid: "messaging:nowhere", members: page, since });
});

test("a page of members updates a user's name wherever the user is loaded", () => {
  const s = subject(before({ watchers: [user("ada")] }));
  const ada = user("ada", { name: "Ada L.", online: true, updated_at: at(30) });
  s.machine.apply({
    kind: "members",
    cid: CID,
    members: [{ ...member("ada"), user: ada }],
    since: s.machine.revision(),
  });
  expect(s.entry().watchers.get("ada")).toMatchObject({ name: "Ada L.", online: true });
  expect(s.entry().members.get("ada")!.user).toMatchObject({ name: "Ada L." });
});
