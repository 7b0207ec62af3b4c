/** Edge cases of slow mode, and users whom a member cannot add to a channel. */
import { expect, test } from "vitest";
import { ApiProblem } from "../../../src/provider/base/handler.ts";
import { room, ROOM, type Bench } from "./support.ts";

const SERVER = { server: true, user: "ada" } as const;

function slow(seconds: number): Bench {
  const b = room();
  b.call(SERVER, "updateChannelPartial", { path: ROOM, body: { set: { cooldown: seconds } } });
  b.send("bob", "room", { text: "first" });
  return b;
}
const again = (b: Bench, as = "bob"): string => {
  try {
    b.call(as, "sendMessage", { path: ROOM, body: { message: { text: "again" } } });
    return "sent";
  } catch (error) {
    if (error instanceof ApiProblem) return `${error.code}: ${error.message}`;
    throw error;
  }
};

test.each([
  [0, "60: Slow mode: wait 10 s before the next message"],
  [4000, "60: Slow mode: wait 6 s before the next message"],
  [9500, "60: Slow mode: wait 1 s before the next message"],
  [10_000, "sent"],
])("of ten seconds, %i ms after a message: %s", (ms, outcome) => {
  const b = slow(10);
  b.wait(ms);
  expect(again(b)).toBe(outcome);
});

test("slows each member for the own messages only, and nobody whom a server speaks for", () => {
  const b = slow(10);
  expect(again(b, "cyd")).toBe("sent");
  b.call({ server: true }, "sendMessage", { path: ROOM, body: { message: { text: "x", user_id: "bob" } } });
});

test("who has blocked somebody is not added by them; who was blocked is", () => {
  const b = room();
  b.call("dan", "blockUser", { body: { blocked_user_id: "ada" } });
  b.call("ada", "blockUser", { body: { blocked_user_id: "cyd" } });
  b.channel("new", "ada", ["ada"]);
  b.call("ada", "updateChannel", {
    path: { type: "messaging", id: "new" },
    body: { add_members: ["bob", "cyd", "dan"] },
  });
  const members = b.db.all<{ user_id: string }>(
    "SELECT user_id FROM members WHERE cid = 'messaging:new' ORDER BY user_id",
  );
  expect(members.map(({ user_id }) => user_id)).toEqual(["ada", "bob", "cyd"]);
});
