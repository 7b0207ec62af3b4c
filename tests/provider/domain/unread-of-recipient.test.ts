/** Unread counts in an event are those of the user who receives it, never those of the user who caused it. */
import { expect, test } from "vitest";
import { TestDomain, ROOM } from "./support.ts";

/** Ada has five unread messages in other channels, bob two, cyd none. */
function withUnread(): TestDomain {
  const b = new TestDomain();
  for (const id of ["ada", "bob", "cyd", "zoe"]) b.user(id);
  b.channel("five", "zoe", ["zoe", "ada"]);
  b.channel("two", "zoe", ["zoe", "bob"]);
  for (let n = 0; n < 5; n++) b.send("zoe", "five", { text: `${n}` });
  for (let n = 0; n < 2; n++) b.send("zoe", "two", { text: `${n}` });
  b.connect("ada", "bob", "cyd");
  b.events = [];
  return b;
}

/** `[user, total unread, channels with unread]` of each event of the type. */
const countsIn = (b: TestDomain, type: string): unknown[] =>
  b.events
    .filter(({ event }) => event.type === type)
    .map(({ user, event }) => [user, event.total_unread_count, event.unread_channels]);

test("the event of being added has the added user's counts", () => {
  const b = withUnread();
  b.call("ada", "queryChannel", { path: ROOM, body: { data: { members: ["ada", "bob", "cyd"] } } });
  expect(countsIn(b, "notification.added_to_channel")).toEqual([
    ["ada", 5, 1],
    ["bob", 2, 1],
    ["cyd", 0, 0],
  ]);
  b.user("dan");
  b.channel("more", "ada", ["ada"]);
  b.events = [];
  b.call("ada", "updateChannel", {
    path: { type: "messaging", id: "more" },
    body: { add_members: ["bob", "dan"] },
  });
  expect(countsIn(b, "notification.added_to_channel")).toEqual([
    ["bob", 2, 1],
    ["dan", 0, 0],
  ]);
});

test("a message notification has each member's own counts", () => {
  const b = withUnread();
  b.channel("room", "ada", ["ada", "bob", "cyd"]);
  b.send("ada", "room", { text: "hi" });
  expect(countsIn(b, "notification.message_new")).toEqual([
    ["ada", 5, 1],
    ["bob", 3, 2],
    ["cyd", 1, 1],
  ]);
});

test("notification.mark_read has the reader's counts", () => {
  const b = withUnread();
  b.channel("room", "ada", ["ada", "bob", "cyd"]);
  b.send("cyd", "room", { text: "hi" });
  b.events = [];
  b.call("bob", "markRead", { path: ROOM });
  expect(countsIn(b, "notification.mark_read")).toEqual([["bob", 2, 1]]);
});
