/** Reminder events reach every connection of the owner and nobody else; the due event comes on time, once (RE-5 … RE-8). */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FULL_REMINDER } from "./entities.ts";
import { ENVELOPE, Hearing, namesOf, type Heard } from "./hearing.ts";
import { differences, type Keys } from "./shape.ts";
import { hosted, type Json, type Room, type Who } from "./world.ts";

let h: Hearing;
let room: Room;
beforeAll(async () => {
  h = await Hearing.start();
});
afterAll(() => h.stop());
beforeEach(async () => {
  room = await h.enter();
});

const ok = (who: Who, method: string, route: string, body?: object): Promise<Json> =>
  h.world.ok(who, method, route, body ? { body } : {});
const MINUTE = 60_000;
const inMinutes = (minutes: number): string => new Date(h.world.now() + minutes * MINUTE).toISOString();
const set = (minutes: number | null, method = "POST", message = room.message): Promise<Json> =>
  ok("ada", method, `/messages/${message}/reminders`, {
    remind_at: minutes === null ? null : inMinutes(minutes),
  });
const KEYS: Keys = { ...ENVELOPE, reminder: FULL_REMINDER, message_id: "text", user_id: "text" };

/** Checks that both of ada's connections received exactly this event, and nobody else any. */
function own(heard: Heard, type: string, keys = KEYS): Json {
  expect(namesOf(heard)).toEqual({ ada: [type], ada2: [type] });
  expect(heard.ada2).toEqual(heard.ada);
  const [event] = heard.ada;
  expect(differences(event, keys)).toEqual([]);
  expect(event).toMatchObject({ cid: room.cid, user_id: "ada", reminder: { user_id: "ada" } });
  return event;
}
const advance = (minutes: number): Promise<Heard> =>
  h.hear(async () => h.world.provider.advance(minutes * MINUTE));

test("RE-5: setting, changing and removing tell the owner's connections only", async () => {
  const made = own(await h.hear(() => set(null)), "reminder.created");
  expect(made).toMatchObject({
    message_id: room.message,
    reminder: { remind_at: null, message: { id: room.message } },
  });
  own(await h.hear(() => set(600, "PATCH")), "reminder.updated");
  expect(namesOf(await h.hear(() => ok("ada", "PATCH", `/messages/${room.message}/reminders`, {})))).toEqual(
    {},
  );
  own(await h.hear(() => ok("ada", "DELETE", `/messages/${room.message}/reminders`)), "reminder.deleted");
});

test("RE-5: that of a reply names its thread", async () => {
  const reply = await h.world.say("bob", room.route, { text: "yes", parent_id: room.message });
  await h.hear(async () => {});
  const event = own(await h.hear(() => set(600, "POST", reply)), "reminder.created", {
    ...KEYS,
    parent_id: "text",
  });
  expect(event.parent_id).toBe(room.message);
});

test.skipIf(hosted)("RE-6: it is due once for each value, stays, and is overdue then", async () => {
  await set(10);
  await h.hear(async () => {});
  expect(namesOf(await advance(9))).toEqual({});
  const due = own(await advance(2), "notification.reminder_due");
  expect(due).toMatchObject({ message_id: room.message, reminder: { message: { text: "tea?" } } });
  expect(namesOf(await advance(60))).toEqual({});
  const { reminders } = await ok("ada", "POST", "/reminders/query", {
    filter: { channel_cid: room.cid, remind_at: { $lt: inMinutes(0) } },
  });
  expect(reminders).toMatchObject([{ message_id: room.message }]);
  await set(10, "PATCH");
  await h.hear(async () => {});
  own(await advance(11), "notification.reminder_due");
});

test.skipIf(hosted)(
  "RE-6: one that is moved, made a bookmark or removed is not due at its old time",
  async () => {
    await set(10);
    await set(30, "PATCH");
    await h.hear(async () => {});
    expect(namesOf(await advance(15))).toEqual({});
    await set(null, "PATCH");
    await h.hear(async () => {});
    expect(namesOf(await advance(30))).toEqual({});
    await set(10, "PATCH");
    await ok("ada", "DELETE", `/messages/${room.message}/reminders`);
    await h.hear(async () => {});
    expect(namesOf(await advance(15))).toEqual({});
  },
);

test.skipIf(hosted)("many that are due at once all come, in the order of their times", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 30; i++) ids.push(await h.world.say("bob", room.route, { text: `${i}` }));
  for (const [i, id] of ids.entries()) await set(5 + i / 1000, "POST", id);
  await h.hear(async () => {});
  const heard = await advance(6);
  expect(heard.ada.map((event) => event.message_id as string)).toEqual(ids);
  expect(heard.cyd).toEqual([]);
});

test.skipIf(hosted)("who left the channel is not told what is said there", async () => {
  await ok("cyd", "POST", `/messages/${room.message}/reminders`, { remind_at: inMinutes(10) });
  await ok("ada", "POST", room.route, { remove_members: ["cyd"] });
  await h.hear(async () => {});
  expect(namesOf(await advance(11))).toEqual({});
});

test("RE-7: a message erased for good takes its reminders with it, one deleted softly keeps them", async () => {
  await set(600);
  await h.hear(async () => {});
  const soft = await h.hear(() => ok("ada", "DELETE", `/messages/${room.message}`));
  expect(namesOf(soft)).toEqual({ ada: ["message.deleted"], bob: ["message.deleted"] });
  const hard = await h.hear(() =>
    h.world.ok("ada", "DELETE", `/messages/${room.message}`, { query: { hard: true } }),
  );
  expect(hard.ada2.map((event) => event.type as string)).toEqual(["reminder.deleted"]);
  expect(hard.ada.map((event) => event.type as string)).toContain("reminder.deleted");
  expect(hard.bob.map((event) => event.type as string)).toEqual(["message.deleted"]);
  const { reminders } = await ok("ada", "POST", "/reminders/query", { filter: { channel_cid: room.cid } });
  expect(reminders).toEqual([]);
});

test("RE-7: truncation erases too", async () => {
  await set(600);
  await h.hear(async () => {});
  const heard = await h.hear(() => ok("ada", "POST", `${room.route}/truncate`, {}));
  expect(heard.ada2.map((event) => event.type as string)).toContain("reminder.deleted");
  expect(heard.cyd.map((event) => event.type as string)).not.toContain("reminder.deleted");
});

test("RE-8: the own reminder rides on the message, and on nobody else's view of it", async () => {
  await set(600);
  const mine = await ok("ada", "POST", `${room.route}/query`, {});
  expect(mine.messages[0].reminder).toMatchObject({ message_id: room.message, user_id: "ada" });
  expect((await ok("ada", "GET", `/messages/${room.message}`)).message.reminder.user_id).toBe("ada");
  expect((await ok("bob", "GET", `/messages/${room.message}`)).message.reminder).toBeUndefined();
  await h.hear(async () => {});
  const heard = await h.hear(() =>
    ok("ada", "POST", `/messages/${room.message}`, { message: { text: "milk?" } }),
  );
  expect(heard.ada[0].message.reminder).toBeUndefined();
});
