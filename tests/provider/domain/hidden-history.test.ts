/** History hidden from a member stays hidden: after a later, smaller truncation too, and in lists of other objects than messages. */
import { expect, test } from "vitest";
import { room, ROOM, type TestDomain, type Message } from "./support.ts";

const messageIds = (b: TestDomain, user: string): string[] =>
  (b.call(user, "queryChannel", { path: ROOM, body: {} }) as { messages: Message[] }).messages.map(
    ({ id }) => id,
  );

test("a second truncation for a member up to an earlier time does not restore messages", () => {
  const b = room();
  const { created_at: early } = b.send("ada", "room", { id: "one", text: "tea" });
  b.send("ada", "room", { id: "two", text: "cake" });
  b.call("ada", "truncateChannel", { path: ROOM, body: { member_ids: ["bob"] } });
  b.call("ada", "truncateChannel", { path: ROOM, body: { member_ids: ["bob", "cyd"], truncated_at: early } });
  b.send("ada", "room", { id: "three", text: "milk" });
  expect([messageIds(b, "bob"), messageIds(b, "cyd"), messageIds(b, "ada")]).toEqual([
    ["three"],
    ["two", "three"],
    ["one", "two", "three"],
  ]);
});

test("a truncation for some members tells them alone, whether they are watching or away", () => {
  const b = room();
  b.user("dan");
  b.call({ server: true }, "updateChannel", { path: ROOM, body: { add_members: ["dan"] } });
  b.connect("ada", "bob", "cyd", "dan");
  for (const id of ["ada", "bob"]) b.call(id, "queryChannel", { path: ROOM, body: { watch: true } });
  const told = (body: object): string[] => {
    b.events = [];
    b.call("ada", "truncateChannel", { path: ROOM, body: { ...body } });
    return b.events.flatMap(({ to, user, only, event }) =>
      /truncated/.test(String(event.type)) ? `${to} ${user ?? only?.join(",") ?? "all"}` : [],
    );
  };
  expect(told({ member_ids: ["bob", "cyd"] })).toEqual(["W bob,cyd", "N cyd"]);
  expect(told({ member_ids: ["dan"] })).toEqual(["W dan", "N dan"]);
  expect(told({})).toEqual(["W all", "N cyd", "N dan"]);
});

test("hiding a channel with its history leaves nothing unread in it, and without it what was unread", () => {
  const b = room();
  b.send("ada", "room", { id: "m1", text: "tea" });
  b.send("ada", "room", { id: "m2", text: "tea", mentioned_users: ["bob"] });
  const readOf = (user: string): unknown[] => {
    const { read } = b.call(user, "queryChannel", { path: ROOM, body: {} }) as {
      read: { user: { id: string }; unread_messages: number; last_read: string }[];
    };
    const own = read.find((one) => one.user.id === user)!;
    return [own.unread_messages, b.unread("messaging:room", user)];
  };
  b.call("cyd", "hideChannel", { path: ROOM, body: {} });
  b.call("bob", "hideChannel", { path: ROOM, body: { clear_history: true } });
  b.call("bob", "showChannel", { path: ROOM });
  expect([readOf("bob"), readOf("cyd")]).toEqual([
    [0, 0],
    [2, 2],
  ]);
  b.send("ada", "room", { id: "m3", text: "milk" });
  expect([readOf("bob"), readOf("cyd")]).toEqual([
    [1, 1],
    [3, 3],
  ]);
});

test("a poll in hidden history is not listed, a later one is", () => {
  const b = room();
  const createPoll = (id: string): void => {
    b.call("ada", "createPoll", { body: { id, name: id, options: [{ text: "yes" }] } });
    b.send("ada", "room", { id: `m-${id}`, poll_id: id });
  };
  const polls = (user: string): string[] =>
    (b.call(user, "queryPolls", { body: {} }).polls as { id: string }[]).map(({ id }) => id);
  createPoll("old");
  b.call("bob", "hideChannel", { path: ROOM, body: { clear_history: true } });
  createPoll("new");
  expect([polls("bob"), polls("cyd")]).toEqual([["new"], ["new", "old"]]);
});
