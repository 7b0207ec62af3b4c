/** Marking unread at the edges of a channel: from its first message, from before it, and from after its last. */
import { expect, test } from "vitest";
import { room, ROOM, type TestDomain, type Message } from "./support.ts";

function readChannel(): { b: TestDomain; sent: Message[] } {
  const b = room();
  const sent = [0, 1, 2].map((n) => b.send("ada", "room", { id: `m${n}`, text: "x" }));
  b.call("bob", "markRead", { path: ROOM });
  b.events = [];
  return { b, sent };
}

const stateOf = (b: TestDomain): Record<string, unknown> =>
  (b.call("bob", "queryChannel", { path: ROOM }).read as { user: { id: string } }[]).find(
    ({ user }) => user.id === "bob",
  ) as never;

/** The wire time that is `ms` after this one (or before it, where negative). */
const timeBeside = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

test.each([
  ["its first message", () => ({ message_id: "m0" }), "m0"],
  ["the moment of its first message", (s: Message[]) => ({ message_timestamp: s[0]!.created_at }), "m0"],
  [
    "a moment before its first message",
    (s: Message[]) => ({ message_timestamp: timeBeside(s[0]!.created_at, -1000) }),
    "m0",
  ],
])("marking unread from %s makes everything unread and removes last_read_message_id", (_, body, first) => {
  const { b, sent } = readChannel();
  b.call("bob", "markUnread", { path: ROOM, body: body(sent) });
  expect(b.events[0]!.event).toMatchObject({
    type: "notification.mark_unread",
    first_unread_message_id: first,
    unread_messages: 3,
    total_unread_count: 3,
  });
  expect(b.events[0]!.event).not.toHaveProperty("last_read_message_id");
  expect(stateOf(b)).toMatchObject({ unread_messages: 3 });
  expect(stateOf(b)).not.toHaveProperty("last_read_message_id");
  expect(String(stateOf(b).last_read) < sent[0]!.created_at).toBe(true);
});

test("marking unread from a time after the last message makes nothing unread, and the last message is read", () => {
  const { b, sent } = readChannel();
  b.call("bob", "markUnread", {
    path: ROOM,
    body: { message_timestamp: timeBeside(sent[2]!.created_at, 1000) },
  });
  expect(b.events[0]!.event).toMatchObject({ unread_messages: 0, last_read_message_id: "m2" });
  expect(b.events[0]!.event.first_unread_message_id).toBeUndefined();
});

test("a channel without messages cannot be marked unread", () => {
  const b = room();
  b.channel("empty", "ada", ["ada", "bob"]);
  const path = { type: "messaging", id: "empty" };
  expect(
    b.refusalOf("bob", "markUnread", { path, body: { message_timestamp: "2020-01-01T00:00:00Z" } }),
  ).toEqual([4, "message_timestamp"]);
});
