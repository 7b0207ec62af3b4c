/** Reminders and members as lists: offsets, pages, states, events, and the notice when one is due (R-REM, RE-9). */
import { describe, expect, test } from "vitest";
import { createMembers, type MembersQuery } from "../../../src/core/lists/members.ts";
import { createReminders } from "../../../src/core/lists/reminders.ts";
import { reminderKind } from "../../../src/model/reminders.ts";
import type { Sort } from "../../../src/wire/entities/query.ts";
import type { Reminder } from "../../../src/wire/entities/reminder.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { at, CID, event, msg } from "../state/world.ts";

const NOW = Date.UTC(2026, 0, 1, 1);
const MINUTE = 60_000;
const iso = (ms: number): string => new Date(NOW + ms).toISOString();

const reminder = (id: string, remind_at: string | null, more: Partial<Reminder> = {}): Reminder => ({
  channel_cid: CID,
  message_id: id,
  user_id: "ada",
  remind_at,
  created_at: at(0),
  updated_at: at(0),
  ...more,
});

function list() {
  const clock = new VirtualClock(NOW);
  const calls: { name: string; args: Record<string, unknown> }[] = [];
  const notices: Record<string, unknown>[] = [];
  const answers: unknown[] = [];
  const reminders = createReminders({
    call: (async (name: string, args: Record<string, unknown>) => {
      calls.push({ name, args });
      return (await answers.shift()) ?? {};
    }) as never,
    now: () => clock.now(),
    notify: (notice) => notices.push(notice),
  });
  const ids = (): string[] => reminders.state().items.map(({ message_id }) => message_id);
  return { reminders, clock, calls, notices, answers, ids };
}

test("after a reconnect the list is loaded again if it was loaded before", async () => {
  const l = list();
  l.reminders.onConnected();
  expect(l.calls).toEqual([]);
  l.answers.push({ reminders: [reminder("m1", iso(1))] }, { reminders: [reminder("m2", null)] });
  await l.reminders.load();
  l.reminders.onConnected();
  await expect.poll(l.ids).toEqual(["m2"]);
});

describe("R-REM-1", () => {
  test("RE-9: the offsets range from 2 minutes to 1 day", () => {
    expect(list().reminders.offsets).toEqual([2, 15, 30, 60, 240, 1440].map((minutes) => minutes * MINUTE));
  });
  test("ten reminders are loaded per page, further ones with next, and by a filter", async () => {
    const l = list();
    l.answers.push({ reminders: [reminder("m1", iso(1))], next: "n" }, { reminders: [reminder("m2", null)] });
    await l.reminders.load();
    expect(l.calls[0]).toMatchObject({ name: "queryReminders", args: { body: { limit: 10 } } });
    expect(await l.reminders.more()).toBe(true);
    expect(l.calls[1]!.args.body).toEqual({ limit: 10, next: "n" });
    expect(await l.reminders.more()).toBe(false);
    expect(l.ids()).toEqual(["m1", "m2"]);
    l.answers.push({ reminders: [] });
    await l.reminders.show({ remind_at: null });
    expect(l.calls.at(-1)!.args.body).toEqual({ limit: 10, filter: { remind_at: null } });
    expect(l.ids()).toEqual([]);
  });
  test("a page that is loading is not requested a second time", async () => {
    const l = list();
    const gate = Promise.withResolvers<unknown>();
    l.answers.push({ reminders: [reminder("m1", iso(1))], next: "n" }, gate.promise);
    await l.reminders.load();
    const more = l.reminders.more();
    expect(await l.reminders.more()).toBe(false);
    gate.resolve({ reminders: [reminder("m2", iso(2))] });
    expect(await more).toBe(true);
    expect(l.calls).toHaveLength(2);
  });
  test("an event before the list was loaded adds nothing", async () => {
    const l = list();
    l.reminders.onEvent(event("reminder.created", 1, { reminder: reminder("m9", iso(1)) }));
    expect(l.reminders.state()).toMatchObject({ items: [], loaded: false });
  });
  test("reminders created or changed during a request keep that change, even if the answer is older", async () => {
    const l = list();
    const gate = Promise.withResolvers<unknown>();
    l.answers.push(gate.promise, { reminder: reminder("m5", iso(5)) });
    const loading = l.reminders.load();
    l.reminders.onEvent(event("reminder.created", 9, { reminder: reminder("m1", iso(1)) }));
    l.reminders.onEvent(event("reminder.deleted", 9, { reminder: reminder("m2", iso(2)) }));
    l.reminders.onEvent(
      event("reminder.updated", 9, { reminder: reminder("m3", iso(9), { updated_at: at(9) }) }),
    );
    await l.reminders.create("m5", 5);
    gate.resolve({ reminders: [reminder("m2", iso(2)), reminder("m3", iso(3)), reminder("m4", iso(4))] });
    await loading;
    expect(l.ids()).toEqual(["m1", "m4", "m5", "m3"]);
  });
  test("a reminder deleted during the request of a further page is not added, and one of another page stays in its place", async () => {
    const l = list();
    const gate = Promise.withResolvers<unknown>();
    l.answers.push({ reminders: [reminder("m1", iso(1))], next: "n" }, gate.promise);
    await l.reminders.load();
    const more = l.reminders.more();
    l.reminders.onEvent(
      event("reminder.updated", 9, { reminder: reminder("m1", iso(1), { updated_at: at(9) }) }),
    );
    l.reminders.onEvent(event("reminder.deleted", 9, { reminder: reminder("m2", iso(2)) }));
    gate.resolve({ reminders: [reminder("m2", iso(2)), reminder("m3", iso(3))] });
    await more;
    expect(l.ids()).toEqual(["m1", "m3"]);
    expect(l.reminders.state().items[0]!.updated_at).toBe(at(9));
  });
  test("a reminder created during the request of a further page stands at its time, once", async () => {
    const l = list();
    const gate = Promise.withResolvers<unknown>();
    l.answers.push({ reminders: [reminder("m1", iso(1)), reminder("m3", iso(3))], next: "n" }, gate.promise);
    await l.reminders.load();
    const more = l.reminders.more();
    l.reminders.onEvent(event("reminder.created", 9, { reminder: reminder("m2", iso(2)) }));
    gate.resolve({ reminders: [reminder("m4", iso(4))] });
    await more;
    expect(l.ids()).toEqual(["m1", "m2", "m3", "m4"]);
  });
  test("RE-4: reminders of one time and bookmarks are in the order of their messages, however they arrive", async () => {
    const l = list();
    l.answers.push({ reminders: [] });
    await l.reminders.load();
    for (const [id, when] of [
      ["m3", iso(1)],
      ["b2", null],
      ["m1", iso(1)],
      ["b1", null],
      ["m2", iso(1)],
    ] as const)
      l.reminders.onEvent(event("reminder.created", 9, { reminder: reminder(id, when) }));
    expect(l.ids()).toEqual(["m1", "m2", "m3", "b1", "b2"]);
  });
  test("a page that arrives or fails after sign-out changes nothing", async () => {
    for (const failing of [false, true]) {
      const l = list();
      const gate = Promise.withResolvers<unknown>();
      l.answers.push(gate.promise);
      const loading = l.reminders.load().catch(() => undefined);
      l.reminders.reset();
      if (failing) gate.reject(new Error("no answer"));
      else gate.resolve({ reminders: [reminder("m1", null)], next: "n" });
      await loading;
      expect(l.reminders.state()).toEqual({ items: [], loaded: false, loading: false });
    }
  });
  test("a reminder is a bookmark, upcoming or overdue by the current time", async () => {
    const l = list();
    expect(reminderKind({ remind_at: null }, NOW)).toBe("bookmark");
    const soon = reminder("m1", iso(1000));
    expect(l.reminders.kind(soon)).toBe("upcoming");
    await l.clock.advance(1000);
    expect(l.reminders.kind(soon)).toBe("overdue");
  });
  test("reminders are created and changed by offsets from the provider's time", async () => {
    const l = list();
    l.answers.push({ reminders: [] });
    await l.reminders.load();
    l.answers.push({ reminder: reminder("m1", iso(2 * MINUTE)) });
    await l.reminders.create("m1", l.reminders.offsets[0]!);
    expect(l.calls.at(-1)).toMatchObject({
      name: "createReminder",
      args: { path: { id: "m1" }, body: { remind_at: iso(2 * MINUTE) } },
    });
    l.answers.push({ reminder: reminder("m2", null) });
    await l.reminders.create("m2");
    expect(l.calls.at(-1)!.args.body).toEqual({});
    l.answers.push({ reminder: reminder("m1", null, { updated_at: at(5) }) });
    await l.reminders.update("m1", null);
    expect(l.calls.at(-1)).toMatchObject({ name: "updateReminder", args: { body: { remind_at: null } } });
    await l.reminders.remove("m2");
    expect(l.ids()).toEqual(["m1"]);
  });
});

test("events add, change and remove reminders, ordered by time with bookmarks last; older events change nothing", async () => {
  const l = list();
  l.answers.push({ reminders: [reminder("m5", iso(5)), reminder("b", null)] });
  await l.reminders.load();
  const receive = (type: string, changed: Reminder): void =>
    l.reminders.onEvent(
      event(type, 9, { reminder: changed, message_id: changed.message_id, user_id: "ada" }),
    );
  receive("reminder.created", reminder("m3", iso(3)));
  expect(l.ids()).toEqual(["m3", "m5", "b"]);
  receive("reminder.updated", reminder("m3", iso(9), { updated_at: at(9) }));
  receive("reminder.updated", reminder("m3", iso(1), { updated_at: at(8) }));
  expect(l.ids()).toEqual(["m5", "m3", "b"]);
  receive("reminder.deleted", reminder("m5", iso(5)));
  expect(l.ids()).toEqual(["m3", "b"]);
  l.reminders.reset();
  expect(l.reminders.state()).toEqual({ items: [], loaded: false, loading: false });
});

test("with a filter events change the loaded reminders and add none: whether a new one matches is unknown", async () => {
  const l = list();
  l.answers.push({ reminders: [reminder("m1", iso(MINUTE))] });
  await l.reminders.show({ remind_at: { $exists: true } });
  l.reminders.onEvent(event("reminder.created", 1, { reminder: reminder("m2", null) }));
  l.reminders.onEvent(
    event("reminder.updated", 2, { reminder: reminder("m1", iso(2 * MINUTE), { updated_at: at(2) }) }),
  );
  expect(l.reminders.state().items.map(({ message_id, remind_at }) => [message_id, remind_at])).toEqual([
    ["m1", iso(2 * MINUTE)],
  ]);
});

test("an event without the message keeps the message that the loaded reminder has", async () => {
  const l = list();
  l.answers.push({ reminders: [reminder("m1", iso(1), { message: msg(1, { text: "tea?" }) })] });
  await l.reminders.load();
  const moved = reminder("m1", iso(9), { updated_at: at(9) });
  l.reminders.onEvent(event("reminder.updated", 9, { reminder: moved }));
  expect(l.reminders.state().items).toMatchObject([{ remind_at: iso(9), message: { text: "tea?" } }]);
});

test("R-REM-2: a due reminder shows a notice with sanitized text, and is listed as overdue", async () => {
  const l = list();
  const due = reminder("m1", iso(0), { message: msg(1, { text: "tea\u001b[31m?\nnow" }) });
  l.answers.push({ reminders: [due] });
  await l.reminders.load();
  l.reminders.onEvent(event("notification.reminder_due", 9, { reminder: due, message_id: "m1" }));
  expect(l.notices).toHaveLength(1);
  expect(l.notices[0]).toMatchObject({ level: "info", text: "A reminder is due" });
  expect(String(l.notices[0]!.reason)).toMatch(/^tea[^\u001b\n]*now$/);
  expect(l.ids()).toEqual(["m1"]);
  expect(l.reminders.kind(l.reminders.state().items[0]!)).toBe("overdue");
});

describe("the members of a channel", () => {
  const loadPages = async (query: MembersQuery) => {
    const calls: Record<string, unknown>[] = [];
    const applied: unknown[] = [];
    const members = createMembers(
      {
        call: (async (_name: string, args: { query: Record<string, unknown> }) => {
          calls.push(args.query);
          const count = calls.length === 1 ? 10 : 2;
          return { members: Array.from({ length: count }, (_, n) => ({ user_id: `u${calls.length}${n}` })) };
        }) as never,
        machine: { revision: () => calls.length, apply: (change) => applied.push(change) },
      },
      CID,
      query,
    );
    await members.load();
    await members.more();
    expect(await members.more()).toBe(false);
    expect(members.state().items).toHaveLength(12);
    expect(applied).toMatchObject([
      { kind: "members", cid: CID, since: 0 },
      { kind: "members", cid: CID, since: 1 },
    ]);
    return calls;
  };
  const place = { type: "messaging", id: "kitchen", limit: 10 };

  test("are loaded ten per page, continuing from the last user id", async () => {
    const filter = { name: { $autocomplete: "a" } };
    const sort = [{ field: "user_id", direction: 1 }];
    expect(await loadPages({ filter })).toEqual([
      { ...place, filter_conditions: filter, sort },
      { ...place, filter_conditions: filter, sort, user_id_gt: "u19" },
    ]);
  });
  test("are loaded by offset in another sort order", async () => {
    const sort: Sort = [{ field: "created_at", direction: -1 }];
    expect(await loadPages({ sort })).toEqual([
      { ...place, filter_conditions: {}, sort, offset: 0 },
      { ...place, filter_conditions: {}, sort, offset: 10 },
    ]);
  });
  test("are refused for an invalid cid", () => {
    expect(() => createMembers({} as never, "kitchen")).toThrow("Cid must look like type:id");
  });
});
