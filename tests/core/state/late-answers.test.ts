/** Channels of an answer requested before an event: the event's changes stay, the rest is as answered (specification/state.md §2). */
import { expect, test } from "vitest";
import type { ChannelState } from "../../../src/wire/entities/channel.ts";
import { at, channel, CID, event, isNew, member, msg, msgs, subject, user, type Subject } from "./world.ts";

const people = ["ada", "bob", "cleo"].map((id) => member(id));
const before = (more: Partial<ChannelState> = {}): ChannelState =>
  channel(msgs(1, 3), { members: people, ...more });

/** Applies an answer requested before the events after them. */
function late(held: ChannelState, events: ReturnType<typeof event>[], answer = held): Subject {
  const s = subject(held);
  const since = s.machine.revision();
  s.machine.dispatch(events);
  s.machine.apply({ kind: "channels", states: [answer], messageLimit: 25, watched: true, since });
  return s;
}

/** Applies an answer that is requested now. */
function now(s: Subject, answer: ChannelState): void {
  const since = s.machine.revision();
  s.machine.apply({ kind: "channels", states: [answer], messageLimit: 25, watched: true, since });
}

const pin = (on: boolean) =>
  msg(2, { updated_at: at(20), pinned: on, pinned_at: on ? at(20) : null, text: "at twenty" });

test("a message that was pinned meanwhile stays pinned", () => {
  const s = late(before(), [event("message.updated", 20, { message: pin(true) })]);
  expect(s.entry().pinned.map(({ id }) => id)).toEqual(["m2"]);
  now(s, before());
  expect(s.entry().pinned).toEqual([]);
});

test("a message whose pin was taken down meanwhile does not get it back, be it held in a list or not", () => {
  const old = msg(2, { pinned: true, pinned_at: at(3) });
  for (const messages of [[msg(1), old, msg(3)], [msg(3)]]) {
    const held = channel(messages, { pinned_messages: [old] });
    const s = late(held, [event("message.updated", 20, { message: pin(false) })]);
    expect(s.entry().pinned).toEqual([]);
  }
});

test("a pinned message that was edited meanwhile is pinned with its new text", () => {
  const old = msg(2, { pinned: true, pinned_at: at(3) });
  const s = late(before({ pinned_messages: [old] }), [event("message.updated", 20, { message: pin(true) })]);
  expect(s.entry().pinned.map(({ text }) => text)).toEqual(["at twenty"]);
});

const draft = (seconds: number, text: string) => ({
  channel_cid: CID,
  created_at: at(seconds),
  message: { id: "d1", text },
});

test("a draft that was told meanwhile stays, and one that was deleted does not come back", () => {
  const saved = late(before(), [event("draft.updated", 20, { draft: draft(20, "new") })]);
  expect(saved.entry().draft?.message.text).toBe("new");
  now(saved, before());
  expect(saved.entry().draft).toBeUndefined();
  const held = before({ draft: draft(5, "old") } as never);
  const dropped = late(held, [event("draft.deleted", 20, { draft: draft(5, "old") })]);
  expect(dropped.entry().draft).toBeUndefined();
  now(dropped, held);
  expect(dropped.entry().draft?.message.text).toBe("old");
});

test("a channel that was hidden meanwhile stays hidden, and one that came back stays", () => {
  const hidden = late(before(), [event("channel.hidden", 20)]);
  expect(hidden.entry().hidden).toBe(true);
  now(hidden, before());
  expect(hidden.entry().hidden).toBe(false);
  const asHidden = before({ hidden: true } as never);
  expect(late(asHidden, [event("channel.visible", 20)]).entry().hidden).toBe(false);
  expect(late(asHidden, [isNew(msg(20))]).entry().hidden).toBe(false);
});

test("a channel that was deleted meanwhile, or left, does not come back to life", () => {
  const deleted = late(before(), [event("channel.deleted", 20)]);
  expect(deleted.entry()).toMatchObject({ unavailable: true, watched: false });
  expect(deleted.shown()).toEqual([]);
  const removed = late(before(), [event("notification.removed_from_channel", 20, { user: user("ada") })]);
  expect(removed.entry().unavailable).toBe(true);
  now(removed, before());
  expect(removed.entry().unavailable).toBe(false);
  expect(removed.shown()).toEqual(["m1", "m2", "m3"]);
});

const membersOf = (s: Subject): string[] => [...s.entry().members.keys()].toSorted();

test("who joined meanwhile is a member, who left is none, and the number is that of the events", () => {
  const told = (n: number): object => ({ channel_member_count: n });
  const joined = late(before(), [event("member.added", 20, { member: member("dan"), ...told(4) })]);
  expect([membersOf(joined), joined.entry().memberCount]).toEqual([["ada", "bob", "cleo", "dan"], 4]);
  const left = late(before(), [event("member.removed", 20, { member: member("cleo"), ...told(2) })]);
  expect([membersOf(left), left.entry().memberCount]).toEqual([["ada", "bob"], 2]);
  now(left, before());
  expect([membersOf(left), left.entry().memberCount]).toEqual([["ada", "bob", "cleo"], 3]);
});

test("a role that was given meanwhile, and the own membership with it, stand", () => {
  const moderator = (id: string) => member(id, { channel_role: "channel_moderator", updated_at: at(20) });
  const s = late(before({ membership: member("ada") }), [
    event("member.updated", 20, { member: moderator("bob") }),
    event("member.updated", 21, { member: moderator("ada") }),
  ]);
  expect(s.entry().members.get("bob")!.channel_role).toBe("channel_moderator");
  expect(s.entry().membership!.channel_role).toBe("channel_moderator");
});

test("a ban that was told meanwhile stands", () => {
  const s = late(before({ membership: member("ada") }), [
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

test("a live location that began, moved or ended meanwhile is as its events said", () => {
  const live = before({ active_live_locations: [location(2, 1)] } as never);
  const places = (s: Subject): number[] => s.entry().liveLocations.map(({ latitude }) => latitude!);
  const withMessage = channel([msg(1), shared(2, 1), msg(3)], live);
  expect(places(subject(withMessage))).toEqual([1]);
  expect(places(late(withMessage, [event("message.updated", 20, { message: shared(20, 7) })]))).toEqual([7]);
  const over = { end_at: at(19) };
  const ended = late(withMessage, [event("message.updated", 20, { message: shared(20, 1, over) })]);
  expect(places(ended)).toEqual([]);
  const deleted = late(withMessage, [event("message.deleted", 20, { message: shared(20, 1) })]);
  expect(places(deleted)).toEqual([]);
  const begun = { ...shared(20, 9), id: "m20", created_at: at(20) };
  const empty = before({ active_live_locations: [] } as never);
  expect(
    places(late(empty, [isNew({ ...begun, shared_location: location(20, 9, { message_id: "m20" }) })])),
  ).toEqual([9]);
});

test("who came to watch meanwhile is a watcher, who went is none", () => {
  const watched = before({ watchers: [user("ada"), user("bob")], watcher_count: 2 });
  const came = event("user.watching.start", 20, { user: user("cleo"), watcher_count: 3 });
  const went = event("user.watching.stop", 20, { user: user("bob"), watcher_count: 1 });
  const seen = (s: Subject): unknown[] => [[...s.entry().watchers.keys()].toSorted(), s.entry().watcherCount];
  expect(seen(late(watched, [came]))).toEqual([["ada", "bob", "cleo"], 3]);
  expect(seen(late(watched, [went]))).toEqual([["ada"], 1]);
});

test("a delivery that was missed is taken from an answer that tells no newer read, and never goes back", () => {
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
  now(s, before({ read: read(3) }));
  expect(s.entry().read.get("bob")).toMatchObject({
    last_delivered_at: at(3),
    last_delivered_message_id: "m3",
  });
  now(s, before({ read: [{ ...read(2)[0]!, last_read: at(2) }] }));
  expect(s.entry().read.get("bob")).toMatchObject({ last_read: at(2), last_delivered_message_id: "m3" });
});

test("of two live locations the one whose message is deleted ends, and the other goes on", () => {
  const both = [location(2, 1), location(3, 5, { message_id: "m3" })];
  const s = subject(before({ active_live_locations: both } as never));
  s.machine.dispatch([event("message.deleted", 20, { message: msg(2) })]);
  expect(s.entry().liveLocations.map(({ message_id }) => message_id)).toEqual(["m3"]);
});

test("a channel that is gone may be asked again what one may do there", () => {
  const s = subject(before({ membership: member("ada") }));
  const frozen = (type: string, seconds: number): void => s.machine.dispatch([event(type, seconds)]);
  frozen("channel.frozen", 5);
  s.machine.apply({ kind: "unavailable", cids: [CID] });
  s.machine.takeRefetches();
  frozen("channel.unfrozen", 6);
  expect(s.machine.takeRefetches()).toEqual([{ kind: "capabilities", cid: CID }]);
});

test("who watches is known as the answer tells it, also what changed without a new date", () => {
  const s = subject(before({ watchers: [user("bob")] }));
  now(s, before({ watchers: [user("bob", { online: true })] }));
  expect(s.machine.state().users.get("bob")!.online).toBe(true);
});

test("what was told of the newest thousand people is known; of those before an older event counts again", () => {
  const s = subject(channel());
  const seen = (id: string, second: number) =>
    event("user.watching.start", second, { user: user(id), watcher_count: 1 });
  const gone = (id: string) => event("user.watching.stop", 10, { user: user(id), watcher_count: 1 });
  s.machine.dispatch(Array.from({ length: 1001 }, (_, i) => seen(`u${i}`, 20)));
  s.machine.dispatch([gone("u0"), gone("u1000")]);
  expect([s.entry().watchers.has("u0"), s.entry().watchers.has("u1000")]).toEqual([false, true]);
  // After another event it is among the newest again.
  s.machine.dispatch([
    seen("u2", 30),
    ...Array.from({ length: 999 }, (_, i) => seen(`v${i}`, 30)),
    gone("u2"),
  ]);
  expect(s.entry().watchers.has("u2")).toBe(true);
});

test("a snapshot that was taken keeps its people, whatever later events change", () => {
  const s = subject(before({ watchers: [user("bob")] }));
  const kept = s.entry();
  s.machine.dispatch([
    event("user.watching.start", 20, { user: user("dan"), watcher_count: 2 }),
    event("user.watching.stop", 21, { user: user("bob"), watcher_count: 1 }),
    event("member.added", 22, { member: member("dan") }),
    event("member.removed", 23, { member: member("cleo") }),
  ]);
  const after = s.entry();
  expect([...after.watchers.keys()]).toEqual(["dan"]);
  s.machine.dispatch([event("user.watching.start", 24, { user: user("eve"), watcher_count: 2 })]);
  expect([...kept.watchers.keys()]).toEqual(["bob"]);
  expect([...kept.members.keys()]).toEqual(["ada", "bob", "cleo"]);
  expect([...after.watchers.keys()]).toEqual(["dan"]);
});

test("a page of members is held beside the others, without those who left or changed since it was asked for", () => {
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

test("a page of members tells everybody's newest name, wherever they are held", () => {
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
