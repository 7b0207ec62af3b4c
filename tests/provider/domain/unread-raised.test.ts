/** Whose unread count a new message raises, and that its deletion lowers exactly those counts, whatever was muted or blocked since. */
import { expect, test } from "vitest";
import { room, ROOM, type TestDomain } from "./support.ts";

const MUTE = { body: { channel_cid: "messaging:room" } };
const muteUser = (b: TestDomain, who: string, target_id: string, timeout = 0): unknown =>
  b.call(who, "muteUser", { body: { target_id, timeout } });
const block = (b: TestDomain, who: string, blocked_user_id: string): unknown =>
  b.call(who, "blockUser", { body: { blocked_user_id } });

/** Name, preparation, the message ada sends, and by how much it raises the unread counts of bob and cyd. */
const CASES: [string, (b: TestDomain) => unknown, object, [bob: number, cyd: number]][] = [
  ["an ordinary message", () => {}, {}, [1, 1]],
  ["bob muted the channel", (b) => b.call("bob", "muteChannel", MUTE), {}, [0, 1]],
  [
    "bob muted another channel",
    (b) => b.call("bob", "muteChannel", { body: { channel_cid: "messaging:beside" } }),
    {},
    [1, 1],
  ],
  [
    "bob's mute of the channel has expired",
    (b) => {
      b.call("bob", "muteChannel", { body: { ...MUTE.body, expiration: 1000 } });
      b.wait(1000);
    },
    {},
    [1, 1],
  ],
  ["ada muted the channel", (b) => b.call("ada", "muteChannel", MUTE), {}, [1, 1]],
  ["bob muted ada", (b) => muteUser(b, "bob", "ada"), {}, [0, 1]],
  ["bob muted cyd", (b) => muteUser(b, "bob", "cyd"), {}, [1, 1]],
  ["ada muted bob", (b) => muteUser(b, "ada", "bob"), {}, [1, 1]],
  ["a user outside the channel muted ada", (b) => muteUser(b, "dan", "ada"), {}, [1, 1]],
  [
    "bob's mute of ada has expired",
    (b) => {
      muteUser(b, "bob", "ada", 1);
      b.wait(60_000);
    },
    {},
    [1, 1],
  ],
  [
    "one of bob's two mutes has expired",
    (b) => {
      muteUser(b, "bob", "ada");
      muteUser(b, "bob", "cyd", 1);
      b.wait(60_000);
    },
    {},
    [0, 1],
  ],
  ["bob blocked ada, in a channel of three", (b) => block(b, "bob", "ada"), {}, [1, 1]],
  ["restricted to bob", () => {}, { restricted_visibility: ["bob"] }, [1, 0]],
  [
    "restricted to cyd and bob, who muted ada",
    (b) => muteUser(b, "bob", "ada"),
    { restricted_visibility: ["bob", "cyd"] },
    [0, 1],
  ],
  ["silent", () => {}, { silent: true }, [0, 0]],
];

function unreadCounts(b: TestDomain): number[] {
  return ["ada", "bob", "cyd"].map((who) => b.unread("messaging:room", who));
}

/** A room and a second channel, each with one unread message. */
function twoRooms(): TestDomain {
  const b = room();
  b.channel("beside", "ada", ["ada", "bob", "cyd", "dan"]);
  for (const id of ["room", "beside"]) b.send("ada", id, { id: `${id}-first`, text: "first" });
  return b;
}

test.each(CASES)(
  "a message raises the right counts, and its deletion lowers exactly those: %s",
  (_, before, message, [bob, cyd]) => {
    const b = twoRooms();
    before(b);
    const [mine, his, hers] = unreadCounts(b) as [number, number, number];
    const after = [mine, his + bob, hers + cyd];
    b.send({ server: true, user: "ada" }, "room", { id: "m", text: "second", ...message });
    expect(unreadCounts(b)).toEqual(after);
    for (const who of ["bob", "cyd", "dan"]) expect(b.unread("messaging:beside", who)).toBe(1);
    // The deletion lowers the counts that the message raised, even of users who have muted its author since.
    for (const who of ["bob", "cyd"]) muteUser(b, who, "ada");
    b.call({ server: true }, "deleteMessage", { path: { id: "m" }, query: { hard: "true" } });
    expect(unreadCounts(b)).toEqual([mine, his, hers]);
    for (const who of ["bob", "cyd", "dan"]) expect(b.unread("messaging:beside", who)).toBe(1);
  },
);

test("a block in a direct channel keeps the blocker's count, and no other", () => {
  const b = room();
  b.channel("two", "ada", ["ada", "bob"]);
  b.channel("others", "ada", ["ada", "cyd"]);
  block(b, "bob", "ada");
  for (const id of ["two", "others"]) b.send("ada", id, { id: `${id}-m`, text: "hi" });
  expect([b.unread("messaging:two", "bob"), b.unread("messaging:others", "cyd")]).toEqual([0, 1]);
  b.send("bob", "two", { id: "back", text: "hi" });
  expect(b.unread("messaging:two", "ada")).toBe(1);
});

test("a message is not counted for an open invite, and is for an accepted one", () => {
  const b = twoRooms();
  b.user("eve", {});
  b.call("ada", "updateChannel", { path: ROOM, body: { invites: ["eve", "dan"] } });
  b.call("dan", "updateChannel", { path: ROOM, body: { accept_invite: true } });
  // Bob's pending invite to another channel does not affect this one.
  b.channel("third", "ada", ["ada"]);
  b.call("ada", "updateChannel", { path: { ...ROOM, id: "third" }, body: { invites: ["bob"] } });
  b.send("ada", "room", { id: "m", text: "hi" });
  expect(["eve", "dan", "bob"].map((who) => b.unread("messaging:room", who))).toEqual([0, 1, 2]);
});

test("deleting a message lowers no count of users who deleted it for themselves or have read it", () => {
  const b = twoRooms();
  b.send("ada", "room", { id: "m", text: "second" });
  b.call("bob", "deleteMessage", { path: { id: "m" }, query: { delete_for_me: "true" } });
  expect(unreadCounts(b)).toEqual([0, 1, 2]);
  b.call("cyd", "markRead", { path: ROOM });
  b.send("ada", "room", { id: "third", text: "third" });
  expect(unreadCounts(b)).toEqual([0, 2, 1]);
  b.call({ server: true }, "deleteMessage", { path: { id: "m" } });
  expect(unreadCounts(b)).toEqual([0, 2, 1]);
  b.call({ server: true }, "deleteMessage", { path: { id: "third" } });
  expect(unreadCounts(b)).toEqual([0, 1, 0]);
});

test("deleting a message for oneself lowers only the own count, and only if it was unread", () => {
  const b = room();
  for (const id of ["m1", "m2", "m3"]) b.send("ada", "room", { id, text: id });
  b.send("bob", "room", { id: "own", text: "mine" });
  b.call("bob", "markRead", { path: ROOM, body: { message_id: "m1" } });
  const left = (id: string): number[] => {
    b.call("bob", "deleteMessage", { path: { id }, query: { delete_for_me: "true" } });
    return ["bob", "cyd"].map((who) => b.unread("messaging:room", who));
  };
  expect(["m1", "own", "m2", "m2", "m3"].map(left)).toEqual([
    [2, 4],
    [2, 4],
    [1, 4],
    [1, 4],
    [0, 4],
  ]);
});
