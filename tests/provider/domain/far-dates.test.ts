/** Dates at the far ends of time, sent for "forever" or "never", cause no errors (specification/wire.md §7). */
import { expect, test } from "vitest";
import { room } from "./support.ts";

const LAST = "2250-01-01T00:00:00.000000Z";
const PATH = { type: "messaging", id: "room" };

test.each(["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59-12:00"])(
  "%s: pins, locations and reminders that end then are stored with the last possible date",
  (end) => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "t" });
    b.call("ada", "updateMessagePartial", {
      path: { id: "m", message_id: "m" },
      body: { set: { pinned: true, pin_expires: end } },
    });
    b.send("ada", "room", {
      id: "l",
      shared_location: { latitude: 1, longitude: 2, created_by_device_id: "d", end_at: end },
    });
    b.call("bob", "createReminder", { path: { id: "m", message_id: "m" }, body: { remind_at: end } });
    const state = b.call("bob", "queryChannel", { path: PATH }) as unknown as {
      pinned_messages: object[];
      active_live_locations: object[];
      messages: { reminder?: object }[];
    };
    expect(state.pinned_messages).toMatchObject([{ id: "m", pin_expires: LAST }]);
    expect(state.active_live_locations).toMatchObject([{ message_id: "l", end_at: LAST }]);
    expect(state.messages[0]!.reminder).toMatchObject({ remind_at: LAST });
  },
);

test("a channel muted for the longest possible time stays readable", () => {
  const b = room();
  b.call("bob", "muteChannel", {
    body: { channel_cid: "messaging:room", expiration: Number.MAX_SAFE_INTEGER },
  });
  expect(b.call("bob", "queryChannel", { path: PATH }).channel).toMatchObject({
    muted: true,
    mute_expires_at: LAST,
  });
});

test("a date before the first possible one truncates nothing, and everything can be marked unread from it", () => {
  const b = room();
  b.send("ada", "room", { id: "m", text: "t" });
  b.call({ server: true, user: "ada" }, "truncateChannel", {
    path: PATH,
    body: { truncated_at: "0000-01-01T00:00:00Z" },
  });
  b.call("bob", "markUnread", { path: PATH, body: { message_timestamp: "0000-01-01T00:00:00Z" } });
  const state = b.call("bob", "queryChannel", { path: PATH }) as unknown as { messages: object[] };
  expect(state.messages).toMatchObject([{ id: "m" }]);
});
