/** The event user.unread_message_reminder, sent to servers after the app's interval (specification/admin.md §1, specification/events.md §3). */
import { expect, test } from "vitest";
import { unreadRemindersDue } from "../../../src/provider/domain/admin/rules/unread-reminders.ts";
import { TestDomain, ROOM, room } from "./support.ts";

const SERVER = { server: true } as const;
const MINUTE = 60_000;

function withReminders(): TestDomain {
  const b = room();
  b.call(SERVER, "updateChannelType", { path: { name: "messaging" }, body: { reminders: true } });
  b.events = [];
  return b;
}

/** Processes due work as the scheduler does; returns the reminder events. */
function runDue(b: TestDomain): Record<string, unknown>[] {
  b.events = [];
  for (let steps = 0; steps < 20; steps++) {
    const next = unreadRemindersDue.next(b.db);
    if (next === undefined || next > b.now) break;
    unreadRemindersDue.run({ db: b.db, emit: b.emit, now: () => b.tick(), uuid: () => "u" });
  }
  return b.events.map(({ to, event }) => ({ to, ...event }));
}

test("a user who has not read after the interval is reported once, with channel and messages", () => {
  const b = withReminders();
  b.send("ada", "room", { text: "kettle on" });
  b.wait(MINUTE);
  b.send("ada", "room", { text: "it boils" });
  b.call("cyd", "markRead", { path: ROOM });
  b.wait(3 * MINUTE);
  expect(runDue(b)).toEqual([]);
  b.wait(MINUTE);
  expect(runDue(b)).toMatchObject([
    {
      to: "S",
      type: "user.unread_message_reminder",
      user: { id: "bob" },
      channels: {
        "messaging:room": {
          channel: { cid: "messaging:room" },
          messages: [{ text: "it boils" }, { text: "kettle on" }],
        },
      },
    },
  ]);
  b.wait(60 * MINUTE);
  expect(runDue(b)).toEqual([]);
});

test("of seven unread messages the newest five are told, the newest first", () => {
  const b = withReminders();
  for (let n = 1; n <= 7; n++) b.send("ada", "room", { text: `cup ${n}` });
  b.wait(6 * MINUTE);
  const [told] = runDue(b) as { channels: Record<string, { messages: { text: string }[] }> }[];
  expect(told!.channels["messaging:room"]!.messages.map(({ text }) => text)).toEqual(
    [7, 6, 5, 4, 3].map((n) => `cup ${n}`),
  );
});

test("the interval starts again with the first message after reading", () => {
  const b = withReminders();
  b.send("ada", "room", { text: "one" });
  b.wait(4 * MINUTE);
  b.call("bob", "markRead", { path: ROOM });
  b.call("cyd", "markRead", { path: ROOM });
  b.send("ada", "room", { text: "two" });
  b.wait(2 * MINUTE);
  expect(runDue(b)).toEqual([]);
  b.wait(3 * MINUTE);
  expect(runDue(b).map(({ user }) => (user as { id: string }).id)).toEqual(["bob", "cyd"]);
});

test("the interval is set by the app", () => {
  const b = withReminders();
  b.call(SERVER, "updateApp", { body: { reminders_interval: 3600 } });
  b.send("ada", "room", { text: "one" });
  b.wait(59 * MINUTE);
  expect(runDue(b)).toEqual([]);
  b.wait(MINUTE);
  expect(runDue(b)).toHaveLength(2);
});

test("a user who is deactivated or deleted is not reported, and one who is back is, about what came since", () => {
  const b = withReminders();
  const told = (): string[] => {
    b.send("ada", "room", { text: "tea" });
    b.wait(6 * MINUTE);
    return runDue(b).map(({ user }) => (user as { id: string }).id);
  };
  b.call(SERVER, "deactivateUser", { path: { id: "bob" }, body: {} });
  expect(told()).toEqual(["cyd"]);
  b.call(SERVER, "reactivateUser", { path: { id: "bob" }, body: {} });
  b.call(SERVER, "deleteUser", { path: { id: "cyd" } });
  expect(told()).toEqual(["bob"]);
  b.call(SERVER, "restoreUsers", { body: { user_ids: ["cyd"] } });
  expect(told()).toEqual(["bob", "cyd"]);
});

test("nothing is sent for types without reminders, muted channels and silent messages", () => {
  const b = room();
  b.send("ada", "room", { text: "one" });
  b.wait(60 * MINUTE);
  expect(unreadRemindersDue.next(b.db)).toBeUndefined();
  const on = withReminders();
  on.call("bob", "muteChannel", { body: { channel_cid: "messaging:room" } });
  on.send("ada", "room", { text: "hush", silent: true });
  on.send("ada", "room", { text: "one" });
  on.wait(60 * MINUTE);
  expect(runDue(on).map(({ user }) => (user as { id: string }).id)).toEqual(["cyd"]);
});
