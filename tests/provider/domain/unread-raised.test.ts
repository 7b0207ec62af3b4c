/** Whose unread count a new message raises, and that its deletion lowers exactly those counts, whatever was muted or blocked since. */
import { expect, test } from "vitest";
import { room, ROOM, type Bench } from "./support.ts";

const MUTE = { body: { channel_cid: "messaging:room" } };
const muteUser = (b: Bench, who: string, target_id: string, timeout = 0): unknown =>
  b.call(who, "muteUser", { body: { target_id, timeout } });
const block = (b: Bench, who: string, blocked_user_id: string): unknown =>
  b.call(who, "blockUser", { body: { blocked_user_id } });

/** Name, preparation, the message ada sends, and by how much it raises the unread counts of bob and cyd. */
const CASES: [string, (b: Bench) => unknown, object, [bob: number, cyd: number]][] = [
  ["nothing special", () => {}, {}, [1, 1]],
  ["bob muted the channel", (b) => b.call("bob", "muteChannel", MUTE), {}, [0, 1]],
  [
    "bob muted another channel",
    (b) => b.call("bob", "muteChannel", { body: { channel_cid: "messaging:beside" } }),
    {},
    [1, 1],
  ],
  [
    "bob's mute of the channel is over",
    (b) => {
      b.call("bob", "muteChannel", { body: { ...MUTE.body, expiration: 1000 } });
      b.wait(1000);
    },
    {},
    [1, 1],
  ],
  ["ada muted the channel herself", (b) => b.call("ada", "muteChannel", MUTE), {}, [1, 1]],
  ["bob muted ada", (b) => muteUser(b, "bob", "ada"), {}, [0, 1]],
  ["bob muted cyd", (b) => muteUser(b, "bob", "cyd"), {}, [1, 1]],
  ["ada muted bob", (b) => muteUser(b, "ada", "bob"), {}, [1, 1]],
  ["somebody elsewhere muted ada", (b) => muteUser(b, "dan", "ada"), {}, [1, 1]],
  [
    "bob's mute of ada is over",
    (b) => {
      muteUser(b, "bob", "ada", 1);
      b.wait(60_000);
    },
    {},
    [1, 1],
  ],
  [
    "one of two mutes of bob is over",
    (b) => {
      muteUser(b, "bob", "ada");
      muteUser(b, "bob", "cyd", 1);
      b.wait(60_000);
    },
    {},
    [0, 1],
  ],
  ["bob blocked ada, in a channel of three", (b) => block(b, "bob", "ada"), {}, [1, 1]],
  ["for bob alone", () => {}, { restricted_visibility: ["bob"] }, [1, 0]],
  [
    "for bob, who muted ada, and cyd",
    (b) => muteUser(b, "bob", "ada"),
    { restricted_visibility: ["bob", "cyd"] },
    [0, 1],
  ],
  ["silent", () => {}, { silent: true }, [0, 0]],
];

function numbers(b: Bench): number[] {
  return ["ada", "bob", "cyd"].map((who) => b.unread("messaging:room", who));
}

/** A room and a second channel, each with one unread message. */
function prepared(): Bench {
  const b = room();
  b.channel("beside", "ada", ["ada", "bob", "cyd", "dan"]);
  for (const id of ["room", "beside"]) b.send("ada", id, { id: `${id}-first`, text: "first" });
  return b;
}

test.each(CASES)("%s", (_, before, message, [bob, cyd]) => {
  const b = prepared();
  before(b);
  const [mine, his, hers] = numbers(b) as [number, number, number];
  const after = [mine, his + bob, hers + cyd];
  b.send({ server: true, user: "ada" }, "room", { id: "m", text: "second", ...message });
  expect(numbers(b)).toEqual(after);
  for (const who of ["bob", "cyd", "dan"]) expect(b.unread("messaging:beside", who)).toBe(1);
  // The deletion lowers the counts that the message raised, even of users who have muted its author since.
  for (const who of ["bob", "cyd"]) muteUser(b, who, "ada");
  b.call({ server: true }, "deleteMessage", { path: { id: "m" }, query: { hard: "true" } });
  expect(numbers(b)).toEqual([mine, his, hers]);
  for (const who of ["bob", "cyd", "dan"]) expect(b.unread("messaging:beside", who)).toBe(1);
});

test("in a channel of two a block keeps the number of who blocks, and only that", () => {
  const b = room();
  b.channel("two", "ada", ["ada", "bob"]);
  b.channel("others", "ada", ["ada", "cyd"]);
  block(b, "bob", "ada");
  for (const id of ["two", "others"]) b.send("ada", id, { id: `${id}-m`, text: "hi" });
  expect([b.unread("messaging:two", "bob"), b.unread("messaging:others", "cyd")]).toEqual([0, 1]);
  b.send("bob", "two", { id: "back", text: "hi" });
  expect(b.unread("messaging:two", "ada")).toBe(1);
});

test("who has an invite open is not counted for, and who accepted one is", () => {
  const b = prepared();
  b.user("eve", {});
  b.call("ada", "updateChannel", { path: ROOM, body: { invites: ["eve", "dan"] } });
  b.call("dan", "updateChannel", { path: ROOM, body: { accept_invite: true } });
  // Bob's pending invite to another channel does not affect this one.
  b.channel("third", "ada", ["ada"]);
  b.call("ada", "updateChannel", { path: { ...ROOM, id: "third" }, body: { invites: ["bob"] } });
  b.send("ada", "room", { id: "m", text: "hi" });
  expect(["eve", "dan", "bob"].map((who) => b.unread("messaging:room", who))).toEqual([0, 1, 2]);
});

test("a message that one deleted for oneself, or read, lowers nothing again when it goes for all", () => {
  const b = prepared();
  b.send("ada", "room", { id: "m", text: "second" });
  b.call("bob", "deleteMessage", { path: { id: "m" }, query: { delete_for_me: "true" } });
  expect(numbers(b)).toEqual([0, 1, 2]);
  b.call("cyd", "markRead", { path: ROOM });
  b.send("ada", "room", { id: "third", text: "third" });
  expect(numbers(b)).toEqual([0, 2, 1]);
  b.call({ server: true }, "deleteMessage", { path: { id: "m" } });
  expect(numbers(b)).toEqual([0, 2, 1]);
  b.call({ server: true }, "deleteMessage", { path: { id: "third" } });
  expect(numbers(b)).toEqual([0, 1, 0]);
});
