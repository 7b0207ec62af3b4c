/** Drafts and reminders: limits, what deletes them, who sees them (specification/drafts.md §3, specification/reminders.md §3). */
import { describe, expect, test } from "vitest";
import type { Draft } from "../../../src/wire/entities/draft.ts";
import type { Reminder } from "../../../src/wire/entities/reminder.ts";
import { remindersDue } from "../../../src/provider/domain/reminders/rules/due.ts";
import { room, ROOM, type Bench } from "./support.ts";

const MINUTE = 60_000;
const inMinutes = (b: Bench, minutes: number): string =>
  new Date(b.now / 1000 + minutes * MINUTE).toISOString();

/** Processes due reminders as the scheduler does; returns the number of steps. */
function settle(b: Bench): number {
  for (let steps = 0; ; steps++) {
    const next = remindersDue.next(b.db);
    if (next === undefined || next > b.now) return steps;
    remindersDue.run({ db: b.db, emit: b.emit, now: () => b.tick(), uuid: () => "uuid" });
  }
}

describe("reminders", () => {
  const set = (b: Bench, id: string, minutes: number | null, as = "bob") =>
    b.call(as, "createReminder", {
      path: { id },
      body: { remind_at: minutes === null ? null : inMinutes(b, minutes) },
    }).reminder as Reminder;
  const due = (b: Bench): string[] =>
    b.told
      .filter(({ event }) => event.type === "notification.reminder_due")
      .map(({ user, event }) => `${user} ${String(event.message_id)}`);

  test("RE-1: at most 250 a user; one that goes makes room", () => {
    const b = room();
    for (let i = 0; i < 251; i++) b.send("ada", "room", { id: `m${i}`, text: "x" });
    for (let i = 0; i < 250; i++) set(b, `m${i}`, null);
    expect(b.refused("bob", "createReminder", { path: { id: "m250" } })).toEqual([4, "id"]);
    set(b, "m250", null, "ada");
    b.call("bob", "deleteReminder", { path: { id: "m0" } });
    set(b, "m250", null);
  });

  test("RE-5, RE-6: told at its time and not before, once, in order, also to who is not connected", () => {
    const b = room();
    for (const id of ["a", "b", "c"]) b.send("ada", "room", { id, text: id });
    set(b, "b", 20);
    set(b, "a", 10);
    set(b, "c", null);
    set(b, "a", 10, "cyd");
    b.told = [];
    expect(settle(b)).toBe(0);
    b.wait(30 * MINUTE);
    expect(settle(b)).toBe(1);
    expect(due(b).toSorted()).toEqual(["bob a", "bob b", "cyd a"]);
    expect(due(b).indexOf("bob a")).toBeLessThan(due(b).indexOf("bob b"));
    expect(b.told.every(({ to, cid }) => to === "U" && cid === "messaging:room")).toBe(true);
    b.told = [];
    b.wait(60 * MINUTE);
    expect(settle(b)).toBe(0);
  });

  test("many at the same time come in steps of twenty", () => {
    const b = room();
    for (let i = 0; i < 45; i++) {
      b.send("ada", "room", { id: `m${i}`, text: "x" });
      set(b, `m${i}`, 10);
    }
    b.told = [];
    b.wait(11 * MINUTE);
    expect(settle(b)).toBe(3);
    expect(due(b)).toHaveLength(45);
  });

  test("a channel that is closed to the owner by then tells it nothing, and hides it from the list", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "x" });
    set(b, "m", 10);
    set(b, "m", 10, "ada");
    b.call("ada", "updateChannel", { path: ROOM, body: { remove_members: ["bob"] } });
    b.told = [];
    b.wait(11 * MINUTE);
    settle(b);
    expect(due(b)).toEqual(["ada m"]);
    expect(b.call("bob", "queryReminders", { body: {} }).reminders).toEqual([]);
    expect(b.refused("bob", "deleteReminder", { path: { id: "m" } })).toEqual([17, undefined]);
    b.call("ada", "deleteChannel", { path: ROOM });
    expect(b.call("ada", "queryReminders", { body: {} }).reminders).toEqual([]);
  });

  test("RE-7: with a parent its replies' reminders go too", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "x" });
    b.send("ada", "room", { id: "r", text: "y", parent_id: "m" });
    set(b, "r", 10);
    b.told = [];
    b.call("ada", "deleteMessage", { path: { id: "m" }, query: { hard: "true" } });
    const gone = b.told.filter(({ event }) => event.type === "reminder.deleted");
    expect(gone).toMatchObject([{ to: "U", user: "bob", event: { message_id: "r", parent_id: "m" } }]);
    b.wait(11 * MINUTE);
    expect(settle(b)).toBe(0);
  });
});

describe("drafts", () => {
  const save = (b: Bench, message: Record<string, unknown>, as = "ada") =>
    b.call(as, "saveDraft", { path: ROOM, body: { message } }).draft as Draft;
  const texts = (b: Bench, as = "ada"): string[] =>
    (b.call(as, "queryDrafts", { body: {} }).drafts as Draft[]).map(({ message }) => message.text);

  test("one of each user, channel and thread: a new one replaces", () => {
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

  test("DR-1: cut to the channel's own limit", () => {
    const b = room();
    b.call({ server: true }, "updateChannelPartial", {
      path: ROOM,
      body: { set: { config_overrides: { max_message_length: 10 } } },
    });
    expect(save(b, { text: "0123456789abc" }).message.text).toBe("0123456789");
  });

  test("a location is no part of a draft", () => {
    const b = room();
    const location = { latitude: 1, longitude: 2, created_by_device_id: "d" };
    expect(save(b, { text: "x", shared_location: location }).message).not.toHaveProperty("shared_location");
    expect(
      b.call("ada", "saveDraft", { path: ROOM, body: { message: { shared_location: location } } }),
    ).toEqual({});
  });

  test("a poll alone makes a draft, and only its maker's", () => {
    const b = room();
    b.call("ada", "createPoll", { body: { id: "p", name: "Tea?" } });
    expect(save(b, { poll_id: "p" }).message).toMatchObject({ text: "", poll_id: "p" });
    expect(b.refused("bob", "saveDraft", { path: ROOM, body: { message: { poll_id: "p" } } })).toEqual([
      17,
      undefined,
    ]);
  });

  test("a deleted poll leaves the drafts it was in", () => {
    const b = room();
    b.call("ada", "createPoll", { body: { id: "p", name: "Tea?" } });
    save(b, { text: "vote!", poll_id: "p" });
    b.told = [];
    b.call("ada", "deletePoll", { path: { poll_id: "p" } });
    expect(b.heard()).toEqual(["U draft.updated ada"]);
    const { draft } = b.call("ada", "getDraft", { path: ROOM }) as { draft: Draft };
    expect(draft.message).toMatchObject({ text: "vote!" });
    expect(draft.message).not.toHaveProperty("poll_id");
  });

  test("DR-2: without the message it quoted it stays while it holds a text or a file, else it goes", () => {
    const b = room();
    b.send("bob", "room", { id: "m", text: "x" });
    save(b, { attachments: [{ type: "image", image_url: "x" }], quoted_message_id: "m" });
    save(b, { text: "yes", quoted_message_id: "m" }, "cyd");
    save(b, { quoted_message_id: "m" }, "bob");
    b.told = [];
    b.call("bob", "deleteMessage", { path: { id: "m" }, query: { hard: "true" } });
    const drafts = b.heard().filter((line) => line.includes("draft"));
    expect(drafts.toSorted()).toEqual(["U draft.deleted bob", "U draft.updated ada", "U draft.updated cyd"]);
    const { message } = b.call("ada", "getDraft", { path: ROOM }).draft as Draft;
    expect(message.attachments).toHaveLength(1);
    expect(message).not.toHaveProperty("quoted_message_id");
  });

  test("DR-3: the message of somebody else, of a channel change or of another channel leaves it", () => {
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

  test("who left keeps it but does not see it until back", () => {
    const b = room();
    save(b, { text: "mine" }, "bob");
    b.call("ada", "updateChannel", { path: ROOM, body: { remove_members: ["bob"] } });
    expect(texts(b, "bob")).toEqual([]);
    expect(b.refused("bob", "getDraft", { path: ROOM })).toEqual([17, undefined]);
    b.call("ada", "updateChannel", { path: ROOM, body: { add_members: ["bob"] } });
    expect(texts(b, "bob")).toEqual(["mine"]);
  });

  test("a channel made again under the same id has none of the old drafts", () => {
    const b = room();
    save(b, { text: "mine" });
    b.call("ada", "deleteChannel", { path: ROOM });
    b.channel("room", "ada", ["ada", "bob"]);
    expect(b.refused("ada", "getDraft", { path: ROOM })).toEqual([16, undefined]);
  });
});
