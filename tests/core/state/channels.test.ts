/** Channels, members, typing, mutes, order and notices (R-CHAN, R-PIN, R-MUTE, R-TYPE, R-NOTE, R-REC). */
import { describe, expect, test } from "vitest";
import { isUserMuted } from "../../../src/model/mutes.ts";
import { groupOf, isMuted, listedChannels, typingNames } from "../../../src/model/channels.ts";
import type { ChannelConfig, Member } from "../../../src/wire/entities/channel.ts";
import { at, channel, CID, event, isNew, me, msg, msgs, subject, user, member } from "./world.ts";

const now = Date.UTC(2026, 0, 2);

const visible = (cid: string) => event("channel.visible", 90, { cid });

describe("the channel list", () => {
  const fourChannels = (): ReturnType<typeof subject> => {
    const s = subject(null);
    const states = ["a", "b", "c", "d"].map((id, i) =>
      channel([msg(10 + i, { id: `m-${id}`, cid: `messaging:${id}` })], { cid: `messaging:${id}` }),
    );
    s.machine.apply({ kind: "channels", states, messageLimit: 25, watched: true });
    return s;
  };
  const order = (s: ReturnType<typeof subject>, show?: "archive"): string =>
    listedChannels(s.machine.state())
      .filter((entry) => (groupOf(entry) === "archived") === (show === "archive"))
      .map(({ cid }) => cid.split(":")[1])
      .join("");
  const ownMember = (id: string, seconds: number, more: Partial<Member>) =>
    event("member.updated", seconds, {
      cid: `messaging:${id}`,
      member: member("ada", more),
      user: user("ada"),
    });

  test("R-PIN-1, R-PIN-3: pinned channels come first, the newest pin on top, the others by activity", () => {
    const s = fourChannels();
    expect(order(s)).toBe("dcba");
    s.machine.dispatch([
      ownMember("a", 50, { pinned_at: at(50) }),
      ownMember("b", 51, { pinned_at: at(51) }),
    ]);
    expect(order(s)).toBe("badc");
    s.machine.dispatch([ownMember("b", 60, { pinned_at: null }), ownMember("b", 55, { pinned_at: at(55) })]);
    expect(order(s)).toBe("adcb");
    // A service may leave out what is over instead of sending null.
    s.machine.dispatch([ownMember("a", 61, {})]);
    expect(order(s)).toBe("dcba");
  });
  test("R-PIN-1, R-PIN-3: equal pins and equal activity are ordered by cid, and only the own membership pins a channel", () => {
    const s = subject(null);
    const states = ["c", "b", "a"].map((id) =>
      channel([msg(10, { id: `m-${id}`, cid: `messaging:${id}` })], { cid: `messaging:${id}` }),
    );
    s.machine.apply({ kind: "channels", states, messageLimit: 25, watched: true });
    expect(order(s)).toBe("abc");
    s.machine.dispatch([
      ownMember("c", 50, { pinned_at: at(50) }),
      ownMember("b", 51, { pinned_at: at(50) }),
    ]);
    expect(order(s)).toBe("bca");
    s.machine.dispatch([
      event("member.updated", 60, {
        cid: "messaging:a",
        member: member("bob", { pinned_at: at(60), archived_at: at(60) }),
        user: user("bob"),
      }),
    ]);
    expect(order(s)).toBe("bca");
  });
  test("the push level of a channel is taken from each answer", () => {
    const s = subject(null);
    const answer = (push: object): string | undefined => {
      s.machine.apply({
        kind: "channels",
        states: [{ ...channel([]), ...push }],
        messageLimit: 25,
        watched: true,
      });
      return s.machine.state().channels.get(CID)?.pushLevel;
    };
    expect(answer({ push_preferences: { chat_level: "mentions" } })).toBe("mentions");
    expect(answer({ push_preferences: { chat_level: "none" } })).toBe("none");
    expect(answer({})).toBeUndefined();
  });
  test("R-PIN-2: archived channels are listed in the archive only", () => {
    const s = fourChannels();
    s.machine.dispatch([ownMember("c", 50, { archived_at: at(50) })]);
    expect(order(s)).toBe("dba");
    expect(order(s, "archive")).toBe("c");
  });
  test("R-CHAN-1: a hidden channel leaves the list; channel.visible or a newer message restores it, a message not when muted", () => {
    const s = fourChannels();
    s.machine.dispatch([event("channel.hidden", 50, { cid: "messaging:d" })]);
    expect(order(s)).toBe("cba");
    s.machine.dispatch([isNew(msg(40, { cid: "messaging:d" }))]);
    expect(order(s)).toBe("cba");
    s.machine.dispatch([isNew(msg(60, { cid: "messaging:d" }))]);
    expect(order(s)).toBe("dcba");
    s.machine.apply({
      kind: "me",
      me: me({
        channel_mutes: [
          { user: user("ada"), channel: { cid: "messaging:c" }, created_at: at(0), updated_at: at(0) },
        ],
      }),
    });
    s.machine.dispatch([
      event("channel.hidden", 70, { cid: "messaging:c" }),
      isNew(msg(80, { cid: "messaging:c" })),
    ]);
    expect(order(s)).toBe("dba");
    s.machine.dispatch([visible("messaging:c")]);
    expect(order(s)).toBe("cdba");
  });
  test("R-CHAN-1: a hidden channel that was loaded without watching it is loaded again, to be watched, once it shows", () => {
    const cid = "messaging:e";
    for (const event of [visible(cid), isNew(msg(60, { cid }))]) {
      const s = fourChannels();
      const states = [channel([msg(1, { cid })], { cid, hidden: true })];
      s.machine.apply({ kind: "channels", states, messageLimit: 1, watched: false });
      s.machine.dispatch([event]);
      expect(s.entry(cid).hidden).toBe(false);
      expect(s.machine.takeRefetches()).toEqual([{ kind: "channel", cid }]);
      const answer = [channel([msg(60, { cid })], { cid })];
      s.machine.apply({ kind: "channels", states: answer, messageLimit: 25, watched: true });
      s.machine.dispatch([event]);
      expect(s.machine.takeRefetches()).toEqual([]);
    }
  });
  test("R-CHAN-2: deleted channels and those the user was removed from leave the list, and an older event does not restore them", () => {
    const s = fourChannels();
    s.machine.dispatch([
      event("channel.deleted", 50, { cid: "messaging:d" }),
      event("notification.removed_from_channel", 50, { cid: "messaging:c", member: member("ada") }),
      event("notification.added_to_channel", 20, { cid: "messaging:c", member: member("ada") }),
    ]);
    expect(order(s)).toBe("ba");
    expect(s.entry("messaging:d").unavailable).toBe(true);
    expect(s.machine.takeRefetches()).toEqual([]);
  });
  test("R-CHAN-2: an unknown channel is requested once, and events received meanwhile are applied to the answer", () => {
    const s = subject(null);
    const first = msg(5, { cid: "messaging:new" });
    s.machine.dispatch([
      { ...isNew(first), type: "notification.message_new" },
      isNew(msg(6, { cid: "messaging:new" })),
      event("typing.start", 7, { cid: "messaging:other", user: user("bob") }),
    ]);
    expect(s.machine.takeRefetches()).toEqual([{ kind: "channel", cid: "messaging:new" }]);
    s.machine.apply({
      kind: "channels",
      states: [channel([first], { cid: "messaging:new" })],
      messageLimit: 25,
      watched: true,
    });
    expect([...s.entry("messaging:new").sets[0]!.messages].map((m) => m.id)).toEqual(["m5", "m6"]);
    s.machine.dispatch([
      event("notification.added_to_channel", 9, { cid: "messaging:gone", member: member("ada") }),
    ]);
    s.machine.apply({ kind: "unavailable", cids: ["messaging:gone"] });
    s.machine.dispatch([
      event("notification.added_to_channel", 10, { cid: "messaging:gone", member: member("ada") }),
    ]);
    expect(s.machine.takeRefetches().filter((want) => want.cid === "messaging:gone")).toHaveLength(1);
  });
  test("D7: events of an unknown channel from before the request are not applied to its answer", () => {
    const s = subject(null);
    s.machine.dispatch([
      { ...isNew(msg(5, { cid: "messaging:new" })), type: "notification.message_new" },
      isNew(msg(6, { cid: "messaging:new" })),
    ]);
    const since = s.machine.revision();
    s.machine.takeRefetches();
    s.machine.dispatch([isNew(msg(7, { cid: "messaging:new" }))]);
    const states = [channel([], { cid: "messaging:new" })];
    s.machine.apply({ kind: "channels", states, messageLimit: 25, watched: true, since });
    expect([...s.entry("messaging:new").sets[0]!.messages].map((m) => m.id)).toEqual(["m7"]);
    expect(s.machine.takeRefetches()).toEqual([]);
  });
  test("D8: a read event during the first request of a channel is applied to the answer", () => {
    const s = subject(null);
    const cid = "messaging:new";
    const since = s.machine.revision();
    s.machine.dispatch([event("message.read", 30, { cid, user: user("bob") })]);
    const read = [{ user: user("bob"), last_read: at(20), unread_messages: 0 }];
    const states = [channel([msg(5, { cid })], { cid, read })];
    s.machine.apply({ kind: "channels", states, messageLimit: 25, watched: true, since });
    expect(s.entry(cid).read.get("bob")!.last_read).toBe(at(30));
  });
  test("events of at most 300 unrequested channels are remembered", () => {
    const s = subject(null);
    const since = s.machine.revision();
    const cids = Array.from({ length: 301 }, (_, n) => `messaging:n${n}`);
    s.machine.dispatch(cids.map((cid) => event("message.read", 30, { cid, user: user("bob") })));
    const states = [cids[0]!, cids[300]!].map((cid) =>
      channel([], { cid, read: [{ user: user("bob"), last_read: at(20), unread_messages: 0 }] }),
    );
    s.machine.apply({ kind: "channels", states, messageLimit: 25, watched: true, since });
    expect([cids[0]!, cids[300]!].map((cid) => s.entry(cid).read.get("bob")!.last_read)).toEqual([
      at(20),
      at(30),
    ]);
  });
  test("R-CHAN-4: data, members, watchers and capabilities follow the events", () => {
    const s = subject(
      channel([], {
        members: [member("ada"), member("bob")],
        channel: {
          ...channel().channel,
          own_capabilities: ["send-message"],
          name: "Kitchen",
          color: "red",
        } as never,
      }),
    );
    s.machine.dispatch([
      event("channel.updated", 20, { channel: { ...channel().channel, name: "Cellar", updated_at: at(20) } }),
      event("channel.updated", 10, { channel: { ...channel().channel, name: "Attic", updated_at: at(10) } }),
      event("member.added", 21, { member: member("eve") }),
      event("member.removed", 22, { member: member("bob") }),
      event("user.watching.start", 23, { user: user("eve"), watcher_count: 2 }),
      event("channel.frozen", 24),
    ]);
    expect(s.entry().channel).toMatchObject({
      name: "Cellar",
      own_capabilities: ["send-message"],
      frozen: true,
    });
    expect(s.entry().channel).not.toHaveProperty("color");
    expect([...s.entry().members.keys()]).toEqual(["ada", "eve"]);
    expect(s.entry().memberCount).toBe(3);
    expect([...s.entry().watchers.keys()]).toEqual(["eve"]);
    expect(s.entry().watcherCount).toBe(2);
    s.machine.dispatch([
      event("member.updated", 30, { member: member("ada", { channel_role: "channel_moderator" }) }),
    ]);
    expect(s.machine.takeRefetches()).toEqual([{ kind: "capabilities", cid: CID }]);
  });
  test("the user's capabilities are asked for again when the channel's configuration changed, and only then", () => {
    const held = { ...channel().channel, config: { reactions: true, replies: true } as ChannelConfig };
    const s = subject(channel([], { channel: held }));
    const updated = (seconds: number, reactions: boolean) =>
      event("channel.updated", seconds, {
        channel: { ...held, updated_at: at(seconds), config: { ...held.config!, reactions } },
      });
    s.machine.dispatch([updated(20, true)]);
    expect(s.machine.takeRefetches()).toEqual([]);
    s.machine.dispatch([updated(21, false)]);
    expect(s.machine.takeRefetches()).toEqual([{ kind: "capabilities", cid: CID }]);
  });
  test("a user's new name shows in members, messages and users", () => {
    const s = subject(channel([msg(1)], { members: [member("bob")] }));
    s.machine.dispatch([
      event("user.updated", 9, { cid: undefined, user: user("bob", { name: "Robert", updated_at: at(9) }) }),
    ]);
    expect(s.loaded("m1")!.user.name).toBe("Robert");
    expect(s.entry().members.get("bob")!.user!.name).toBe("Robert");
    expect(s.machine.state().users.get("bob")!.name).toBe("Robert");
    s.machine.dispatch([
      event("user.presence.changed", 10, {
        cid: undefined,
        user: user("bob", { name: "Robert", online: true, updated_at: at(9) }),
      }),
    ]);
    expect(s.entry().members.get("bob")!.user!.online).toBe(true);
  });
  test("R-REC-1: stale channels stay shown until a query confirms them", () => {
    const s = subject(channel(msgs(1, 3)));
    s.machine.apply({ kind: "stale" });
    expect(s.entry().stale).toBe(true);
    s.machine.apply({ kind: "channels", states: [channel(msgs(1, 3))], messageLimit: 25, watched: true });
    expect(s.entry()).toMatchObject({ stale: false, watched: true });
  });
  test("after a reset nothing of the user is left, and loading starts from zero", () => {
    const s = subject(
      channel(msgs(1, 3), { read: [{ user: user("ada"), last_read: at(0), unread_messages: 3 }] }),
    );
    s.machine.dispatch([event("message.deleted", 9, { message: msg(2), hard_delete: true })]);
    s.machine.apply({ kind: "me", me: undefined });
    s.machine.apply({ kind: "reset" });
    expect(s.machine.state()).toMatchObject({ totals: { unread: 0 }, outbox: 0 });
    expect(s.machine.state().channels.size + s.machine.state().users.size).toBe(0);
    expect(s.machine.state()).not.toHaveProperty("me");
    s.machine.apply({ kind: "channels", states: [channel(msgs(1, 3))], messageLimit: 25, watched: true });
    expect(s.shown()).toEqual(["m1", "m2", "m3"]);
    expect(s.entry().unread).toBe(0);
  });
  test("channels restored from the cache are stale and replace nothing newer", () => {
    const s = subject(channel([msg(1), msg(2)]));
    s.machine.apply({
      kind: "restored",
      states: [channel([msg(1)]), channel([msg(1, { id: "c" })], { cid: "messaging:b" })],
    });
    expect(s.shown()).toEqual(["m1", "m2"]);
    expect(s.entry("messaging:b").stale).toBe(true);
  });
});

describe("channel mutes", () => {
  test("R-MUTE-1, R-MUTE-2, R-MUTE-3: an event replaces the list, and expiry is checked at each use", () => {
    const s = subject();
    const mute = (expires?: string) => ({
      user: user("ada"),
      channel: { cid: CID },
      created_at: at(0),
      updated_at: at(0),
      ...(expires && { expires }),
    });
    const mutesEvent = (list: unknown[]) =>
      event("notification.channel_mutes_updated", 5, { cid: undefined, me: { channel_mutes: list } });
    s.machine.dispatch([mutesEvent([mute()])]);
    expect(isMuted(s.machine.state(), CID, now)).toBe(true);
    s.machine.dispatch([mutesEvent([mute(at(100))])]);
    expect(isMuted(s.machine.state(), CID, Date.parse(at(99)))).toBe(true);
    expect(isMuted(s.machine.state(), CID, Date.parse(at(100)))).toBe(false);
    s.machine.dispatch([mutesEvent([])]);
    expect(isMuted(s.machine.state(), CID, now)).toBe(false);
  });
});

describe("user mutes", () => {
  const muted = (target: string, expires?: string | null) => ({
    user: user("ada"),
    target: user(target),
    created_at: at(0),
    updated_at: at(0),
    ...(expires !== undefined && { expires }),
  });
  test("R-MUTE-3: a mute is found by its target, and is active without an end or before it", () => {
    const ownMember = me({ mutes: [muted("bob", at(100)), muted("eve", null), muted("dan")] });
    const isActive = (id: string, seconds: number) => isUserMuted(ownMember, id, Date.parse(at(seconds)));
    expect(["bob", "eve", "dan", "ada"].map((id) => isActive(id, 99))).toEqual([true, true, true, false]);
    expect(["bob", "eve", "dan"].map((id) => isActive(id, 100))).toEqual([false, true, true]);
    expect(isUserMuted(undefined, "bob", 0)).toBe(false);
  });
  test("R-MUTE-2: `me` of a connection replaces the mutes, and counting checks their end each time", async () => {
    const s = subject();
    const ends = new Date(s.clock.now() + 60_000).toISOString();
    s.machine.dispatch([
      event("health.check", 1, { cid: undefined, me: me({ mutes: [muted("bob", ends)] }) }),
      isNew(msg(5)),
    ]);
    expect(s.entry().unread).toBe(0);
    await s.clock.advance(60_001);
    s.machine.dispatch([isNew(msg(6))]);
    expect(s.entry().unread).toBe(1);
    s.machine.dispatch([event("health.check", 7, { cid: undefined, me: me() })]);
    expect(s.machine.state().me!.mutes).toEqual([]);
  });
  test("R-MUTE-1: the end of a channel mute is compared with the provider's clock", () => {
    const s = subject();
    const mute = (expires: string) => ({
      user: user("ada"),
      channel: { cid: CID },
      created_at: at(0),
      updated_at: at(0),
      expires,
    });
    const ends = new Date(s.clock.now() + 60_000).toISOString();
    s.machine.apply({ kind: "me", me: me({ channel_mutes: [mute(ends)] }) });
    s.machine.dispatch([isNew(msg(5))]);
    expect(s.entry().unread).toBe(0);
    s.machine.apply({ kind: "offset", ms: 120_000 });
    s.machine.dispatch([isNew(msg(6))]);
    expect(s.entry().unread).toBe(1);
  });
});

describe("typing", () => {
  const typingEvent = (who: string, more: Record<string, unknown> = {}, type = "typing.start") =>
    event(type, 5, { user: user(who), ...more });
  const shown = (s: ReturnType<typeof subject>, parentId?: string): string[] =>
    typingNames(s.entry(), s.machine.state().me, now, parentId);

  test("R-TYPE-3, R-TYPE-5: a typing user is removed 7000 ms after the last start with a local typing.stop; the current user never shows", async () => {
    const s = subject();
    const stops: unknown[] = [];
    s.machine.on("typing.stop", (mutesEvent) => stops.push(mutesEvent.user!.id));
    s.machine.dispatch([typingEvent("bob"), typingEvent("ada")]);
    expect(shown(s)).toEqual(["bob"]);
    await s.clock.advance(5000);
    s.machine.dispatch([typingEvent("bob")]);
    await s.clock.advance(6900);
    expect(shown(s)).toEqual(["bob"]);
    await s.clock.advance(700);
    expect(shown(s)).toEqual([]);
    expect(stops).toEqual(["bob"]);
    expect(s.clock.timers).toEqual([]);
  });
  test("R-TYPE-5: between a start and its expiry no timer runs, and a change meanwhile does not move it", async () => {
    const s = subject();
    s.machine.dispatch([typingEvent("bob")]);
    expect(s.clock.timers).toEqual([7000]);
    await s.clock.advance(3000);
    s.machine.dispatch([typingEvent("eve")]);
    expect(s.clock.timers).toEqual([4000]);
    await s.clock.advance(4500);
    expect([shown(s), s.clock.timers]).toEqual([["eve"], [2500]]);
  });
  test("R-TYPE-5: the local typing.stop names the thread", async () => {
    const s = subject();
    const stops: unknown[] = [];
    s.machine.on("typing.stop", (mutesEvent) => stops.push(mutesEvent.parent_id));
    s.machine.dispatch([typingEvent("bob", { parent_id: "m1" })]);
    await s.clock.advance(7600);
    expect(stops).toEqual(["m1"]);
  });
  test("R-TYPE-6: a stop or a message of the user in the same place removes the typing user at once", () => {
    const s = subject();
    s.machine.dispatch([typingEvent("bob"), typingEvent("eve", { parent_id: "m1" }), typingEvent("eve")]);
    expect(shown(s, "m1")).toEqual(["eve"]);
    s.machine.dispatch([isNew(msg(6)), typingEvent("eve", {}, "typing.stop")]);
    expect(shown(s)).toEqual([]);
    expect(shown(s, "m1")).toEqual(["eve"]);
  });
  test("R-TYPE-6: a removed member types nowhere in the channel", () => {
    const s = subject();
    s.machine.dispatch([typingEvent("bob"), typingEvent("bob", { parent_id: "m1" }), typingEvent("eve")]);
    s.machine.dispatch([event("member.removed", 6, { member: member("bob"), user: user("bob") })]);
    expect([shown(s), shown(s, "m1")]).toEqual([["eve"], []]);
  });
  test("R-TYPE-7: muted users are not shown as typing, and a reconnect clears all", () => {
    const s = subject();
    s.machine.apply({
      kind: "me",
      me: me({ mutes: [{ user: user("ada"), target: user("bob"), created_at: at(0), updated_at: at(0) }] }),
    });
    s.machine.dispatch([typingEvent("bob"), typingEvent("eve")]);
    expect(shown(s)).toEqual(["eve"]);
    s.machine.apply({ kind: "stale" });
    expect(s.entry().typing).toEqual([]);
  });
});

describe("notices and listeners", () => {
  test("R-NOTE-1, R-NOTE-2: a notice shows for 3000 ms, the same text renews it, at most five show, the newest last", async () => {
    const s = subject();
    const notify = (text: string) => s.machine.apply({ kind: "notice", notice: { level: "info", text } });
    for (const text of ["a", "b", "c", "d", "e", "f"]) notify(text);
    notify("c");
    const texts = () => s.machine.state().notices.map((notice) => notice.text);
    expect(texts()).toEqual(["b", "d", "e", "f", "c"]);
    await s.clock.advance(2000);
    notify("b");
    await s.clock.advance(1600);
    expect(texts()).toEqual(["b"]);
    s.machine.apply({ kind: "dismiss", id: s.machine.state().notices[0]!.id });
    expect(texts()).toEqual([]);
  });
  test("R-NOTE-1, R-NOTE-2: a notice has level, reason and origin; one of the same origin replaces it, another one shows beside it", () => {
    const s = subject();
    const notify = (origin: string, reason: string) =>
      s.machine.apply({ kind: "notice", notice: { level: "error", text: "Upload failed", origin, reason } });
    notify("a", "too big");
    notify("b", "too big");
    notify("a", "still too big");
    const { notices } = s.machine.state();
    expect(notices).toMatchObject([
      { level: "error", text: "Upload failed", origin: "b", reason: "too big" },
      { origin: "a", reason: "still too big" },
    ]);
    expect(new Set(notices.map(({ id }) => id)).size).toBe(2);
  });
  test("R-NOTE-3: a dismissed notice disappears, the others keep their time", async () => {
    const s = subject();
    for (const text of ["a", "b"]) s.machine.apply({ kind: "notice", notice: { level: "warning", text } });
    s.machine.apply({ kind: "dismiss", id: s.machine.state().notices[0]!.id });
    expect(s.machine.state().notices).toMatchObject([{ text: "b" }]);
    s.machine.apply({ kind: "dismiss", id: "nobody" });
    expect(s.machine.state().notices).toHaveLength(1);
    await s.clock.advance(3500);
    expect(s.machine.state().notices).toEqual([]);
  });
  test("the state changes first, then listeners of the type run, then those of all; subscribers are called once per tick", async () => {
    const s = subject();
    const calls: string[] = [];
    s.machine.on("message.new", () => calls.push(`exact ${s.loaded("m1") ? "held" : "missing"}`));
    s.machine.on("all", (mutesEvent) => calls.push(mutesEvent.type));
    let ticks = 0;
    s.machine.subscribe(() => ticks++);
    s.machine.dispatch([isNew(msg(1))]);
    s.machine.dispatch([event("wave", 2), event("typing.start", 2, { user: user("bob") })]);
    await s.clock.settle();
    expect(calls).toEqual(["exact held", "message.new", "wave", "typing.start"]);
    expect(ticks).toBe(1);
    const before = s.machine.state();
    s.machine.dispatch([event("wave", 3)]);
    await s.clock.settle();
    expect(ticks).toBe(1);
    expect(s.machine.state()).toBe(before);
    s.machine.close();
  });
});
