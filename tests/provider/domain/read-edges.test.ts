/** Unread counts when the read position is exactly at a message, and how many channels one call may mark as read. */
import { expect, test } from "vitest";
import { room, ROOM } from "./support.ts";

test("deleting the message that was read last lowers no count of later messages", () => {
  const b = room();
  for (const id of ["m1", "m2", "m3"]) b.send("ada", "room", { id, text: id });
  b.call("bob", "markRead", { path: ROOM, body: { message_id: "m2" } });
  expect(b.unread("messaging:room", "bob")).toBe(1);
  b.call("ada", "deleteMessage", { path: { id: "m2" } });
  expect(b.unread("messaging:room", "bob")).toBe(1);
  b.call("ada", "deleteMessage", { path: { id: "m1" } });
  expect(b.unread("messaging:room", "bob")).toBe(1);
  b.call("ada", "deleteMessage", { path: { id: "m3" } });
  expect(b.unread("messaging:room", "bob")).toBe(0);
});

test("one call marks at most a hundred channels as read", () => {
  const b = room();
  const cids = Array.from({ length: 101 }, (_, n) => b.channel(`c${n}`, "ada", ["ada", "bob"]));
  const mark = (count: number) => ({
    body: { read_by_channel: Object.fromEntries(cids.slice(0, count).map((cid) => [cid, ""])) },
  });
  expect(() => b.call("bob", "markChannelsRead", mark(100))).not.toThrow();
  expect(b.refusalOf("bob", "markChannelsRead", mark(101))).toEqual([4, "read_by_channel"]);
});

test("of two messages of the same time a mark up to the first does not move the read position back", () => {
  const b = room();
  for (const id of ["m1", "m2"]) b.send("ada", "room", { id, text: id });
  b.db.run("UPDATE message_rows SET created_at = (SELECT max(created_at) FROM message_rows)");
  const readUpTo = (id: string): unknown =>
    (b.call("bob", "markRead", { path: ROOM, body: { message_id: id } }).event as Record<string, unknown>)
      .last_read_message_id;
  expect(readUpTo("m2")).toBe("m2");
  expect(readUpTo("m1")).toBe("m2");
});

test("with a clock that was set back a thread is still read up to its newest reply, here and in the events", () => {
  const b = room();
  b.send("ada", "room", { id: "m", text: "tea?" });
  b.send("bob", "room", { id: "mine", text: "yes", parent_id: "m" });
  const { created_at: newest } = b.send("ada", "room", { id: "last", text: "at four", parent_id: "m" });
  b.now -= 60_000_000;
  b.events = [];
  b.call("bob", "markRead", { path: ROOM, body: { thread_id: "m" } });
  expect(b.events.map(({ event }) => event.last_read_at ?? event.created_at)).toEqual(
    b.events.map(() => newest),
  );
  const { thread } = b.call("bob", "getThread", { path: { message_id: "m" } }) as {
    thread: { read: { user: { id: string }; last_read: string; unread_messages: number }[] };
  };
  expect(thread.read.find(({ user }) => user.id === "bob")).toMatchObject({
    last_read: newest,
    unread_messages: 0,
  });
});

test("each change of a message is newer than the one before, also when the clock was set back", () => {
  const b = room();
  b.send("ada", "room", { id: "m", text: "1" });
  const edit = (text: string): string => {
    b.now -= 1000;
    return (
      b.call("ada", "updateMessagePartial", { path: { id: "m" }, body: { set: { text } } })
        .message as unknown as { updated_at: string }
    ).updated_at;
  };
  const times = ["2", "3", "4"].map(edit);
  expect(times.toSorted()).toEqual(times);
  expect(new Set(times).size).toBe(3);
});
