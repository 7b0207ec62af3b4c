/** Drafts and reminders: limits, what deletes them, who sees them (specification/drafts.md §3, specification/reminders.md §3). */
import { describe, expect, test } from "vitest";
import type { Draft } from "../../../src/wire/entities/draft.ts";
import type { Reminder } from "../../../src/wire/entities/reminder.ts";
import { remindersDue } from "../../../src/provider/domain/reminders/rules/due.ts";
import { room, ROOM, type TestDomain } from "./support.ts";

const MINUTE = 60_000;
const inMinutes = (b: TestDomain, minutes: number): string =>
  new Date(b.now / 1000 + minutes * MINUTE).toISOString();

/** Processes due reminders as the scheduler does; returns the number of steps. */
function runDue(b: TestDomain): number {
  for (let steps = 0; ; steps++) {
    const next = remindersDue.next(b.db);
    if (next === undefined || next > b.now) return steps;
    remindersDue.run({ db: b.db, emit: b.emit, now: () => b.tick(), uuid: () => "uuid" });
  }
}

describe("reminders", () => {
  const set = (b: TestDomain, id: string, minutes: number | null, as = "bob") =>
    b.call(as, "createReminder", {
      path: { id },
      body: { remind_at: minutes === null ? null : inMinutes(b, minutes) },
    }).reminder as Reminder;
  const dueEvents = (b: TestDomain): string[] =>
    b.events
      .filter(({ event }) => event.type === "notification.reminder_due")
      .map(({ user, event }) => `${user} ${String(event.message_id)}`);

  test("RE-1: a user has at most 250 reminders, and deleting one makes room", () => {
    const b = room();
    for (let i = 0; i < 251; i++) b.send("ada", "room", { id: `m${i}`, text: "x" });
    for (let i = 0; i < 250; i++) set(b, `m${i}`, null);
    expect(b.refusalOf("bob", "createReminder", { path: { id: "m250" } })).toEqual([4, "id"]);
    set(b, "m250", null, "ada");
    b.call("bob", "deleteReminder", { path: { id: "m0" } });
    set(b, "m250", null);
  });

  test("RE-5, RE-6: due at its time and not before, once, in order, also for users who are not connected", () => {
    const b = room();
    for (const id of ["a", "b", "c"]) b.send("ada", "room", { id, text: id });
    set(b, "b", 20);
    set(b, "a", 10);
    set(b, "c", null);
    set(b, "a", 10, "cyd");
    b.events = [];
    expect(runDue(b)).toBe(0);
    b.wait(30 * MINUTE);
    expect(runDue(b)).toBe(1);
    expect(dueEvents(b).toSorted()).toEqual(["bob a", "bob b", "cyd a"]);
    expect(dueEvents(b).indexOf("bob a")).toBeLessThan(dueEvents(b).indexOf("bob b"));
    expect(b.events.every(({ to, cid }) => to === "U" && cid === "messaging:room")).toBe(true);
    b.events = [];
    b.wait(60 * MINUTE);
    expect(runDue(b)).toBe(0);
  });

  test("a reminder with a new time is due again, also after it was due, and a bookmark is not", () => {
    const b = room();
    for (const id of ["a", "b", "c"]) b.send("ada", "room", { id, text: id });
    const move = (id: string, minutes: number | null): unknown =>
      b.call("bob", "updateReminder", {
        path: { id },
        body: { remind_at: minutes === null ? null : inMinutes(b, minutes) },
      });
    const dueAfter = (minutes: number): string[] => {
      b.events = [];
      b.wait(minutes * MINUTE);
      runDue(b);
      return dueEvents(b);
    };
    for (const id of ["a", "b", "c"]) set(b, id, 10);
    expect(dueAfter(20)).toEqual(["bob a", "bob b", "bob c"]);
    move("a", 10);
    move("b", null);
    expect(dueAfter(20)).toEqual(["bob a"]);
    move("a", 30);
    move("b", 10);
    expect([dueAfter(20), dueAfter(20), dueAfter(60)]).toEqual([["bob b"], ["bob a"], []]);
  });

  test("a page at an offset leads back to the page before it, and the first page leads nowhere", () => {
    const b = room();
    for (const [n, id] of ["a", "b", "c", "d"].entries()) {
      b.send("ada", "room", { id, text: id });
      set(b, id, 10 + n);
    }
    const page = (body: object): { ids: string; prev?: string; next?: string } => {
      const answer = b.call("bob", "queryReminders", { body: { limit: 2, ...body } }) as {
        reminders: Reminder[];
        prev?: string;
        next?: string;
      };
      const { reminders, ...cursors } = answer;
      return { ...cursors, ids: reminders.map(({ message_id: id }) => id).join("") };
    };
    const [first, second, third] = [0, 1, 2].map((offset) => page({ offset }));
    expect([first!.ids, first!.prev]).toEqual(["ab", undefined]);
    expect([second!.ids, page({ prev: second!.prev }).ids]).toEqual(["bc", "a"]);
    expect([third!.ids, third!.next, page({ prev: third!.prev }).ids]).toEqual(["cd", undefined, "ab"]);
  });

  test("many reminders due at the same time are sent in steps of twenty", () => {
    const b = room();
    for (let i = 0; i < 45; i++) {
      b.send("ada", "room", { id: `m${i}`, text: "x" });
      set(b, `m${i}`, 10);
    }
    b.events = [];
    b.wait(11 * MINUTE);
    expect(runDue(b)).toBe(3);
    expect(dueEvents(b)).toHaveLength(45);
  });

  test("the reminder of a user who lost access to the channel sends no event and is not listed", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "x" });
    set(b, "m", 10);
    set(b, "m", 10, "ada");
    b.call("ada", "updateChannel", { path: ROOM, body: { remove_members: ["bob"] } });
    b.events = [];
    b.wait(11 * MINUTE);
    runDue(b);
    expect(dueEvents(b)).toEqual(["ada m"]);
    expect(b.call("bob", "queryReminders", { body: {} }).reminders).toEqual([]);
    expect(b.refusalOf("bob", "deleteReminder", { path: { id: "m" } })).toEqual([17, undefined]);
    b.call("ada", "deleteChannel", { path: ROOM });
    expect(b.call("ada", "queryReminders", { body: {} }).reminders).toEqual([]);
  });

  test("RE-7: deleting a parent removes the reminders of its replies", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "x" });
    b.send("ada", "room", { id: "r", text: "y", parent_id: "m" });
    set(b, "r", 10);
    b.events = [];
    b.call("ada", "deleteMessage", { path: { id: "m" }, query: { hard: "true" } });
    const deleted = b.events.filter(({ event }) => event.type === "reminder.deleted");
    expect(deleted).toMatchObject([{ to: "U", user: "bob", event: { message_id: "r", parent_id: "m" } }]);
    b.wait(11 * MINUTE);
    expect(runDue(b)).toBe(0);
  });
});

describe("drafts", () => {
  const save = (b: TestDomain, message: Record<string, unknown>, as = "ada") =>
    b.call(as, "saveDraft", { path: ROOM, body: { message } }).draft as Draft;
  const texts = (b: TestDomain, as = "ada"): string[] =>
    (b.call(as, "queryDrafts", { body: {} }).drafts as Draft[]).map(({ message }) => message.text);

  test("each user has one draft per channel and thread, and a new one replaces it", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "x" });
    save(b, { text: "first", silent: true });
    save(b, { text: "second" });
    save(b, { text: "under it", parent_id: "m" });
    save(b, { text: "bob's" }, "bob");
    expect(texts(b)).toEqual(["under it", "second"]);
    expect(b.call("ada", "getDraft", { path: ROOM }).draft).not.toHaveProperty("message.silent");
    expect(texts(b, "bob")).toEqual(["bob's"]);
  });

  test("DR-1: a draft is cut to the channel's maximum length", () => {
    const b = room();
    b.call({ server: true }, "updateChannelPartial", {
      path: ROOM,
      body: { set: { config_overrides: { max_message_length: 10 } } },
    });
    expect(save(b, { text: "0123456789abc" }).message.text).toBe("0123456789");
  });

  test("a draft stores no location", () => {
    const b = room();
    const location = { latitude: 1, longitude: 2, created_by_device_id: "d" };
    expect(save(b, { text: "x", shared_location: location }).message).not.toHaveProperty("shared_location");
    expect(
      b.call("ada", "saveDraft", { path: ROOM, body: { message: { shared_location: location } } }),
    ).toEqual({});
  });

  test("a poll alone is a draft, but only for its creator", () => {
    const b = room();
    b.call("ada", "createPoll", { body: { id: "p", name: "Tea?" } });
    expect(save(b, { poll_id: "p" }).message).toMatchObject({ text: "", poll_id: "p" });
    expect(b.refusalOf("bob", "saveDraft", { path: ROOM, body: { message: { poll_id: "p" } } })).toEqual([
      17,
      undefined,
    ]);
  });

  test("deleting a poll removes it from drafts", () => {
    const b = room();
    b.call("ada", "createPoll", { body: { id: "p", name: "Tea?" } });
    save(b, { text: "vote!", poll_id: "p" });
    b.events = [];
    b.call("ada", "deletePoll", { path: { poll_id: "p" } });
    expect(b.takeEvents()).toEqual(["U draft.updated ada"]);
    const { draft } = b.call("ada", "getDraft", { path: ROOM }) as { draft: Draft };
    expect(draft.message).toMatchObject({ text: "vote!" });
    expect(draft.message).not.toHaveProperty("poll_id");
  });

  test("DR-2: deleting the quoted message keeps a draft with a text or file, and deletes one without", () => {
    const b = room();
    b.send("bob", "room", { id: "m", text: "x" });
    save(b, { attachments: [{ type: "image", image_url: "x" }], quoted_message_id: "m" });
    save(b, { text: "yes", quoted_message_id: "m" }, "cyd");
    save(b, { quoted_message_id: "m" }, "bob");
    b.events = [];
    b.call("bob", "deleteMessage", { path: { id: "m" }, query: { hard: "true" } });
    const drafts = b.takeEvents().filter((line) => line.includes("draft"));
    expect(drafts.toSorted()).toEqual(["U draft.deleted bob", "U draft.updated ada", "U draft.updated cyd"]);
    const { message } = b.call("ada", "getDraft", { path: ROOM }).draft as Draft;
    expect(message.attachments).toHaveLength(1);
    expect(message).not.toHaveProperty("quoted_message_id");
  });

  test("DR-2: deleting the quoted message keeps a draft that has a poll", () => {
    const b = room();
    b.send("bob", "room", { id: "m", text: "x" });
    const { id } = b.call("ada", "createPoll", { body: { name: "Tea?", options: [{ text: "yes" }] } })
      .poll as {
      id: string;
    };
    save(b, { poll_id: id, quoted_message_id: "m" });
    b.events = [];
    b.call("bob", "deleteMessage", { path: { id: "m" }, query: { hard: "true" } });
    expect(b.takeEvents().filter((line) => line.includes("draft"))).toEqual(["U draft.updated ada"]);
    expect(b.call("ada", "getDraft", { path: ROOM }).draft).toMatchObject({ message: { poll_id: id } });
  });

  test("DR-3: only an own message in the same channel deletes the draft", () => {
    const b = room();
    b.channel("garden", "ada", ["ada"]);
    save(b, { text: "mine" });
    b.send("bob", "room", { text: "x" });
    b.send("ada", "garden", { text: "x" });
    b.call("ada", "updateChannel", {
      path: ROOM,
      body: { data: { name: "Room" }, message: { text: "renamed" } },
    });
    expect(texts(b)).toEqual(["mine"]);
    b.send("ada", "room", { text: "x" });
    expect(texts(b)).toEqual([]);
  });

  test("a former member's draft is stored but hidden until the member returns", () => {
    const b = room();
    save(b, { text: "mine" }, "bob");
    b.call("ada", "updateChannel", { path: ROOM, body: { remove_members: ["bob"] } });
    expect(texts(b, "bob")).toEqual([]);
    expect(b.refusalOf("bob", "getDraft", { path: ROOM })).toEqual([17, undefined]);
    b.call("ada", "updateChannel", { path: ROOM, body: { add_members: ["bob"] } });
    expect(texts(b, "bob")).toEqual(["mine"]);
  });

  test("a channel created again under the same id has no old drafts", () => {
    const b = room();
    save(b, { text: "mine" });
    b.call("ada", "deleteChannel", { path: ROOM });
    b.channel("room", "ada", ["ada", "bob"]);
    expect(b.refusalOf("ada", "getDraft", { path: ROOM })).toEqual([16, undefined]);
  });
});
