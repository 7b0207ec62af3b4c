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
