/** Which messages raise a desktop notification: mentions while the window is unfocused, unless do-not-disturb is on. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { DesktopNotices, GATHER_MS } from "../../../src/tui/effects/notify.ts";
import type { Member } from "../../../src/wire/entities/channel.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import { channel, FakeCore, message, stateOf, user } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";

let m: Mounted;
beforeEach(async () => {
  m = await mount(new FakeCore(stateOf([channel("general")])));
  m.change((s) => ({ ...s, windowFocused: false }));
});
afterEach(() => m.unmount());

const notifyOf = (event: AnyEvent): void => new DesktopNotices(m.ports).eventReceived(event);

function mentionEvent(more: Parameters<typeof message>[3] = {}, from = "ana"): AnyEvent {
  const held = message("m1", from, "lunch?", { mentioned_users: [user("me")], ...more });
  const { cid, created_at } = held;
  return { type: "message.new", cid, created_at, message: held } as unknown as AnyEvent;
}

/** Number of notifications that one message raises. */
function noticesFor(...message: Parameters<typeof mentionEvent>): number {
  const before = m.notified.length;
  notifyOf(mentionEvent(...message));
  m.pace.tick(GATHER_MS);
  return m.notified.length - before;
}
const load = (entry: ReturnType<typeof channel>): void =>
  m.core.change((state) => ({ ...state, channels: new Map(state.channels).set(entry.cid, entry) }));
async function updateMe(more: object): Promise<void> {
  m.core.change((state) => ({ ...state, me: { ...state.me!, ...more } }));
  await m.settle();
}

test("a mention is announced with author and channel; silent, system, own and other messages are not", () => {
  expect(noticesFor()).toBe(1);
  expect(m.notified).toEqual([["ana · #general", "lunch?"]]);
  expect(noticesFor({ silent: true })).toBe(0);
  expect(noticesFor({ type: "system" })).toBe(0);
  expect(noticesFor({ mentioned_users: [] })).toBe(0);
  expect(noticesFor({}, "me")).toBe(0);
});

test("a message with missing parts is announced with what it has", () => {
  expect(noticesFor({ text: undefined } as never)).toBe(1);
  expect(noticesFor({ mentioned_users: undefined } as never)).toBe(0);
  expect(m.notified).toEqual([["ana · #general", "(no text)"]]);
});

test.each([
  ["Markdown as it reads", { text: "**lunch** at `ten`?" }, "lunch at ten?"],
  ["no spoiler", { text: "it was ||the cat||" }, "it was ▒▒▒▒"],
  ["the file of a message without text", { text: "", attachments: [{ title: "plan.pdf" }] }, "plan.pdf"],
] as const)("a notice shows %s", (_, parts, body) => {
  expect(noticesFor(parts as never)).toBe(1);
  expect(m.notified).toEqual([["ana · #general", body]]);
});

test("nothing is announced while the window has focus", () => {
  m.change((s) => ({ ...s, windowFocused: true }));
  expect(noticesFor()).toBe(0);
});

test("do-not-disturb suppresses notices until its end", async () => {
  const now = m.pace.now();
  await updateMe({ push_preferences: { disabled_until: new Date(now + 60_000).toISOString() } });
  expect(noticesFor()).toBe(0);
  await updateMe({ push_preferences: { disabled_until: new Date(now - 1).toISOString() } });
  expect(noticesFor()).toBe(1);
});

test("do-not-disturb set just before a message counts, even if not drawn yet", () => {
  const until = new Date(m.pace.now() + 60_000).toISOString();
  m.core.change((state) => ({ ...state, me: { ...state.me!, push_preferences: { disabled_until: until } } }));
  expect(noticesFor()).toBe(0);
});

test("do-not-disturb that ended while the screen was not drawn, as on a sleeping machine, suppresses nothing", async () => {
  await updateMe({ push_preferences: { disabled_until: new Date(m.pace.now() + 500).toISOString() } });
  m.pace.at += 501;
  expect(noticesFor()).toBe(1);
});

test("a message in a channel that is not loaded yet, such as the first from somebody, is announced once it is", async () => {
  Object.assign(m.ports.settings, { notifications: "direct" });
  const notices = new DesktopNotices(m.ports);
  const members = new Map(["me", "dee"].map((id) => [id, { user_id: id, user: user(id) } as Member]));
  const entry = channel("!members-1", { name: "", members, memberCount: 2 });
  notices.eventReceived(mentionEvent({ cid: entry.cid, mentioned_users: [] }, "dee"));
  notices.modelChanged();
  expect(m.notified).toEqual([]);
  load(entry);
  for (const _ of [1, 2]) notices.modelChanged();
  m.pace.tick(GATHER_MS);
  expect(m.notified).toEqual([["dee", "lunch?"]]);
});

test("a message that waited for its channel is not announced once the window has focus, or during do-not-disturb", async () => {
  for (const change of [
    { windowFocused: true },
    { windowFocused: false, quiet: { until: Infinity, before: undefined } },
  ]) {
    const notices = new DesktopNotices(m.ports);
    notices.eventReceived(mentionEvent({ cid: "messaging:dee" }, "dee"));
    m.change((s) => ({ ...s, ...change }));
    load(channel("dee"));
    notices.modelChanged();
    expect(m.notified).toEqual([]);
  }
});

test("a message whose channel is loaded much later, as when it is opened, is not announced any more", () => {
  const notices = new DesktopNotices(m.ports);
  notices.eventReceived(mentionEvent({ cid: "messaging:dee" }, "dee"));
  m.pace.at += 61_000;
  load(channel("dee"));
  notices.modelChanged();
  expect(m.notified).toEqual([]);
});

test("many messages that wait for their channel are one notice of the twenty last", () => {
  const notices = new DesktopNotices(m.ports);
  for (let n = 1; n <= 21; n++)
    notices.eventReceived(mentionEvent({ id: `m${n}`, cid: "messaging:dee", text: `message ${n}` }, "dee"));
  load(channel("dee"));
  notices.modelChanged();
  m.pace.tick(GATHER_MS);
  expect(m.notified).toEqual([["#dee · 20 messages", "dee: message 21"]]);
});

test("a muted channel announces nothing", async () => {
  const { channel: muted } = m.core.state().channels.get("messaging:general")!;
  await updateMe({ channel_mutes: [{ user: user("me"), channel: muted, created_at: "", updated_at: "" }] });
  expect(noticesFor()).toBe(0);
});

test("a muted person announces nothing, until the mute ends", async () => {
  const mute = { user: user("me"), target: user("ana"), created_at: "", updated_at: "" };
  await updateMe({ mutes: [mute] });
  expect(noticesFor()).toBe(0);
  expect(noticesFor({}, "bo")).toBe(1);
  await updateMe({ mutes: [{ ...mute, expires: new Date(m.pace.now() - 1).toISOString() }] });
  expect(noticesFor()).toBe(1);
});

test("a keyword is announced like a mention, as a whole word in any case", () => {
  Object.assign(m.ports.settings, { keywords: "Deploy, tea time" });
  const plain = { mentioned_users: [] };
  expect(noticesFor({ ...plain, text: "we DEPLOY at ten" })).toBe(1);
  expect(noticesFor({ ...plain, text: "it is tea time." })).toBe(1);
  expect(noticesFor({ ...plain, text: "redeployed, teatime" })).toBe(0);
});

test("the notice level of a channel decides what it announces", () => {
  const level = (value: string): void => m.core.keep("notices", { "messaging:general": { level: value } });
  level("none");
  expect(noticesFor()).toBe(0);
  level("all");
  expect(noticesFor({ mentioned_users: [] })).toBe(1);
  level("mentions");
  expect([noticesFor({ mentioned_users: [] }), noticesFor()]).toEqual([0, 1]);
});

test("with noticeText off only author and channel are announced", () => {
  Object.assign(m.ports.settings, { noticeText: false });
  expect(noticesFor()).toBe(1);
  expect(m.notified).toEqual([["ana · #general", "a new message"]]);
});

const due = {
  type: "notification.reminder_due",
  cid: "messaging:general",
  message_id: "m1",
  reminder: { channel_cid: "messaging:general", message: { text: "order soup" } },
} as unknown as AnyEvent;

test.each([
  ["all", 1, 1],
  ["direct", 1, 1],
  ["mentions", 1, 1],
  ["off", 0, 0],
] as const)(
  "at level %s a due reminder is announced %i times, and a mention %i times",
  (level, reminders, mentions) => {
    Object.assign(m.ports.settings, { notifications: level });
    notifyOf(due);
    expect(m.notified).toHaveLength(reminders);
    expect(noticesFor()).toBe(mentions);
  },
);

test("a due reminder is announced, except during do-not-disturb", () => {
  notifyOf(due);
  expect(m.notified).toEqual([["A reminder is due", "order soup"]]);
  m.change((s) => ({ ...s, quiet: { until: m.pace.now() + 60_000, before: undefined } }));
  notifyOf(due);
  expect(m.notified).toHaveLength(1);
});

const wait = (ms: number): void => {
  m.pace.at += ms;
  m.pace.pause();
};

test("the messages of a conversation are one notice with a count, and later ones follow after a pause", () => {
  const notices = new DesktopNotices(m.ports);
  for (let n = 1; n <= 12; n++) notices.eventReceived(mentionEvent({ id: `m${n}`, text: `text ${n}` }));
  wait(GATHER_MS);
  expect(m.notified).toEqual([["#general · 12 messages", "ana: text 12"]]);
  notices.eventReceived(mentionEvent({ id: "m13", text: "text 13" }));
  m.pace.tick(GATHER_MS);
  expect(m.notified).toHaveLength(1);
  wait(5000);
  expect(m.notified.at(-1)).toEqual(["#general · 13 messages", "ana: text 13"]);
  notices.eventReceived(mentionEvent({ id: "m13", text: "text 13" }));
  wait(5000);
  expect(m.notified).toHaveLength(2);
});

test("a conversation that was read elsewhere loses its notice, and begins to count again", () => {
  load(channel("general", { unread: 1 }));
  const notices = new DesktopNotices(m.ports);
  notices.eventReceived(mentionEvent());
  wait(GATHER_MS);
  notices.modelChanged();
  expect(m.withdrawn).toEqual([]);
  load(channel("general", { unread: 0 }));
  notices.modelChanged();
  expect(m.withdrawn).toEqual(["messaging:general"]);
  notices.eventReceived(mentionEvent({ id: "later" }));
  wait(GATHER_MS);
  expect(m.notified.at(-1)).toEqual(["ana · #general", "lunch?"]);
});

test("a conversation that was read before its notice came has none, and a later message has one of its own", () => {
  const notices = new DesktopNotices(m.ports);
  const become = (unread: number): void => {
    load(channel("general", { unread }));
    notices.modelChanged();
  };
  notices.eventReceived(mentionEvent());
  become(1);
  become(0);
  notices.eventReceived(mentionEvent({ id: "m2", text: "and tea?" }));
  wait(GATHER_MS);
  expect(m.notified).toEqual([["ana · #general", "and tea?"]]);
});

test.each<[string, () => unknown]>([
  ["the window has the focus", () => m.change((s) => ({ ...s, windowFocused: true }))],
  ["do-not-disturb began", () => m.change((s) => ({ ...s, quiet: { until: Infinity, before: undefined } }))],
  [
    "the channel was muted",
    () => {
      const { channel: muted } = m.core.state().channels.get("messaging:general")!;
      const mute = { user: user("me"), channel: muted, created_at: "", updated_at: "" };
      return updateMe({ channel_mutes: [mute] });
    },
  ],
])("messages that were gathered when %s are not announced", async (_, change) => {
  const notices = new DesktopNotices(m.ports);
  notices.eventReceived(mentionEvent());
  await change();
  wait(GATHER_MS);
  expect(m.notified).toEqual([]);
});

test("what answers the user counts at the default level: replies to them, quotes of them, threads they take part in", () => {
  Object.assign(m.ports.settings, { notifications: "direct" });
  const mine = message("mine", "me", "who comes?", { reply_count: 1 });
  const other = message("other", "bo", "and I?", {
    reply_count: 2,
    thread_participants: [user("me"), user("bo")],
  });
  const foreign = message("foreign", "bo", "and he?", { reply_count: 2 });
  load(channel("general", { unread: 9, messages: [mine, other, foreign] }));
  const plain = { mentioned_users: [] };
  expect(noticesFor({ ...plain, parent_id: "mine" })).toBe(1);
  expect(noticesFor({ ...plain, parent_id: "other" })).toBe(1);
  expect(noticesFor({ ...plain, parent_id: "foreign" })).toBe(0);
  expect(noticesFor({ ...plain, quoted_message: mine })).toBe(1);
  expect(noticesFor({ ...plain, quoted_message: foreign })).toBe(0);
  Object.assign(m.ports.settings, { notifications: "mentions" });
  expect(noticesFor({ ...plain, quoted_message: mine })).toBe(0);
});
