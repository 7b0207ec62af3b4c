/** Every event of the protocol once: its cause, the connections that receive it, and all of its keys (specification/events.md §3). */
import type { EventType, LOCAL_EVENTS } from "../../src/wire/events.ts";
import {
  BARE_THREAD,
  BROADCAST_CHANNEL,
  CONFIG,
  FULL_DRAFT,
  FULL_REMINDER,
  MEMBER,
  MESSAGE,
  MUTE,
  MUTED_CHANNEL,
  POLL,
  REACTION,
  USER,
  VOTE,
} from "./entities.ts";
import { ENVELOPE, type ConnectionName, type EventRoom } from "./event-room.ts";
import type { Keys } from "./shape.ts";
import type { Json, Caller } from "./world.ts";

export type Wire = Exclude<EventType, (typeof LOCAL_EVENTS)[number] | "health.check">;

export interface Scenario {
  /** The connections that receive it: ada and bob watch, ada2 (also ada) does not, cyd is a member who does not watch, dan no member. */
  to: readonly ConnectionName[];
  keys: Keys;
  /** Preparation before the connections are observed; its result is passed to `cause`. */
  given?: (h: EventRoom) => Promise<unknown>;
  cause: (h: EventRoom, given: Json) => Promise<unknown>;
  /** Needs the clock of the embedded provider. */
  embedded?: true;
}

const W = ["ada", "bob"] as const;
/** Connections of members that do not watch. */
const N = ["ada2", "cyd"] as const;
const ADA = ["ada", "ada2"] as const;

const BARE: Keys = { type: "text", created_at: "date" };
const COUNTERS: Keys = {
  total_unread_count: "count",
  unread_channels: "count",
  unread_count: "count",
  "unread_threads?": "count",
};
const maybe = (keys: Keys): Keys =>
  Object.fromEntries(Object.entries(keys).map(([key, shape]) => [`${key.replace("?", "")}?`, shape]));
const E: Keys = ENVELOPE;
const C = { channel: BROADCAST_CHANNEL };
const M = { message: MESSAGE, message_id: "text" } as const;
const U = { user: USER };

const ok = (h: EventRoom, who: Caller, method: string, route: string, body?: object): Promise<Json> =>
  h.world.ok(who, method, route, body ? { body } : {});
/** A call to a route below the room's path. */
const at = (h: EventRoom, who: Caller, method: string, below: string, body?: object): Promise<Json> =>
  ok(h, who, method, h.room.route + below, body);
const onMessage = (h: EventRoom, who: Caller, method: string, below: string, body?: object): Promise<Json> =>
  ok(h, who, method, `/messages/${h.room.message}${below}`, body);
const reply = (h: EventRoom, who: Caller): Promise<string> =>
  h.world.say(who, h.room.route, { text: "yes", parent_id: h.room.message });
const love = (h: EventRoom, score = 1): Promise<Json> =>
  onMessage(h, "bob", "POST", "/reaction", { reaction: { type: "love", score } });
const react: Keys = { ...E, ...M, ...U, reaction: REACTION };
const member: Keys = { ...E, ...U, member: MEMBER, "channel?": BROADCAST_CHANNEL };
const remind = (h: EventRoom, method: string, minutes: number): Promise<Json> => {
  const now = h.world.now();
  return onMessage(h, "ada", method, "/reminders", {
    remind_at: new Date(now + minutes * 60_000).toISOString(),
  });
};
const reminder: Keys = { ...E, reminder: FULL_REMINDER, message_id: "text", user_id: "text" };

/** Changes the channel by a batch job and waits for it: the event comes when the job runs. */
async function freeze(h: EventRoom, frozen: boolean): Promise<void> {
  const { task_id: id } = await ok(h, "server", "PUT", "/channels/batch", {
    operation: "updateData",
    filter: { cids: { $eq: h.room.cid } },
    data: { frozen },
  });
  while (!/completed|failed/.test((await ok(h, "server", "GET", `/tasks/${id}`)).status));
}

interface Asked {
  poll: Json;
  message: string;
}
async function ask(h: EventRoom, settings: object = {}): Promise<Asked> {
  const options = [
    { id: "green", text: "Green" },
    { id: "black", text: "Black" },
  ];
  const { poll } = await ok(h, "ada", "POST", "/polls", { name: "Which tea?", options, ...settings });
  return { poll, message: await h.world.say("ada", h.room.route, { poll_id: poll.id }) };
}
const vote = (h: EventRoom, { poll, message }: Asked, option = "green"): Promise<Json> =>
  ok(h, "bob", "POST", `/messages/${message}/polls/${poll.id}/vote`, { vote: { option_id: option } });
const polled: Keys = { ...E, "user?": USER, poll: POLL, ...M };
const voted: Keys = { ...polled, ...U, poll_vote: VOTE };

/** Creates a user for one event, who is a member of the room and followed by bob. */
async function somebody(h: EventRoom): Promise<string> {
  const id = `eve-${h.room.id}`;
  await ok(h, "server", "POST", "/users", { users: { [id]: { id, name: "Eve" } } });
  await at(h, "server", "POST", "", { add_members: [id] });
  await follow(h, id);
  return id;
}
const follow = (h: EventRoom, id: string): Promise<Json> =>
  h.world.ok("bob", "GET", "/users", {
    query: { connection_id: h.sockets.bob.id, payload: { filter_conditions: { id }, presence: true } },
  });
const ban = { target_user_id: "cyd", banned_by_id: "mod" };
const inRoom = (h: EventRoom): object => ({ type: h.room.type, id: h.room.id });

export const SCENARIOS: Record<Wire, Scenario> = {
  "message.new": {
    to: W,
    keys: {
      ...E,
      ...M,
      ...U,
      watcher_count: "count",
      ...maybe(COUNTERS),
    },
    cause: (h) => h.world.say("bob", h.room.route, { text: "tea" }),
  },
  "notification.message_new": {
    to: N,
    keys: { ...E, ...M, ...C, ...COUNTERS, "user?": USER, "watcher_count?": "count" },
    cause: (h) => h.world.say("bob", h.room.route, { text: "tea" }),
  },
  "notification.thread_message_new": {
    to: ["ada2"],
    keys: {
      ...E,
      ...M,
      ...C,
      "user?": USER,
      thread_id: "text",
      parent_author: "text",
      thread_participants: [USER],
      unread_threads: "count",
      unread_thread_messages: "count",
      "watcher_count?": "count",
    },
    cause: (h) => reply(h, "bob"),
  },
  "message.updated": {
    to: W,
    keys: { ...E, ...M, ...U, "message_update?": { "old_text?": "text", "change_set?": "object" } },
    cause: (h) => onMessage(h, "ada", "PUT", "", { set: { text: "coffee?" } }),
  },
  "message.deleted": {
    to: W,
    keys: { ...E, ...M, ...U, hard_delete: "flag" },
    cause: (h) => onMessage(h, "ada", "DELETE", ""),
  },
  "message.undeleted": {
    to: W,
    keys: { ...E, ...M, "user?": USER },
    given: (h) => onMessage(h, "ada", "DELETE", ""),
    cause: (h) => onMessage(h, "server", "POST", "/undelete", { undeleted_by: "mod" }),
  },
  "message.read": {
    to: W,
    keys: { ...E, ...U, last_read_message_id: "text" },
    cause: (h) => at(h, "cyd", "POST", "/read", {}),
  },
  "message.delivered": {
    to: W,
    keys: { ...E, ...U, last_delivered_at: "date", last_delivered_message_id: "text" },
    cause: (h) =>
      ok(h, "cyd", "POST", "/channels/delivered", {
        latest_delivered_messages: [{ cid: h.room.cid, id: h.room.message }],
      }),
  },
  "notification.mark_read": {
    to: ["cyd"],
    keys: { ...E, ...C, ...COUNTERS, "user?": USER, last_read_message_id: "text", "last_read_at?": "date" },
    cause: (h) => at(h, "cyd", "POST", "/read", {}),
  },
  "notification.mark_unread": {
    to: ["cyd"],
    keys: {
      ...E,
      ...COUNTERS,
      "user?": USER,
      "channel?": BROADCAST_CHANNEL,
      first_unread_message_id: "text",
      last_read_at: "date",
      "last_read_message_id?": "text",
      unread_messages: "count",
    },
    cause: (h) => at(h, "cyd", "POST", "/unread", { message_id: h.room.message }),
  },
  "reaction.new": { to: W, keys: react, cause: (h) => love(h) },
  "reaction.updated": { to: W, keys: react, given: (h) => love(h), cause: (h) => love(h, 3) },
  "reaction.deleted": {
    to: W,
    keys: react,
    given: (h) => love(h),
    cause: (h) => onMessage(h, "bob", "DELETE", "/reaction/love"),
  },
  "thread.updated": {
    to: W,
    keys: { ...E, "user?": USER, thread: BARE_THREAD },
    given: (h) => reply(h, "bob"),
    cause: (h) => ok(h, "ada", "PATCH", `/threads/${h.room.message}`, { set: { title: "Tea" } }),
  },
  "channel.created": {
    to: ["ada"],
    keys: { ...E, ...U, channel: { ...BROADCAST_CHANNEL, config: CONFIG, members: [MEMBER] } },
    cause: (h) =>
      h.world.ok("ada", "POST", `${h.room.route}-new/query`, {
        query: { connection_id: h.sockets.ada.id },
        body: { watch: true, data: { members: ["bob"] } },
      }),
  },
  "channel.updated": {
    to: W,
    keys: { ...E, ...C, "user?": USER },
    cause: (h) => at(h, "ada", "PATCH", "", { set: { name: "Kitchen" } }),
  },
  "channel.deleted": {
    to: W,
    keys: { ...E, "user?": USER, channel: { ...BROADCAST_CHANNEL, deleted_at: "date" } },
    cause: (h) => at(h, "ada", "DELETE", ""),
  },
  "notification.channel_deleted": {
    to: N,
    keys: { ...E, ...C, "user?": USER },
    cause: (h) => at(h, "ada", "DELETE", ""),
  },
  "channel.truncated": {
    to: W,
    keys: { ...E, "user?": USER, channel: { ...BROADCAST_CHANNEL, truncated_at: "date" }, ...M },
    cause: (h) => at(h, "ada", "POST", "/truncate", { message: { text: "swept" } }),
  },
  "notification.channel_truncated": {
    to: N,
    keys: { ...E, "user?": USER, channel: { ...BROADCAST_CHANNEL, truncated_at: "date" } },
    cause: (h) => at(h, "ada", "POST", "/truncate", {}),
  },
  "channel.hidden": {
    to: ADA,
    keys: { ...E, ...C, "user?": USER, clear_history: "flag" },
    cause: (h) => at(h, "ada", "POST", "/hide", {}),
  },
  "channel.visible": {
    to: ADA,
    keys: { ...E, ...C, "user?": USER },
    given: (h) => at(h, "ada", "POST", "/hide", {}),
    cause: (h) => at(h, "ada", "POST", "/show", {}),
  },
  "channel.frozen": { to: W, keys: { ...E, "user?": USER }, cause: (h) => freeze(h, true) },
  "channel.unfrozen": {
    to: W,
    keys: { ...E, "user?": USER },
    given: (h) => freeze(h, true),
    cause: (h) => freeze(h, false),
  },
  "notification.channel_mutes_updated": {
    to: ADA,
    keys: { ...BARE, me: { ...USER, channel_mutes: [MUTED_CHANNEL] } },
    cause: (h) => ok(h, "ada", "POST", "/moderation/mute/channel", { channel_cid: h.room.cid }),
  },
  "member.added": { to: W, keys: member, cause: (h) => at(h, "ada", "POST", "", { add_members: ["dan"] }) },
  "member.updated": {
    to: W,
    keys: member,
    cause: (h) => at(h, "cyd", "PATCH", "/member/cyd", { set: { pinned: true } }),
  },
  "member.removed": {
    to: W,
    keys: member,
    cause: (h) => at(h, "ada", "POST", "", { remove_members: ["cyd"] }),
  },
  "notification.added_to_channel": {
    to: ["dan"],
    keys: { ...E, ...C, ...COUNTERS, member: MEMBER, "user?": USER },
    cause: (h) => at(h, "ada", "POST", "", { add_members: ["dan"] }),
  },
  "notification.removed_from_channel": {
    to: ["cyd"],
    keys: { ...E, ...C, ...U, member: MEMBER },
    cause: (h) => at(h, "ada", "POST", "", { remove_members: ["cyd"] }),
  },
  "notification.invited": {
    to: ["dan"],
    keys: { ...E, ...C, member: MEMBER, "user?": USER },
    cause: (h) => at(h, "ada", "POST", "", { invites: ["dan"] }),
  },
  "notification.invite_accepted": {
    to: ["dan"],
    keys: { ...E, ...C, ...U, member: MEMBER },
    given: (h) => at(h, "ada", "POST", "", { invites: ["dan"] }),
    cause: (h) => at(h, "dan", "POST", "", { accept_invite: true }),
  },
  "notification.invite_rejected": {
    to: ["dan"],
    keys: { ...E, ...C, ...U, member: MEMBER },
    given: (h) => at(h, "ada", "POST", "", { invites: ["dan"] }),
    cause: (h) => at(h, "dan", "POST", "", { reject_invite: true }),
  },
  "user.watching.start": {
    to: ["ada", "bob", "cyd"],
    keys: { ...E, ...U, watcher_count: "count" },
    cause: (h) => h.watch("cyd"),
  },
  "user.watching.stop": {
    to: W,
    keys: { ...E, ...U, watcher_count: "count" },
    given: (h) => h.watch("cyd"),
    cause: (h) =>
      h.world.ok("cyd", "POST", `${h.room.route}/stop-watching`, {
        query: { connection_id: h.sockets.cyd.id },
        body: {},
      }),
  },
  "typing.start": {
    to: W,
    keys: { ...E, ...U, parent_id: "text" },
    cause: (h) =>
      at(h, "cyd", "POST", "/event", { event: { type: "typing.start", parent_id: h.room.message } }),
  },
  "typing.stop": {
    to: W,
    keys: { ...E, ...U },
    cause: (h) => at(h, "cyd", "POST", "/event", { event: { type: "typing.stop" } }),
  },
  "user.updated": {
    to: ["bob", "cyd"],
    keys: { ...BARE, user: { ...USER, mood: "text" } },
    given: (h) => follow(h, "cyd"),
    cause: (h) =>
      ok(h, "cyd", "PATCH", "/users", { users: [{ id: "cyd", set: { mood: `fine ${h.room.id}` } }] }),
  },
  "user.presence.changed": {
    to: ["bob", "cyd"],
    keys: { ...BARE, user: { ...USER, "mood?": "text" } },
    given: (h) => follow(h, "cyd"),
    cause: (h) =>
      ok(h, "cyd", "PATCH", "/users", { users: [{ id: "cyd", set: { status: `tea ${h.room.id}` } }] }),
  },
  "user.deleted": {
    to: ["bob"],
    keys: {
      ...BARE,
      user: { ...USER, deleted_at: "date" },
      hard_delete: "flag",
      mark_messages_deleted: "flag",
      delete_conversation_channels: "flag",
      delete_user: "text",
      "delete_messages?": "text",
      "delete_conversation?": "text",
    },
    given: somebody,
    cause: (h, id) => ok(h, "server", "DELETE", `/users/${id}`),
  },
  "user.banned": {
    to: ["ada", "bob", "cyd"],
    keys: {
      ...E,
      user: { ...USER, "mood?": "text" },
      created_by: USER,
      reason: "text",
      expiration: "date",
      shadow: "flag",
      total_bans: "count",
    },
    cause: (h) =>
      ok(h, "server", "POST", "/moderation/ban", { ...ban, ...inRoom(h), reason: "noise", timeout: 5 }),
  },
  "user.unbanned": {
    to: ["ada", "bob", "cyd"],
    keys: { ...E, user: { ...USER, "mood?": "text" }, "created_by?": USER, shadow: "flag" },
    given: (h) => ok(h, "server", "POST", "/moderation/ban", { ...ban, ...inRoom(h) }),
    cause: (h) =>
      h.world.ok("server", "DELETE", "/moderation/ban", {
        query: { target_user_id: "cyd", ...inRoom(h) },
      }),
  },
  "user.messages.deleted": {
    to: ["ada", "bob", "cyd"],
    // Watchers receive it for each channel; the user itself receives it once for all channels, without channel keys.
    keys: {
      ...maybe(E),
      ...BARE,
      user: { ...USER, "mood?": "text" },
      soft_delete: "flag",
      hard_delete: "flag",
    },
    given: (h) => h.world.say("cyd", h.room.route, { text: "noise" }),
    cause: async (h) => {
      await ok(h, "server", "POST", "/moderation/ban", { ...ban, delete_messages: "soft" });
      await h.world.ok("server", "DELETE", "/moderation/ban", { query: { target_user_id: "cyd" } });
      await h.sockets.bob.until(() =>
        h.sockets.bob.frames.some((one) => one.type === "user.messages.deleted"),
      );
    },
  },
  "notification.mutes_updated": {
    to: ADA,
    keys: { ...BARE, me: { ...USER, mutes: [MUTE] } },
    cause: (h) => ok(h, "ada", "POST", "/moderation/mute", { target_id: "dan" }),
  },
  "poll.updated": {
    to: W,
    keys: polled,
    given: (h) => ask(h),
    cause: (h, { poll }) => ok(h, "ada", "PATCH", `/polls/${poll.id}`, { set: { description: "Now" } }),
  },
  "poll.closed": {
    to: W,
    keys: polled,
    given: (h) => ask(h),
    cause: (h, { poll }) => ok(h, "ada", "PATCH", `/polls/${poll.id}`, { set: { is_closed: true } }),
  },
  "poll.deleted": {
    to: W,
    keys: polled,
    given: (h) => ask(h),
    cause: (h, { poll }) => ok(h, "ada", "DELETE", `/polls/${poll.id}`),
  },
  "poll.vote_casted": { to: W, keys: voted, given: (h) => ask(h), cause: vote },
  "poll.vote_changed": {
    to: W,
    keys: voted,
    given: (h) => ask(h, { enforce_unique_vote: true }),
    cause: vote,
  },
  "poll.vote_removed": {
    to: W,
    keys: voted,
    given: async (h) => {
      const asked = await ask(h);
      return { ...asked, vote: (await vote(h, asked)).vote };
    },
    cause: (h, { poll, message, vote: cast }) =>
      ok(h, "bob", "DELETE", `/messages/${message}/polls/${poll.id}/vote/${cast.id}`),
  },
  "draft.updated": {
    to: ADA,
    keys: { ...E, "user?": USER, draft: FULL_DRAFT },
    cause: (h) => at(h, "ada", "POST", "/draft", { message: { text: "maybe" } }),
  },
  "draft.deleted": {
    to: ADA,
    keys: { ...E, "user?": USER, draft: FULL_DRAFT },
    given: (h) => at(h, "ada", "POST", "/draft", { message: { text: "maybe" } }),
    cause: (h) => at(h, "ada", "DELETE", "/draft"),
  },
  "reminder.created": { to: ADA, keys: reminder, cause: (h) => remind(h, "POST", 60) },
  "reminder.updated": {
    to: ADA,
    keys: reminder,
    given: (h) => remind(h, "POST", 60),
    cause: (h) => remind(h, "PATCH", 90),
  },
  "reminder.deleted": {
    to: ADA,
    keys: reminder,
    given: (h) => remind(h, "POST", 60),
    cause: (h) => onMessage(h, "ada", "DELETE", "/reminders"),
  },
  "notification.reminder_due": {
    to: ADA,
    keys: reminder,
    embedded: true,
    given: (h) => remind(h, "POST", 10),
    cause: async (h) => h.world.provider.advance(11 * 60_000),
  },
};
