/** Unread counts in an event are those of the user who receives it, never those of the user who caused it. */
import { expect, test } from "vitest";
import { Bench, ROOM } from "./support.ts";

/** Ada has five unread messages in other channels, bob two, cyd none. */
function busy(): Bench {
  const b = new Bench();
  for (const id of ["ada", "bob", "cyd", "zoe"]) b.user(id);
  b.channel("five", "zoe", ["zoe", "ada"]);
  b.channel("two", "zoe", ["zoe", "bob"]);
  for (let n = 0; n < 5; n++) b.send("zoe", "five", { text: `${n}` });
  for (let n = 0; n < 2; n++) b.send("zoe", "two", { text: `${n}` });
  b.connect("ada", "bob", "cyd");
  b.told = [];
  return b;
}

/** `[user, total unread, channels with unread]` of each event of the type. */
const numbers = (b: Bench, type: string): unknown[] =>
  b.told
    .filter(({ event }) => event.type === type)
    .map(({ user, event }) => [user, event.total_unread_count, event.unread_channels]);

test("who is added to a channel is told the own numbers, not those of who adds", () => {
  const b = busy();
  b.call("ada", "queryChannel", { path: ROOM, body: { data: { members: ["ada", "bob", "cyd"] } } });
  expect(numbers(b, "notification.added_to_channel")).toEqual([
    ["ada", 5, 1],
    ["bob", 2, 1],
    ["cyd", 0, 0],
  ]);
  b.user("dan");
  b.channel("more", "ada", ["ada"]);
  b.told = [];
  b.call("ada", "updateChannel", {
    path: { type: "messaging", id: "more" },
    body: { add_members: ["bob", "dan"] },
  });
  expect(numbers(b, "notification.added_to_channel")).toEqual([
    ["bob", 2, 1],
    ["dan", 0, 0],
  ]);
});

test("a message away from the screen brings each member the own numbers", () => {
  const b = busy();
  b.channel("room", "ada", ["ada", "bob", "cyd"]);
  b.send("ada", "room", { text: "hi" });
  expect(numbers(b, "notification.message_new")).toEqual([
    ["ada", 5, 1],
    ["bob", 3, 2],
    ["cyd", 1, 1],
  ]);
});

test("a read mark brings who read the own numbers", () => {
  const b = busy();
  b.channel("room", "ada", ["ada", "bob", "cyd"]);
  b.send("cyd", "room", { text: "hi" });
  b.told = [];
  b.call("bob", "markRead", { path: ROOM });
  expect(numbers(b, "notification.mark_read")).toEqual([["bob", 2, 1]]);
});
