/** Which messages raise a desktop notification: mentions while the window is unfocused, unless do-not-disturb is on. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { notifyOfEvent } from "../../../src/tui/effects/notify.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import { channel, FakeCore, message, stateOf, user } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";

let m: Mounted;
beforeEach(async () => {
  m = await mount(new FakeCore(stateOf([channel("general")])));
  m.change((s) => ({ ...s, windowFocused: false }));
});
afterEach(() => m.unmount());

/** Number of notifications that one message raises. */
function heard(more: Parameters<typeof message>[3] = {}, from = "ana"): number {
  const before = m.notified.length;
  const held = message("m1", from, "lunch?", { mentioned_users: [user("me")], ...more });
  const event = { type: "message.new", cid: held.cid, created_at: held.created_at, message: held };
  notifyOfEvent(event as unknown as AnyEvent, m.ports);
  return m.notified.length - before;
}
async function mine(more: object): Promise<void> {
  m.core.change((state) => ({ ...state, me: { ...state.me!, ...more } }));
  await m.settle();
}

test("a mention is told with its author and its channel; what is silent, own or of nobody's concern is not", () => {
  expect(heard()).toBe(1);
  expect(m.notified).toEqual([["ana · #general", "lunch?"]]);
  expect(heard({ silent: true })).toBe(0);
  expect(heard({ type: "system" })).toBe(0);
  expect(heard({ mentioned_users: [] })).toBe(0);
  expect(heard({}, "me")).toBe(0);
});

test("a message with parts missing calls with what it has", () => {
  expect(heard({ text: undefined } as never)).toBe(1);
  expect(heard({ mentioned_users: undefined } as never)).toBe(0);
  expect(m.notified).toEqual([["ana · #general", ""]]);
});

test("nobody is called who looks at the window", () => {
  m.change((s) => ({ ...s, windowFocused: true }));
  expect(heard()).toBe(0);
});

test("do-not-disturb keeps every notice back until its end, and no longer", async () => {
  const now = m.pace.now();
  await mine({ push_preferences: { disabled_until: new Date(now + 60_000).toISOString() } });
  expect(heard()).toBe(0);
  await mine({ push_preferences: { disabled_until: new Date(now - 1).toISOString() } });
  expect(heard()).toBe(1);
});

test("quiet that came a moment before its message counts, drawn or not", () => {
  const until = new Date(m.pace.now() + 60_000).toISOString();
  m.core.change((state) => ({ ...state, me: { ...state.me!, push_preferences: { disabled_until: until } } }));
  expect(heard()).toBe(0);
});

test("a muted channel calls nobody", async () => {
  const { channel: muted } = m.core.state().channels.get("messaging:general")!;
  await mine({ channel_mutes: [{ user: user("me"), channel: muted, created_at: "", updated_at: "" }] });
  expect(heard()).toBe(0);
});

test("a word of one's own calls as a mention does, as a whole word, whatever its case", () => {
  Object.assign(m.ports.settings, { keywords: "Deploy, tea time" });
  const plain = { mentioned_users: [] };
  expect(heard({ ...plain, text: "we DEPLOY at ten" })).toBe(1);
  expect(heard({ ...plain, text: "it is tea time." })).toBe(1);
  expect(heard({ ...plain, text: "redeployed, teatime" })).toBe(0);
});

test("what a channel may tell is its own", () => {
  const level = (value: string): void => m.core.keep("notices", { "messaging:general": { level: value } });
  level("none");
  expect(heard()).toBe(0);
  level("all");
  expect(heard({ mentioned_users: [] })).toBe(1);
  level("mentions");
  expect([heard({ mentioned_users: [] }), heard()]).toEqual([0, 1]);
});

test("with the text hidden who and where are told", () => {
  Object.assign(m.ports.settings, { noticeText: false });
  expect(heard()).toBe(1);
  expect(m.notified).toEqual([["ana · #general", "a new message"]]);
});

test("a reminder that is due calls, too, and not in quiet", () => {
  const due = {
    type: "notification.reminder_due",
    cid: "messaging:general",
    message_id: "m1",
    reminder: { channel_cid: "messaging:general", message: { text: "order soup" } },
  } as unknown as AnyEvent;
  notifyOfEvent(due, m.ports);
  expect(m.notified).toEqual([["A reminder is due", "order soup"]]);
  m.change((s) => ({ ...s, quiet: { until: m.pace.now() + 60_000, before: undefined } }));
  notifyOfEvent(due, m.ports);
  expect(m.notified).toHaveLength(1);
});
