/** The display name of a channel, its place in the list, and which channels are unread. */
import { expect, test } from "vitest";
import {
  channelTitle,
  groupOf,
  isDirect,
  isMuted,
  listedChannels,
  otherMembers,
  typingNames,
  userName,
  channelsWithUnread,
} from "../../src/model/channels.ts";
import type { ChannelEntry } from "../../src/model/state.ts";
import type { Member } from "../../src/wire/entities/channel.ts";
import { EPOCH, channel, message, stateOf, user } from "../support/fake-core.ts";

const at = (minute: number): string => new Date(EPOCH + minute * 60_000).toISOString();
const member = (id: string, more: Partial<Member> = {}): Member => ({
  user_id: id,
  user: user(id),
  channel_role: "channel_member",
  created_at: "",
  updated_at: "",
  ...more,
});
const mine = (more: Partial<Member>): { membership: Member } => ({ membership: member("me", more) });
const direct = (id: string, names: string[], more: Partial<ChannelEntry> = {}): ChannelEntry =>
  channel(id, {
    name: "",
    memberCount: names.length,
    members: new Map(names.map((name) => [name, member(name)])),
    ...more,
  });

test('the display name of a user is the cleaned name, else the id, else "someone"', () => {
  expect([undefined, { id: "u" }, { id: "u", name: "" }, { id: "u", name: "Una" }].map(userName)).toEqual([
    "someone",
    "u",
    "u",
    "Una",
  ]);
  expect([{ id: "u", name: "\u200b" }, { id: "" }].map(userName)).toEqual(["u", "someone"]);
  expect(userName({ id: "u", name: "a\nb" })).toBe("a b");
});

test("a channel is direct when it has no name and is distinct, or has two members and a generated id", () => {
  const ofTwo = (id: string): boolean => isDirect(channel(id, { name: "", memberCount: 2 }));
  expect(isDirect(channel("x", { name: "x", memberCount: 2 }))).toBe(false);
  expect(isDirect(channel("!members-a", { name: "x" }))).toBe(false);
  expect(isDirect(channel("!members-a", { name: "", memberCount: 5 }))).toBe(true);
  // Slack's direct and group conversations keep their ids when they are imported.
  expect(isDirect(channel("D024BE91L", { name: "", memberCount: 1 }))).toBe(true);
  expect(isDirect(channel("G9HBG2A5D", { name: "", memberCount: 4 }))).toBe(true);
  expect(isDirect(channel("G9HBG2A5D", { name: "secret", memberCount: 4 }))).toBe(false);
  expect(isDirect(channel("DEPLOYS", { name: "", memberCount: 4 }))).toBe(false);
  const uuid = "0d5e4c1a-7f0a-4b5e-9d3a-2b8f6f1f9c10";
  expect([uuid, "5f3c9a1b2c3d4e5f6a7b8c9d"].map(ofTwo)).toEqual([true, true]);
  expect(isDirect(channel(uuid, { name: "", memberCount: 3 }))).toBe(false);
});

test("a channel of two members with a chosen id is not direct, unless the id consists of theirs", () => {
  const of = (id: string): boolean => {
    const members = new Map(["me", "ana"].map((each) => [each, { user_id: each } as never]));
    return isDirect({ ...channel(id, { name: "", memberCount: 2 }), members });
  };
  expect(["deploys", "team-lunch-2026", "me-ana", "ana_me"].map(of)).toEqual([false, false, true, true]);
  expect(channelTitle(channel("deploys", { name: "", memberCount: 2 }), "me")).toBe("#deploys");
});

test("the title of a channel is its name with one #, the names of the other members in order, or its id", () => {
  expect(channelTitle(channel("x", { name: "general" }), "me")).toBe("#general");
  expect(channelTitle(channel("x", { name: "#general" }), "me")).toBe("#general");
  expect(channelTitle(direct("!members-x", ["me", "cy", "ana"]), "me")).toBe("ana, cy");
  expect(channelTitle(direct("!members-x", ["me"]), "me")).toBe("note to self");
  expect(channelTitle(channel("x7", { name: "", memberCount: 9 }), "me")).toBe("#x7");
});

test("the other members are all but one, named by id when their user is not loaded", () => {
  const entry = channel("x", {
    members: new Map([
      ["zed", { ...member("zed"), user: undefined } as never],
      ["me", member("me")],
      ["bo", member("bo")],
    ]),
  });
  expect(otherMembers(entry, "me").map((u) => u.id)).toEqual(["bo", "zed"]);
  expect(otherMembers(entry, undefined).map((u) => u.id)).toEqual(["bo", "me", "zed"]);
});

test("a channel mute lasts until its end (R-MUTE-1)", () => {
  const mute = (cid: string, expires?: string) => ({ channel: { cid }, ...(expires ? { expires } : {}) });
  const state = stateOf([]);
  const with_ = (...channel_mutes: object[]) => ({ ...state, me: { ...state.me!, channel_mutes } as never });
  expect(isMuted(with_(mute("a")), "a", EPOCH)).toBe(true);
  expect(isMuted(with_(mute("a")), "b", EPOCH)).toBe(false);
  expect([-1, 0, 1].map((ms) => isMuted(with_(mute("a", at(0))), "a", EPOCH + ms))).toEqual([
    true,
    false,
    false,
  ]);
  const { me: _, ...nobody } = state;
  expect(isMuted(nobody as never, "a", EPOCH)).toBe(false);
});

test("a channel belongs to invites first, then archived, then pinned, then its kind", () => {
  const invite = { status: "pending", invited: true, invited_at: at(0) } as Partial<Member>;
  expect(groupOf(channel("x", mine({ ...invite, pinned_at: at(0) })))).toBe("invited");
  expect(groupOf(channel("x", mine({ archived_at: at(0), pinned_at: at(0) })))).toBe("archived");
  expect(groupOf(channel("x", mine({ pinned_at: at(0) })))).toBe("pinned");
  expect(groupOf(channel("x", mine({})))).toBe("channels");
  expect(groupOf(direct("!members-x", ["me", "bo"]))).toBe("direct");
});

test("visible channels are listed by newest pin, then newest activity, then cid (R-PIN-1)", () => {
  const active = (id: string, minute: number, more: Partial<ChannelEntry> = {}): ChannelEntry =>
    channel(id, { messages: [message("m", "ana", "x", { minute })], ...more });
  const entries = [
    active("b-tie", 5),
    active("old", 1),
    active("new", 9),
    active("a-tie", 5),
    channel("silent"),
    active("pin-old", 0, mine({ pinned_at: at(1) })),
    active("pin-new", 0, mine({ pinned_at: at(2) })),
    active("hidden", 20, { hidden: true }),
    active("gone", 20, { unavailable: true }),
  ];
  const order = ["pin-new", "pin-old", "new", "a-tie", "b-tie", "old", "silent"];
  for (const list of [entries, entries.toReversed()])
    expect(listedChannels(stateOf(list)).map((e) => e.channel.id)).toEqual(order);
});

test("the list is the same object while no channel changes", () => {
  const quiet = channel("quiet", { messages: [message("m", "ana", "x", { minute: 1 })] });
  const busy = channel("busy", { messages: [message("m", "ana", "x", { minute: 2 })] });
  const state = stateOf([quiet, busy]);
  expect(listedChannels(state)).toBe(listedChannels({ ...state }));
  const pinned = { ...quiet, ...mine({ pinned_at: at(1) }) };
  const ids = (entries: ChannelEntry[]): string[] =>
    listedChannels(stateOf(entries)).map((e) => e.channel.id);
  expect(ids([quiet, busy])).toEqual(["busy", "quiet"]);
  expect(ids([pinned, busy])).toEqual(["quiet", "busy"]);
});

test("unread channels are listed with mentions first, then direct ones, and without muted, archived and read ones", () => {
  const state = stateOf([
    channel("plain", { unread: 1 }),
    direct("!members-x", ["me", "bo"], { unread: 1 }),
    channel("mention", { unread: 1, mentions: 1 }),
    channel("read"),
    channel("muted", { unread: 3, mentions: 1 }),
    channel("archived", { unread: 3, ...mine({ archived_at: at(0) }) }),
  ]);
  const me = { ...state.me!, channel_mutes: [{ channel: { cid: "messaging:muted" } }] } as never;
  expect(channelsWithUnread({ ...state, me }, EPOCH).map((e) => e.channel.id)).toEqual([
    "mention",
    "!members-x",
    "plain",
  ]);
});

test("typing users are listed for the channel or thread they type in, without muted users", () => {
  const typing = [{ user: user("ana") }, { user: user("bo"), parentId: "m1" }, { user: user("cy") }] as never;
  const entry = channel("x", { typing });
  const until = (seconds: number): string => new Date(EPOCH + seconds * 1000).toISOString();
  const me = { id: "me", mutes: [{ target: user("cy"), expires: until(60) }] } as never;
  const names = (parentId?: string, now = EPOCH): string[] => typingNames(entry, me, now, parentId);
  expect([names(), names("m1"), names(undefined, EPOCH + 60_000), typingNames(undefined, me, EPOCH)]).toEqual(
    [["ana"], ["bo"], ["ana", "cy"], []],
  );
});
