/** What each event changes in a full state, leaf by leaf: everything it should, and nothing else (specification/events.md §6). */
import { expect, test } from "vitest";
import type { StateChange } from "../../../src/core/state/change.ts";
import type { OutboxRow } from "../../../src/core/base/outbox-row.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import { at, channel, CID, event, isNew, me, msg, subject, user, member, type Subject } from "./world.ts";

const all = { cid: undefined };
const love = (id: string) => ({
  type: "love",
  user_id: id,
  user: user(id),
  message_id: "m2",
  score: 1,
  created_at: at(3),
  updated_at: at(3),
});
const location = (id: string, by: string) => ({
  message_id: id,
  channel_cid: CID,
  user_id: by,
  latitude: 1,
  longitude: 2,
  created_by_device_id: "d",
  created_at: at(4),
  updated_at: at(4),
  end_at: "2026-02-01T00:00:00Z",
});

const reminder = {
  message_id: "m1",
  reminder: {
    channel_cid: CID,
    message_id: "m1",
    user_id: "ada",
    remind_at: at(51),
    created_at: at(50),
    updated_at: at(50),
  },
};
const send = (more: object = {}): OutboxRow => ({
  seq: 1,
  messageId: "ada-1",
  cid: CID,
  action: {
    kind: "send",
    message: {
      id: "ada-1",
      text: "hi",
      quoted_message_id: "m1",
      mentioned_users: ["bob", "nobody"],
      ...more,
    },
    options: {},
  },
  state: "queued",
  tries: 0,
  owner: "1:1",
  createdAt: Date.parse(at(100)),
});

/** Ada's channel with every part filled, a thread of m2 and a second channel, each with two members; cy is not blocked. */
function fullState(): Subject {
  const held = channel(
    [
      msg(1),
      msg(2, {
        user: user("cy"),
        mentioned_users: [user("bob"), user("cy")],
        latest_reactions: [love("bob"), love("cy")] as never,
        reaction_groups: {
          love: { count: 2, sum_scores: 2, first_reaction_at: at(3), last_reaction_at: at(3) },
        },
      }),
      msg(3, { user: user("cy"), pinned: true, pinned_at: at(3) }),
      msg(4, { shared_location: location("m4", "bob") as never }),
    ],
    {
      members: [member("ada"), member("bob", { note: "b" } as never), member("cy")],
      membership: member("ada", { note: "a" } as never),
      read: [
        { user: user("ada"), last_read: at(4), unread_messages: 0 },
        { user: user("bob"), last_read: at(2), unread_messages: 2 },
      ],
      watchers: [user("bob"), user("cy")],
      watcher_count: 2,
      pinned_messages: [msg(3, { user: user("cy"), pinned: true, pinned_at: at(3) })],
      active_live_locations: [location("m4", "bob")],
    } as never,
  );
  held.channel = { ...held.channel, own_capabilities: ["send-message"], mood: "x" } as never;
  const s = subject(held);
  const other = channel([], {
    cid: "messaging:two",
    members: [member("ada"), member("cy")],
    membership: member("ada"),
  });
  other.channel = { ...other.channel, member_count: 2, own_capabilities: [] } as never;
  s.machine.apply({ kind: "channels", states: [other], messageLimit: 25, watched: true });
  s.machine.apply({ kind: "page", cid: CID, parentId: "m2", messages: [], pagination: { limit: 25 } });
  s.machine.dispatch([
    event("typing.start", 9, { user: user("bob") }),
    event("typing.start", 9, { user: user("bob"), parent_id: "m2" }),
    event("typing.start", 9, { user: user("cy") }),
  ]);
  s.machine.takeRefetches();
  return s;
}

/** Every leaf of a value by its path; messages and users are keyed by their ids. */
function leaves(value: unknown, at0: string, into: Record<string, unknown>): Record<string, unknown> {
  if (value instanceof Map) for (const [key, each] of value) leaves(each, `${at0}/${key}`, into);
  else if (typeof value !== "object" || value === null) into[at0] = value;
  else if (Symbol.iterator in value) {
    const list = [...(value as Iterable<{ id?: string; user?: { id: string }; parentId?: string }>)];
    if (list.length === 0) into[at0] = [];
    for (const [n, each] of list.entries())
      leaves(
        each,
        `${at0}/${each?.id ?? each?.user?.id ?? n}${each?.parentId ? ` in ${each.parentId}` : ""}`,
        into,
      );
  } else {
    if (Object.keys(value).length === 0) into[at0] = {};
    for (const [key, each] of Object.entries(value)) leaves(each, at0 === "" ? key : `${at0}/${key}`, into);
  }
  return into;
}

/** The differences: `path = value`, `+ path` and `- path` for everything below, and requested refetches. */
function changes(input: AnyEvent[] | StateChange): string[] {
  const s = fullState();
  const before = leaves(s.machine.state(), "", {});
  if (Array.isArray(input)) s.machine.dispatch(input);
  else s.machine.apply(input);
  const after = leaves(s.machine.state(), "", {});
  const starts = (paths: Record<string, unknown>): Set<string> =>
    new Set(
      Object.keys(paths).flatMap((path) =>
        path.split("/").map((_, n, all0) => all0.slice(0, n + 1).join("/")),
      ),
    );
  const [was, is] = [starts(before), starts(after)];
  const highest = (path: string, other: Set<string>): string => {
    const words = path.split("/");
    const end = words.findIndex((_, n) => !other.has(words.slice(0, n + 1).join("/")));
    return words.slice(0, end + 1).join("/");
  };
  const diff = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((path) => {
    if (!(path in after)) return [`- ${highest(path, is)}`];
    if (!(path in before) && path !== highest(path, was)) return [`+ ${highest(path, was)}`];
    const value = JSON.stringify(after[path]);
    return value === JSON.stringify(before[path]) ? [] : [`${path} = ${value}`];
  });
  const wants = s.machine.takeRefetches().map((want) => `ask for ${Object.values(want).join(" ")}`);
  // A list that became empty or appeared is described by its items.
  return [...new Set([...diff, ...wants])]
    .filter((each) => !/^[+-] $/.test(each))
    .map((each) =>
      each.replaceAll("messaging:", "").replace("channels/kitchen/", "").replace("channels/", ""),
    )
    .toSorted();
}

const renamed = (id: string, more: object = {}) => ({ user: { ...user(id), name: "New", ...more } });
const ROWS: [string, AnyEvent[] | StateChange, string[]][] = [
  [
    "a user who is renamed",
    [event("user.updated", 50, { ...all, ...renamed("bob") })],
    [
      'members/bob/user/name = "New"',
      'read/bob/user/name = "New"',
      'sets/0/messages/m1/user/name = "New"',
      'sets/0/messages/m2/latest_reactions/bob/user/name = "New"',
      'sets/0/messages/m2/mentioned_users/bob/name = "New"',
      'sets/0/messages/m4/user/name = "New"',
      'typing/bob in m2/user/name = "New"',
      'typing/bob/user/name = "New"',
      'users/bob/name = "New"',
      'watchers/bob/name = "New"',
    ],
  ],
  [
    "the current user who is renamed",
    [event("user.updated", 50, { ...all, ...renamed("ada", { blocked_user_ids: ["cy"] }) })],
    [
      "+ members/ada/user/blocked_user_ids",
      "+ membership/user/blocked_user_ids",
      "+ read/ada/user/blocked_user_ids",
      "+ two/members/ada/user/blocked_user_ids",
      "+ two/membership/user/blocked_user_ids",
      "+ users/ada/blocked_user_ids",
      'me/blocked_user_ids/0 = "cy"',
      'me/name = "New"',
      'members/ada/user/name = "New"',
      'membership/user/name = "New"',
      'read/ada/user/name = "New"',
      "two/channel/blocked = true",
      "two/hidden = true",
      'two/members/ada/user/name = "New"',
      'two/membership/user/name = "New"',
      'users/ada/name = "New"',
    ],
  ],
  [
    "a presence",
    [event("user.presence.changed", 50, { ...all, user: { ...user("cy"), online: true } })],
    [
      "members/cy/user/online = true",
      "two/members/cy/user/online = true",
      "typing/cy/user/online = true",
      "users/cy/online = true",
      "watchers/cy/online = true",
    ],
  ],
  [
    "a user deleted softly",
    [event("user.deleted", 50, { ...all, user: user("cy") })],
    [
      'members/cy/user/deleted_at = "2026-01-01T00:00:50.000Z"',
      'pinned/m3/user/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m2/latest_reactions/cy/user/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m2/mentioned_users/cy/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m2/user/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m3/user/deleted_at = "2026-01-01T00:00:50.000Z"',
      'two/members/cy/user/deleted_at = "2026-01-01T00:00:50.000Z"',
      'typing/cy/user/deleted_at = "2026-01-01T00:00:50.000Z"',
      'users/cy/deleted_at = "2026-01-01T00:00:50.000Z"',
      'watchers/cy/deleted_at = "2026-01-01T00:00:50.000Z"',
    ],
  ],
  [
    "a user deleted with messages",
    [event("user.deleted", 50, { ...all, user: user("cy"), mark_messages_deleted: true })],
    [
      "- pinned/m3",
      "- sets/0/messages/m2/latest_reactions/bob",
      "- sets/0/messages/m2/latest_reactions/cy",
      "- sets/0/messages/m2/mentioned_users/bob",
      "- sets/0/messages/m2/mentioned_users/cy",
      "- sets/0/messages/m2/reaction_groups/love",
      'members/cy/user/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m2/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m2/text = ""',
      'sets/0/messages/m2/type = "deleted"',
      'sets/0/messages/m2/user/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m3/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m3/text = ""',
      'sets/0/messages/m3/type = "deleted"',
      'sets/0/messages/m3/user/deleted_at = "2026-01-01T00:00:50.000Z"',
      'two/members/cy/user/deleted_at = "2026-01-01T00:00:50.000Z"',
      'typing/cy/user/deleted_at = "2026-01-01T00:00:50.000Z"',
      'users/cy/deleted_at = "2026-01-01T00:00:50.000Z"',
      'watchers/cy/deleted_at = "2026-01-01T00:00:50.000Z"',
    ],
  ],
  [
    "a ban of another user in the channel",
    [event("user.banned", 50, { user: user("bob"), expiration: at(90), shadow: false })],
    ['members/bob/ban_expires = "2026-01-01T00:01:30.000Z"', "members/bob/banned = true"],
  ],
  [
    "a shadow ban of the current user",
    [event("user.banned", 50, { user: user("ada"), shadow: true })],
    ["members/ada/shadow_banned = true", "membership/shadow_banned = true"],
  ],
  [
    "a ban of the current user",
    [event("user.banned", 50, { user: user("ada") })],
    [
      "ask for capabilities kitchen",
      "members/ada/ban_expires = null",
      "members/ada/banned = true",
      "membership/ban_expires = null",
      "membership/banned = true",
    ],
  ],
  [
    "an unban of the current user",
    [event("user.unbanned", 50, { user: user("ada") })],
    [
      "ask for capabilities kitchen",
      "members/ada/ban_expires = null",
      "members/ada/banned = false",
      "membership/ban_expires = null",
      "membership/banned = false",
    ],
  ],
  [
    "an app-wide ban of the current user",
    [event("user.banned", 50, { ...all, user: user("ada"), expiration: at(90) })],
    ['me/ban_expires = "2026-01-01T00:01:30.000Z"', "me/banned = true"],
  ],
  [
    "an app-wide unban of the current user",
    [
      event("user.banned", 50, { ...all, user: user("ada"), expiration: at(90) }),
      event("user.unbanned", 51, { ...all, user: user("ada") }),
    ],
    ["ask for capabilities two", "me/banned = false"],
  ],
  [
    "mutes",
    [
      event("notification.mutes_updated", 50, {
        ...all,
        me: { mutes: [{ target: { id: "bob" } }], name: "no" },
      }),
    ],
    ["+ me/mutes/0"],
  ],
  [
    "a first frame",
    [
      event("health.check", 50, {
        ...all,
        me: me({
          blocked_user_ids: ["cy"],
          total_unread_count: 5,
          unread_count: 4,
          unread_channels: 3,
          unread_threads: 2,
        } as never),
      }),
    ],
    [
      'me/blocked_user_ids/0 = "cy"',
      "me/total_unread_count = 5",
      "me/unread_channels = 3",
      "me/unread_count = 4",
      "me/unread_threads = 2",
      "totals/channels = 3",
      "totals/threads = 2",
      "totals/unread = 5",
      "two/channel/blocked = true",
      "two/hidden = true",
    ],
  ],
  [
    "a first frame without totals",
    [event("health.check", 50, { ...all, me: { ...user("ada") } })],
    ["- me/total_unread_count", "- me/unread_channels", "- me/unread_count", "- me/unread_threads"],
  ],
  [
    "new channel data",
    [
      event("channel.updated", 50, {
        channel: {
          ...channel().channel,
          name: "Tea",
          member_count: 7,
          frozen: true,
          updated_at: at(50),
          own_capabilities: ["x"],
          members: [],
        },
        message: msg(5),
      }),
    ],
    [
      "+ sets/0/messages/m5",
      "- channel/mood",
      "ask for capabilities kitchen",
      "channel/frozen = true",
      "channel/member_count = 7",
      'channel/name = "Tea"',
      'channel/updated_at = "2026-01-01T00:00:50.000Z"',
      "memberCount = 7",
    ],
  ],
  [
    "older channel data",
    [
      event("channel.updated", 50, {
        channel: { ...channel().channel, name: "Tea", updated_at: "2025-01-01T00:00:00Z" },
      }),
    ],
    [],
  ],
  [
    "a part of the channel's data",
    [event("channel.updated", 50, { channel: { cid: CID, name: "Tea", updated_at: at(0) } })],
    ['channel/name = "Tea"'],
  ],
  ["frozen", [event("channel.frozen", 50)], ["ask for capabilities kitchen", "channel/frozen = true"]],
  ["thawed", [event("channel.unfrozen", 50)], []],
  [
    "a truncation",
    [
      event("channel.truncated", 50, {
        channel: { ...channel().channel, truncated_at: at(3) },
        message: msg(5, { type: "system" }),
      }),
    ],
    [
      "+ sets/0/messages/m5",
      "- channel/mood",
      "- pinned/m3",
      "- sets/0/messages/m1",
      "- sets/0/messages/m2",
      "- sets/0/messages/m3",
      "- threads",
      'channel/truncated_at = "2026-01-01T00:00:03.000Z"',
    ],
  ],
  [
    "a deleted channel",
    [event("channel.deleted", 50)],
    [
      "- liveLocations/0",
      "- pinned/m3",
      "- sets/0",
      "- threads",
      "- typing/bob",
      "- typing/bob in m2",
      "- typing/cy",
      "- watchers",
      "unavailable = true",
      "watched = false",
      "watcherCount = 0",
    ],
  ],
  [
    "a removal from the channel",
    [event("notification.removed_from_channel", 50)],
    [
      "- liveLocations/0",
      "- membership",
      "- pinned/m3",
      "- sets/0",
      "- threads",
      "- typing/bob",
      "- typing/bob in m2",
      "- typing/cy",
      "- watchers",
      "unavailable = true",
      "watched = false",
      "watcherCount = 0",
    ],
  ],
  ["hidden", [event("channel.hidden", 50)], ["hidden = true"]],
  [
    "a channel hidden with its history",
    [event("channel.hidden", 50, { clear_history: true })],
    [
      "- liveLocations/0",
      "- pinned/m3",
      "- sets/0/messages/m1",
      "- sets/0/messages/m2",
      "- sets/0/messages/m3",
      "- sets/0/messages/m4",
      "- threads",
      "hidden = true",
    ],
  ],
  [
    "a channel hidden up to a time",
    [event("channel.hidden", 50, { clear_history: true, channel: { hide_messages_before: at(2) } })],
    ["- sets/0/messages/m1", "- sets/0/messages/m2", "- threads", "hidden = true"],
  ],
  ["hidden and shown", [event("channel.hidden", 50), event("channel.visible", 51)], []],
  [
    "a message in a hidden channel",
    [event("channel.hidden", 50), isNew(msg(60))],
    [
      "+ sets/0/messages/m60",
      "- typing/bob",
      'channel/last_message_at = "2026-01-01T00:01:00.000Z"',
      'firstUnreadId = "m60"',
      "read/ada/unread_messages = 1",
      "unread = 1",
    ],
  ],
  [
    "a message of the time of hiding",
    [event("channel.hidden", 50), isNew(msg(50))],
    [
      "+ sets/0/messages/m50",
      "- typing/bob",
      'channel/last_message_at = "2026-01-01T00:00:50.000Z"',
      'firstUnreadId = "m50"',
      "hidden = true",
      "read/ada/unread_messages = 1",
      "unread = 1",
    ],
  ],
  [
    "an added member",
    [event("member.added", 50, { member: member("dan"), user: user("dan") })],
    ["+ members/dan", "+ users/dan", "memberCount = 4"],
  ],
  [
    "an added member with the member count",
    [
      event("member.added", 50, {
        member: member("dan"),
        user: user("dan"),
        channel_member_count: 9,
        channel: { member_count: 8 },
      }),
    ],
    ["+ members/dan", "+ users/dan", "memberCount = 8"],
  ],
  [
    "a member added again",
    [event("member.added", 50, { member: member("bob"), user: user("bob") })],
    ["- members/bob/note"],
  ],
  [
    "the own membership",
    [
      event("member.updated", 50, {
        member: member("ada", { pinned_at: at(9) } as never),
        user: user("ada"),
      }),
    ],
    [
      'members/ada/pinned_at = "2026-01-01T00:00:09.000Z"',
      'membership/pinned_at = "2026-01-01T00:00:09.000Z"',
    ],
  ],
  [
    "the own role",
    [
      event("member.updated", 50, {
        member: member("ada", { channel_role: "channel_moderator" }),
        user: user("ada"),
      }),
    ],
    [
      "ask for capabilities kitchen",
      'members/ada/channel_role = "channel_moderator"',
      'membership/channel_role = "channel_moderator"',
    ],
  ],
  [
    "a removed member",
    [event("member.removed", 50, { member: member("bob"), user: user("bob") })],
    [
      "- liveLocations/0",
      "- members/bob",
      "- read/bob",
      "- typing/bob",
      "- typing/bob in m2",
      "- watchers/bob",
      "memberCount = 2",
    ],
  ],
  [
    "a removed member with the member count",
    [event("member.removed", 50, { user: user("cy"), channel_member_count: 9 })],
    ["- members/cy", "- typing/cy", "- watchers/cy", "memberCount = 9"],
  ],
  ["stranger removed", [event("member.removed", 50, { member: member("zed"), user: user("zed") })], []],
  [
    "the current user removed from the members",
    [event("member.removed", 50, { member: member("ada"), user: user("ada") })],
    [
      "- liveLocations/0",
      "- members/ada",
      "- membership",
      "- pinned/m3",
      "- read/ada",
      "- sets/0",
      "- threads",
      "- typing/bob",
      "- typing/bob in m2",
      "- typing/cy",
      "- watchers",
      "memberCount = 2",
      "unavailable = true",
      "watched = false",
      "watcherCount = 0",
    ],
  ],
  [
    "being added to a channel",
    [
      event("notification.added_to_channel", 50, {
        member: member("ada", { updated_at: at(50) }),
        channel: { cid: CID },
      }),
    ],
    [
      'members/ada/updated_at = "2026-01-01T00:00:50.000Z"',
      'membership/updated_at = "2026-01-01T00:00:50.000Z"',
    ],
  ],
  [
    "being added to a deleted channel",
    [event("channel.deleted", 50), event("notification.added_to_channel", 51, { channel: { cid: CID } })],
    [
      "- liveLocations/0",
      "- pinned/m3",
      "- sets/0",
      "- threads",
      "- typing/bob",
      "- typing/bob in m2",
      "- typing/cy",
      "- watchers",
      "ask for channel kitchen",
      "unavailable = true",
      "watched = false",
      "watcherCount = 0",
    ],
  ],
  [
    "a user who starts watching",
    [event("user.watching.start", 50, { user: user("dan"), watcher_count: 5 })],
    ["+ users/dan", "+ watchers/dan", "watcherCount = 5"],
  ],
  [
    "a user who stops watching",
    [event("user.watching.stop", 50, { user: user("bob"), watcher_count: 1 })],
    ["- watchers/bob", "watcherCount = 1"],
  ],
  [
    "a user typing in a thread",
    [event("typing.start", 50, { user: user("cy"), parent_id: "m2" })],
    ["+ typing/cy in m2"],
  ],
  [
    "a user who stops typing in a thread",
    [event("typing.stop", 50, { user: user("bob"), parent_id: "m2" })],
    ["- typing/bob in m2"],
  ],
  ["typing no more", [event("typing.stop", 50, { user: user("bob") })], ["- typing/bob"]],
  ["typing no more who did not", [event("typing.stop", 50, { user: user("dan") })], []],
  [
    "the stale mark",
    { kind: "stale" },
    [
      "- typing/bob",
      "- typing/bob in m2",
      "- typing/cy",
      "- watchers",
      "stale = true",
      "threads/m2/stale = true",
      "two/stale = true",
      "watcherCount = 0",
    ],
  ],
  [
    "the end of a watch",
    { kind: "unwatched", cid: CID },
    [
      "- typing/bob",
      "- typing/bob in m2",
      "- typing/cy",
      "- watchers",
      "watched = false",
      "watcherCount = 0",
    ],
  ],
  [
    "an unavailable channel",
    { kind: "unavailable", cids: [CID] },
    [
      "- liveLocations/0",
      "- pinned/m3",
      "- sets/0",
      "- threads",
      "- typing/bob",
      "- typing/bob in m2",
      "- typing/cy",
      "- watchers",
      "unavailable = true",
      "watched = false",
      "watcherCount = 0",
    ],
  ],
  [
    "new totals",
    { kind: "totals", unread: 3, channels: 2, threads: 1 },
    ["totals/channels = 2", "totals/threads = 1", "totals/unread = 3"],
  ],
  ["outbox", { kind: "outbox", count: 2 }, ["outbox = 2"]],
  ["storage", { kind: "storage", storage: "full" }, ['storage = "full"']],
  ["loading", { kind: "loading", cid: CID, loading: "prev" }, ['sets/0/loading = "prev"']],
  [
    "loading a thread",
    { kind: "loading", cid: CID, parentId: "m2", loading: "next" },
    ['threads/m2/sets/0/loading = "next"'],
  ],
  ["reset", { kind: "reset" }, ["- channels", "- me", "- users"]],
  [
    "a restored older channel",
    { kind: "restored", me: { ...me(), name: "old" }, states: [channel([msg(1, { text: "old" })])] },
    [],
  ],
  [
    "a message of another user",
    [isNew(msg(60))],
    [
      "+ sets/0/messages/m60",
      "- typing/bob",
      'channel/last_message_at = "2026-01-01T00:01:00.000Z"',
      'firstUnreadId = "m60"',
      "read/ada/unread_messages = 1",
      "unread = 1",
    ],
  ],
  [
    "a message of the current user",
    [isNew(msg(60, { user: user("ada") }))],
    ["+ sets/0/messages/m60", 'channel/last_message_at = "2026-01-01T00:01:00.000Z"'],
  ],
  [
    "a message that mentions the current user",
    [isNew(msg(60, { user: user("cy"), mentioned_users: [user("ada")] }))],
    [
      "+ sets/0/messages/m60",
      "- typing/cy",
      'channel/last_message_at = "2026-01-01T00:01:00.000Z"',
      'firstUnreadId = "m60"',
      "mentions = 1",
      "read/ada/unread_messages = 1",
      "unread = 1",
    ],
  ],
  [
    "a silent message",
    [isNew(msg(60, { silent: true }))],
    ["+ sets/0/messages/m60", "- typing/bob", 'channel/last_message_at = "2026-01-01T00:01:00.000Z"'],
  ],
  [
    "a reply",
    [isNew(msg(60, { parent_id: "m2", user: user("bob") }))],
    ["+ threads/m2/sets/0/messages/m60", "- typing/bob in m2"],
  ],
  [
    "a reply shown in the channel",
    [isNew(msg(60, { parent_id: "m2", show_in_channel: true, user: user("cy") }))],
    [
      "+ sets/0/messages/m60",
      "+ threads/m2/sets/0/messages/m60",
      'channel/last_message_at = "2026-01-01T00:01:00.000Z"',
      'firstUnreadId = "m60"',
      "read/ada/unread_messages = 1",
      "unread = 1",
    ],
  ],
  [
    "an edit",
    [
      event("message.updated", 50, {
        message: msg(3, {
          user: user("cy"),
          text: "new",
          pinned: true,
          pinned_at: at(3),
          updated_at: at(50),
          own_reactions: [love("ada")] as never,
        }),
      }),
    ],
    [
      'pinned/m3/text = "new"',
      'pinned/m3/updated_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m3/text = "new"',
      'sets/0/messages/m3/updated_at = "2026-01-01T00:00:50.000Z"',
    ],
  ],
  [
    "an edit that unpins",
    [
      event("message.updated", 50, {
        message: msg(3, { user: user("cy"), pinned: false, pinned_at: null, updated_at: at(50) } as never),
      }),
    ],
    [
      "- pinned/m3",
      "sets/0/messages/m3/pinned = false",
      "sets/0/messages/m3/pinned_at = null",
      'sets/0/messages/m3/updated_at = "2026-01-01T00:00:50.000Z"',
    ],
  ],
  [
    "a pin",
    [
      event("message.updated", 50, {
        message: msg(1, { pinned: true, pinned_at: at(50), updated_at: at(50) }),
      }),
    ],
    [
      "+ pinned/m1",
      "sets/0/messages/m1/pinned = true",
      'sets/0/messages/m1/pinned_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m1/updated_at = "2026-01-01T00:00:50.000Z"',
    ],
  ],
  [
    "a location that moves",
    [
      event("message.updated", 50, {
        message: msg(4, {
          updated_at: at(50),
          shared_location: { ...location("m4", "bob"), latitude: 9, updated_at: at(50) } as never,
        }),
      }),
    ],
    [
      "+ liveLocations/0/trail",
      "+ sets/0/messages/m4/trail",
      "liveLocations/0/latitude = 9",
      'liveLocations/0/updated_at = "2026-01-01T00:00:50.000Z"',
      "sets/0/messages/m4/shared_location/latitude = 9",
      'sets/0/messages/m4/shared_location/updated_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m4/updated_at = "2026-01-01T00:00:50.000Z"',
    ],
  ],
  [
    "a location that ends",
    [
      event("message.updated", 50, {
        message: msg(4, {
          updated_at: at(50),
          shared_location: { ...location("m4", "bob"), end_at: at(50), updated_at: at(50) } as never,
        }),
      }),
    ],
    [
      "- liveLocations/0",
      'sets/0/messages/m4/shared_location/end_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m4/shared_location/updated_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m4/updated_at = "2026-01-01T00:00:50.000Z"',
    ],
  ],
  [
    "a late event of a location",
    [
      event("message.updated", 50, {
        message: msg(4, {
          updated_at: at(50),
          shared_location: { ...location("m4", "bob"), latitude: 9, updated_at: at(3) } as never,
        }),
      }),
    ],
    [
      "+ sets/0/messages/m4/trail",
      "sets/0/messages/m4/shared_location/latitude = 9",
      'sets/0/messages/m4/shared_location/updated_at = "2026-01-01T00:00:03.000Z"',
      'sets/0/messages/m4/updated_at = "2026-01-01T00:00:50.000Z"',
    ],
  ],
  [
    "a delete",
    [
      event("message.deleted", 50, {
        message: msg(3, { user: user("cy"), updated_at: at(50), deleted_at: at(49) }),
      }),
    ],
    [
      "- pinned/m3",
      "- sets/0/messages/m3/pinned",
      "- sets/0/messages/m3/pinned_at",
      'sets/0/messages/m3/deleted_at = "2026-01-01T00:00:49.000Z"',
      'sets/0/messages/m3/text = ""',
      'sets/0/messages/m3/type = "deleted"',
      'sets/0/messages/m3/updated_at = "2026-01-01T00:00:50.000Z"',
    ],
  ],
  [
    "a delete of a message that shares a location",
    [event("message.deleted", 50, { message: msg(4, { updated_at: at(50) }) })],
    [
      "- liveLocations/0",
      "- sets/0/messages/m4/shared_location",
      'sets/0/messages/m4/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m4/text = ""',
      'sets/0/messages/m4/type = "deleted"',
      'sets/0/messages/m4/updated_at = "2026-01-01T00:00:50.000Z"',
    ],
  ],
  [
    "a delete for the current user",
    [event("message.deleted", 50, { message: msg(4, { updated_at: at(50) }), deleted_for_me: true })],
    [
      "- sets/0/messages/m4/shared_location",
      'sets/0/messages/m4/deleted_at = "2026-01-01T00:00:50.000Z"',
      "sets/0/messages/m4/deleted_for_me = true",
      'sets/0/messages/m4/text = ""',
      'sets/0/messages/m4/type = "deleted"',
    ],
  ],
  [
    "a hard delete",
    [event("message.deleted", 50, { message: msg(2, { user: user("cy") }), hard_delete: true })],
    ["- sets/0/messages/m2", "- threads"],
  ],
  [
    "an undeleted message",
    [
      event("message.deleted", 50, { message: msg(1, { updated_at: at(50) }) }),
      event("message.undeleted", 51, { message: msg(1, { updated_at: at(51), text: "back" }) }),
    ],
    ['sets/0/messages/m1/text = "back"', 'sets/0/messages/m1/updated_at = "2026-01-01T00:00:51.000Z"'],
  ],
  [
    "a reaction of another user",
    [
      event("reaction.new", 50, {
        message: msg(1, {
          reaction_groups: { love: { count: 1 } } as never,
          latest_reactions: [love("bob")] as never,
        }),
        reaction: love("bob"),
        user: user("bob"),
      }),
    ],
    ["+ sets/0/messages/m1/latest_reactions/bob", "+ sets/0/messages/m1/reaction_groups/love"],
  ],
  [
    "a reaction of the current user",
    [
      event("reaction.new", 50, {
        message: msg(1, {
          reaction_groups: { love: { count: 1 } } as never,
          latest_reactions: [love("ada")] as never,
        }),
        reaction: love("ada"),
        user: user("ada"),
      }),
    ],
    [
      "+ sets/0/messages/m1/latest_reactions/ada",
      "+ sets/0/messages/m1/own_reactions/ada",
      "+ sets/0/messages/m1/reaction_groups/love",
    ],
  ],
  [
    "a removed reaction of the current user",
    [
      event("reaction.new", 50, {
        message: msg(1, { reaction_groups: { love: { count: 1 } } as never }),
        reaction: love("ada"),
      }),
      event("reaction.deleted", 51, { message: msg(1), reaction: love("ada") }),
    ],
    [],
  ],
  [
    "deleted messages of a user",
    [event("user.messages.deleted", 50, { user: user("cy") })],
    [
      "- pinned/m3",
      "- sets/0/messages/m2/latest_reactions/bob",
      "- sets/0/messages/m2/latest_reactions/cy",
      "- sets/0/messages/m2/mentioned_users/bob",
      "- sets/0/messages/m2/mentioned_users/cy",
      "- sets/0/messages/m2/reaction_groups/love",
      'sets/0/messages/m2/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m2/text = ""',
      'sets/0/messages/m2/type = "deleted"',
      'sets/0/messages/m3/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m3/text = ""',
      'sets/0/messages/m3/type = "deleted"',
    ],
  ],
  [
    "hard-deleted messages of a user",
    [event("user.messages.deleted", 50, { user: user("cy"), hard_delete: true })],
    [
      "- pinned/m3",
      "- sets/0/messages/m2/latest_reactions/bob",
      "- sets/0/messages/m2/latest_reactions/cy",
      "- sets/0/messages/m2/mentioned_users/bob",
      "- sets/0/messages/m2/mentioned_users/cy",
      "- sets/0/messages/m2/reaction_groups/love",
      'sets/0/messages/m2/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m2/text = ""',
      'sets/0/messages/m2/type = "deleted"',
      'sets/0/messages/m3/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m3/text = ""',
      'sets/0/messages/m3/type = "deleted"',
    ],
  ],
  [
    "deleted messages of a user in all channels",
    [event("user.messages.deleted", 50, { ...all, user: user("cy") })],
    [
      "- pinned/m3",
      "- sets/0/messages/m2/latest_reactions/bob",
      "- sets/0/messages/m2/latest_reactions/cy",
      "- sets/0/messages/m2/mentioned_users/bob",
      "- sets/0/messages/m2/mentioned_users/cy",
      "- sets/0/messages/m2/reaction_groups/love",
      'sets/0/messages/m2/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m2/text = ""',
      'sets/0/messages/m2/type = "deleted"',
      'sets/0/messages/m3/deleted_at = "2026-01-01T00:00:50.000Z"',
      'sets/0/messages/m3/text = ""',
      'sets/0/messages/m3/type = "deleted"',
    ],
  ],
  [
    "a read mark of another user",
    [event("message.read", 50, { user: user("bob"), last_read_message_id: "m4" })],
    [
      'read/bob/last_read = "2026-01-01T00:00:50.000Z"',
      'read/bob/last_read_message_id = "m4"',
      "read/bob/unread_messages = 0",
    ],
  ],
  [
    "a read mark of the current user",
    [
      isNew(msg(60)),
      event("notification.mark_read", 70, {
        user: user("ada"),
        last_read_message_id: "m60",
        unread_count: 0,
        total_unread_count: 0,
        unread_channels: 0,
      }),
    ],
    [
      "+ sets/0/messages/m60",
      "- typing/bob",
      'channel/last_message_at = "2026-01-01T00:01:00.000Z"',
      'firstUnreadId = "m60"',
      'read/ada/last_read = "2026-01-01T00:01:10.000Z"',
      'read/ada/last_read_message_id = "m60"',
    ],
  ],
  [
    "a mark as unread of the current user",
    [
      event("notification.mark_unread", 70, {
        user: user("ada"),
        first_unread_message_id: "m2",
        last_read_message_id: "m1",
        last_read_at: at(1),
        unread_messages: 3,
        total_unread_count: 3,
        unread_channels: 1,
      }),
    ],
    [
      'firstUnreadId = "m2"',
      "keepsUnread = true",
      'read/ada/last_read = "2026-01-01T00:00:01.000Z"',
      'read/ada/last_read_message_id = "m1"',
      "read/ada/unread_messages = 3",
      "totals/channels = 1",
      "totals/unread = 3",
      "unread = 3",
    ],
  ],
  [
    "a draft",
    [
      event("draft.updated", 50, {
        draft: { channel_cid: CID, message: { id: "d", text: "x" }, created_at: at(50) },
      }),
    ],
    ["+ draft"],
  ],
  [
    "a draft of a thread",
    [
      event("draft.updated", 50, {
        parent_id: "m2",
        draft: { channel_cid: CID, parent_id: "m2", message: { id: "d", text: "x" }, created_at: at(50) },
      }),
    ],
    ["+ sets/0/messages/m2/draft"],
  ],
  [
    "a deleted draft",
    [
      event("draft.updated", 50, {
        draft: { channel_cid: CID, message: { id: "d", text: "x" }, created_at: at(50) },
      }),
      event("draft.deleted", 51, {
        draft: { channel_cid: CID, message: { id: "d", text: "x" }, created_at: at(50) },
      }),
    ],
    [],
  ],
  ["a reminder", [event("reminder.created", 50, { ...reminder })], ["+ sets/0/messages/m1/reminder"]],
  [
    "a reminder that is due",
    [event("reminder.created", 50, { ...reminder }), event("notification.reminder_due", 51, { ...reminder })],
    ["+ sets/0/messages/m1/reminder", "sets/0/messages/m1/reminderDue = true"],
  ],
  [
    "a removed reminder",
    [event("reminder.created", 50, { ...reminder }), event("reminder.deleted", 51, { ...reminder })],
    [],
  ],
  [
    "a queued message",
    { kind: "queued", row: send(), user: user("ada"), fresh: true },
    ["+ sets/0/messages/ada-1"],
  ],
  [
    "a queued reply",
    { kind: "queued", row: send({ parent_id: "m2" }), user: user("ada"), fresh: true },
    ["+ threads/m2/sets/0/messages/ada-1"],
  ],
  [
    "a queued reply shown in the channel",
    { kind: "queued", row: send({ parent_id: "m2", show_in_channel: true }), user: user("zed"), fresh: true },
    ["+ sets/0/messages/ada-1", "+ threads/m2/sets/0/messages/ada-1"],
  ],
  [
    "a row found at startup",
    { kind: "queued", row: { ...send(), createdAt: Date.parse(at(2)) }, user: user("ada"), fresh: false },
    ["+ sets/0/messages/ada-1"],
  ],
  [
    "a row refused before",
    {
      kind: "queued",
      row: { ...send(), state: "failed", error: { message: "no", code: 5 } },
      user: user("ada"),
      fresh: false,
    },
    ["+ sets/0/messages/ada-1"],
  ],
  [
    "a row of a message the provider has",
    { kind: "queued", row: { ...send(), messageId: "m1" }, user: user("ada"), fresh: false },
    [],
  ],
  [
    "a row of an unloaded channel",
    { kind: "queued", row: { ...send(), cid: "messaging:none" }, user: user("ada"), fresh: true },
    [],
  ],
];

test.each(ROWS)("%s changes exactly the listed values", (_, input, expected) => {
  expect(changes(input)).toEqual(expected);
});

test("R-SEND-5: a queued message is shown complete, with its quote, mentions and users", () => {
  const echo = (more: object, at0 = 100, fresh = true) => {
    const s = fullState();
    const row = { ...send(more), createdAt: Date.parse(at(at0)) };
    s.machine.apply({ kind: "queued", row, user: user("ada", { name: "Old" }), fresh });
    return s.loaded("ada-1")!;
  };
  const { quoted_message: quoted, ...rest } = echo({ attachments: [{ type: "file" }], mood: "calm" });
  expect(rest).toStrictEqual({
    id: "ada-1",
    cid: CID,
    type: "regular",
    text: "hi",
    mood: "calm",
    quoted_message_id: "m1",
    user: fullState().machine.state().users.get("ada"),
    attachments: [{ type: "file" }],
    mentioned_users: [fullState().machine.state().users.get("bob"), { id: "nobody" }],
    reply_count: 0,
    reaction_groups: {},
    latest_reactions: [],
    own_reactions: [],
    created_at: "2026-01-01T00:01:40.000000Z",
    updated_at: "2026-01-01T00:01:40.000000Z",
    status: "sending",
    waits: { for: "turn" },
  });
  expect(quoted).toMatchObject({ id: "m1", text: "text 1" });
  expect(echo({ quoted_message_id: "none" })).not.toHaveProperty("quoted_message");
  expect(echo({ text: undefined, mentioned_users: undefined })).toMatchObject({
    text: "",
    attachments: [],
    mentioned_users: [],
  });
  // A reply is sorted within its thread, unless it is shown in the channel too; one found at a start keeps its time.
  expect([
    echo({ parent_id: "m2" }, 1).created_at,
    echo({ parent_id: "m2", show_in_channel: true }, 1).created_at,
    echo({}, 1).created_at,
    echo({}, 4).created_at,
    echo({}, 1, false).created_at,
  ]).toEqual([
    "2026-01-01T00:00:01.000000Z",
    "2026-01-01T00:00:04.000001Z",
    "2026-01-01T00:00:04.000001Z",
    "2026-01-01T00:00:04.000001Z",
    "2026-01-01T00:00:01.000000Z",
  ]);
  expect(echo({ parent_id: "m2" }).type).toBe("reply");
});
