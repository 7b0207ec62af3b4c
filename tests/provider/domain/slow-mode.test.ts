/** Edge cases of slow mode, and users whom a member cannot add to a channel. */
import { expect, test } from "vitest";
import { ApiProblem } from "../../../src/provider/base/handler.ts";
import { room, ROOM, type TestDomain } from "./support.ts";

const SERVER = { server: true, user: "ada" } as const;

function roomWithCooldown(seconds: number): TestDomain {
  const b = room();
  b.call(SERVER, "updateChannelPartial", { path: ROOM, body: { set: { cooldown: seconds } } });
  b.send("bob", "room", { text: "first" });
  return b;
}
const sendAgain = (b: TestDomain, as = "bob"): string => {
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
])("a cooldown of ten seconds, %i ms after a message: %s", (ms, outcome) => {
  const b = roomWithCooldown(10);
  b.wait(ms);
  expect(sendAgain(b)).toBe(outcome);
});

test("applies to each member's own messages, and not to messages a server sends for a user", () => {
  const b = roomWithCooldown(10);
  expect(sendAgain(b, "cyd")).toBe("sent");
  b.call({ server: true }, "sendMessage", { path: ROOM, body: { message: { text: "x", user_id: "bob" } } });
});

test("a user who has blocked the adding member is not added, a user blocked by that member is", () => {
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
