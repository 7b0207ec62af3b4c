/** Reminder events reach every connection of the owner and nobody else; the due event comes on time, once (RE-5 … RE-8). */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FULL_REMINDER } from "./entities.ts";
import { ENVELOPE, EventRoom, typesOf, type ReceivedEvents } from "./event-room.ts";
import { differences, type Keys } from "./shape.ts";
import { hosted, type Json, type Room, type Caller } from "./world.ts";

let h: EventRoom;
let room: Room;
beforeAll(async () => {
  h = await EventRoom.start();
});
afterAll(() => h.stop());
beforeEach(async () => {
  room = await h.newRoom();
});

const ok = (who: Caller, method: string, route: string, body?: object): Promise<Json> =>
  h.world.ok(who, method, route, body ? { body } : {});
const MINUTE = 60_000;
const inMinutes = (minutes: number): string => new Date(h.world.now() + minutes * MINUTE).toISOString();
const set = (minutes: number | null, method = "POST", message = room.message): Promise<Json> =>
  ok("ada", method, `/messages/${message}/reminders`, {
    remind_at: minutes === null ? null : inMinutes(minutes),
  });
const KEYS: Keys = { ...ENVELOPE, reminder: FULL_REMINDER, message_id: "text", user_id: "text" };

/** Checks that both of ada's connections received exactly this event, and nobody else any. */
function expectOwnEvent(received: ReceivedEvents, type: string, keys = KEYS): Json {
  expect(typesOf(received)).toEqual({ ada: [type], ada2: [type] });
  expect(received.ada2).toEqual(received.ada);
  const [event] = received.ada;
  expect(differences(event, keys)).toEqual([]);
  expect(event).toMatchObject({ cid: room.cid, user_id: "ada", reminder: { user_id: "ada" } });
  return event;
}
const advance = (minutes: number): Promise<ReceivedEvents> =>
  h.eventsDuring(async () => h.world.provider.advance(minutes * MINUTE));

test("RE-5: creating, changing and removing a reminder sends events to its owner's connections only", async () => {
  const made = expectOwnEvent(await h.eventsDuring(() => set(null)), "reminder.created");
  expect(made).toMatchObject({
    message_id: room.message,
    reminder: { remind_at: null, message: { id: room.message } },
  });
  expectOwnEvent(await h.eventsDuring(() => set(600, "PATCH")), "reminder.updated");
  expect(
    typesOf(await h.eventsDuring(() => ok("ada", "PATCH", `/messages/${room.message}/reminders`, {}))),
  ).toEqual({});
  expectOwnEvent(
    await h.eventsDuring(() => ok("ada", "DELETE", `/messages/${room.message}/reminders`)),
    "reminder.deleted",
  );
});

test("RE-5: the event of a reply's reminder names the thread", async () => {
  const reply = await h.world.say("bob", room.route, { text: "yes", parent_id: room.message });
  await h.eventsDuring(async () => {});
  const event = expectOwnEvent(await h.eventsDuring(() => set(600, "POST", reply)), "reminder.created", {
    ...KEYS,
    parent_id: "text",
  });
  expect(event.parent_id).toBe(room.message);
});

test.skipIf(hosted)(
  "RE-6: a reminder becomes due once for each time, remains, and is then overdue",
  async () => {
    await set(10);
    await h.eventsDuring(async () => {});
    expect(typesOf(await advance(9))).toEqual({});
    const due = expectOwnEvent(await advance(2), "notification.reminder_due");
    expect(due).toMatchObject({ message_id: room.message, reminder: { message: { text: "tea?" } } });
    expect(typesOf(await advance(60))).toEqual({});
    const { reminders } = await ok("ada", "POST", "/reminders/query", {
      filter: { channel_cid: room.cid, remind_at: { $lt: inMinutes(0) } },
    });
    expect(reminders).toMatchObject([{ message_id: room.message }]);
    await set(10, "PATCH");
    await h.eventsDuring(async () => {});
    expectOwnEvent(await advance(11), "notification.reminder_due");
  },
);

test.skipIf(hosted)(
  "RE-6: a moved, removed or timeless reminder does not become due at its old time",
  async () => {
    await set(10);
    await set(30, "PATCH");
    await h.eventsDuring(async () => {});
    expect(typesOf(await advance(15))).toEqual({});
    await set(null, "PATCH");
    await h.eventsDuring(async () => {});
    expect(typesOf(await advance(30))).toEqual({});
    await set(10, "PATCH");
    await ok("ada", "DELETE", `/messages/${room.message}/reminders`);
    await h.eventsDuring(async () => {});
    expect(typesOf(await advance(15))).toEqual({});
  },
);

test.skipIf(hosted)("many reminders due at once are all sent, in the order of their times", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 30; i++) ids.push(await h.world.say("bob", room.route, { text: `${i}` }));
  for (const [i, id] of ids.entries()) await set(5 + i / 1000, "POST", id);
  await h.eventsDuring(async () => {});
  const received = await advance(6);
  expect(received.ada.map((event) => event.message_id as string)).toEqual(ids);
  expect(received.cyd).toEqual([]);
});

test.skipIf(hosted)("a user who left the channel gets no due event", async () => {
  await ok("cyd", "POST", `/messages/${room.message}/reminders`, { remind_at: inMinutes(10) });
  await ok("ada", "POST", room.route, { remove_members: ["cyd"] });
  await h.eventsDuring(async () => {});
  expect(typesOf(await advance(11))).toEqual({});
});

test("RE-7: a hard-deleted message deletes its reminders, a soft-deleted one keeps them", async () => {
  await set(600);
  await h.eventsDuring(async () => {});
  const soft = await h.eventsDuring(() => ok("ada", "DELETE", `/messages/${room.message}`));
  expect(typesOf(soft)).toEqual({ ada: ["message.deleted"], bob: ["message.deleted"] });
  const hard = await h.eventsDuring(() =>
    h.world.ok("ada", "DELETE", `/messages/${room.message}`, { query: { hard: true } }),
  );
  expect(hard.ada2.map((event) => event.type as string)).toEqual(["reminder.deleted"]);
  expect(hard.ada.map((event) => event.type as string)).toContain("reminder.deleted");
  expect(hard.bob.map((event) => event.type as string)).toEqual(["message.deleted"]);
  const { reminders } = await ok("ada", "POST", "/reminders/query", { filter: { channel_cid: room.cid } });
  expect(reminders).toEqual([]);
});

test("RE-7: a truncation deletes reminders", async () => {
  await set(600);
  await h.eventsDuring(async () => {});
  const received = await h.eventsDuring(() => ok("ada", "POST", `${room.route}/truncate`, {}));
  expect(received.ada2.map((event) => event.type as string)).toContain("reminder.deleted");
  expect(received.cyd.map((event) => event.type as string)).not.toContain("reminder.deleted");
});

test("RE-8: a message contains the user's own reminder, and not for others", async () => {
  await set(600);
  const mine = await ok("ada", "POST", `${room.route}/query`, {});
  expect(mine.messages[0].reminder).toMatchObject({ message_id: room.message, user_id: "ada" });
  expect((await ok("ada", "GET", `/messages/${room.message}`)).message.reminder.user_id).toBe("ada");
  expect((await ok("bob", "GET", `/messages/${room.message}`)).message.reminder).toBeUndefined();
  await h.eventsDuring(async () => {});
  const received = await h.eventsDuring(() =>
    ok("ada", "POST", `/messages/${room.message}`, { message: { text: "milk?" } }),
  );
  expect(received.ada[0].message.reminder).toBeUndefined();
});
