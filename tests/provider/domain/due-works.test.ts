/** Every kind of scheduled work: it waits for its time, runs then, and is not due again. */
import { expect, test } from "vitest";
import { due } from "../../../src/provider/domain/due.ts";
import { registerJobFile } from "../../../src/provider/domain/jobs/rules/export-files.ts";
import { newIndexSchema } from "../../../src/provider/domain/search/storage/schema.ts";
import { logEvent } from "../../../src/provider/realtime/log.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import type { DueWork } from "../../../src/provider/base/ports.ts";
import { timeFromMicros } from "../../../src/wire/time.ts";
import { TestDomain, room, ROOM } from "./support.ts";

const SERVER = { server: true } as const;
const MINUTE = 60_000;

const count = (b: TestDomain, sql: string): number =>
  b.db.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)!.n;

interface Row {
  /** Creates two pieces of work, the second due later than the first. */
  create(b: TestDomain): void;
  /** The number of pieces that are not done yet. */
  remaining(b: TestDomain): number;
  /** The work is due as soon as it is created. */
  atOnce?: true;
}

const ban = (b: TestDomain, target: string, timeout: number, more: object = {}): void =>
  void b.call(SERVER, "ban", { body: { target_user_id: target, banned_by_id: "ada", timeout, ...more } });

const ROWS: Readonly<Record<string, Row>> = {
  bans: {
    create(b) {
      ban(b, "bob", 5, ROOM);
      ban(b, "cyd", 9);
    },
    remaining: (b) => count(b, "bans"),
  },
  "bans of the future": {
    create(b) {
      ban(b, "bob", 5, { ...ROOM, ban_from_future_channels: true });
      ban(b, "cyd", 9, { ...ROOM, ban_from_future_channels: true });
      b.db.run("DELETE FROM bans");
    },
    remaining: (b) => count(b, "future_bans"),
  },
  "unread reminders": {
    create(b) {
      b.call(SERVER, "updateChannelType", { path: { name: "messaging" }, body: { reminders: true } });
      b.send("ada", "room", { text: "kettle on" });
      b.call("cyd", "markRead", { path: ROOM });
      b.wait(MINUTE);
      b.send("ada", "room", { text: "it boils" });
    },
    remaining: (b) => count(b, "unread_reminders"),
  },
  "user mutes": {
    create(b) {
      b.call("ada", "muteUser", { body: { target_ids: ["bob"], timeout: 5 } });
      b.call("cyd", "muteUser", { body: { target_ids: ["bob"], timeout: 9 } });
    },
    remaining: (b) => count(b, "user_mutes"),
  },
  previews: {
    create(b) {
      b.send("ada", "room", { text: "/giphy tea" });
      b.wait(MINUTE);
      b.send("bob", "room", { text: "/giphy cup" });
    },
    remaining: (b) => count(b, "previews"),
  },
  reminders: {
    create(b) {
      const { id } = b.send("ada", "room", { text: "kettle on" });
      for (const [user, minutes] of [
        ["ada", 5],
        ["bob", 9],
      ] as const)
        b.call(user, "createReminder", {
          path: { id },
          body: { remind_at: new Date(b.now / 1000 + minutes * MINUTE).toISOString() },
        });
    },
    remaining: (b) => count(b, "reminders WHERE told = 0"),
  },
  tasks: {
    create(b) {
      for (const id of ["bob", "cyd"])
        b.call(SERVER, "deleteUsers", { body: { user_ids: [id], user: "soft" } });
    },
    remaining: (b) => count(b, "tasks WHERE open = 1"),
    atOnce: true,
  },
  "spooled files": {
    create(b) {
      registerJobFile({ db: b.db, now: () => b.now }, "exports", "one.json");
      b.wait(MINUTE);
      registerJobFile({ db: b.db, now: () => b.now }, "exports", "two.json");
    },
    remaining: (b) => count(b, "spooled"),
  },
  // Their files do not exist, so the imports fail, which also completes the work.
  imports: {
    create(b) {
      for (const id of ["one", "two"])
        b.db.run(
          `INSERT INTO imports (id, path, size, mode, merge_custom, state, created_at, updated_at, history, result)
           VALUES (?, '/x.jsonl', 1, 'upsert', 0, 'analyzing', ?, ?, '[]', '{"errors":[]}')`,
          id,
          b.now,
          b.now,
        );
    },
    remaining: (b) => count(b, "imports WHERE state = 'analyzing'"),
    atOnce: true,
  },
  "messages of truncated channels": {
    create(b) {
      for (const id of ["room", "other"]) {
        if (id === "other") b.channel(id, "ada", ["ada"]);
        b.db.run(
          `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n <= 400)
           INSERT INTO message_rows (id, cid, created_at, updated_at, user_id, type, listed, counts, text, data)
           SELECT ?1 || n, 'messaging:' || ?1, n, n, 'ada', 'regular', 1, 1, 'x', '{}' FROM c`,
          id,
        );
        b.call(SERVER, "truncateChannel", { path: { ...ROOM, id } });
      }
    },
    remaining: (b) => count(b, "clearings"),
    atOnce: true,
  },
  "copies of deleted content": {
    create(b) {
      for (const id of ["one", "two"]) {
        logEvent(
          b.db,
          "messaging:room",
          undefined,
          b.tick(),
          {
            type: "message.new",
            message: b.send("ada", "room", { id, text: "gone" }),
          } as unknown as AnyEvent,
          "{}",
        );
        b.call("ada", "deleteMessage", { path: { id } });
      }
    },
    remaining: (b) => count(b, "erasures"),
    atOnce: true,
  },
  "files of deleted content": {
    create(b) {
      for (const n of [1, 2]) {
        const url = `http://127.0.0.1:1/files/0000000${n}-0000-4000-8000-000000000000/a.txt`;
        b.send("ada", "room", { id: `f${n}`, attachments: [{ type: "file", asset_url: url }] });
        b.call("ada", "deleteMessage", { path: { id: `f${n}` }, query: { hard: "true" } });
      }
    },
    remaining: (b) => count(b, "unused_files"),
    atOnce: true,
  },
  "messages of deleted users": {
    create(b) {
      for (const id of ["bob", "cyd"]) {
        b.db.run(
          `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 500)
           INSERT INTO message_rows (id, cid, created_at, updated_at, user_id, type, listed, counts, text, data)
           SELECT ?1 || n, 'messaging:room', n, n, ?1, 'regular', 1, 1, 'x', '{}' FROM c`,
          id,
        );
        ban(b, id, 5, { delete_messages: "soft" });
      }
    },
    remaining: (b) => count(b, "user_clearings"),
    atOnce: true,
  },
  "the search index": {
    create(b) {
      for (const text of ["tea", "milk"]) b.send("ada", "room", { text });
      b.db.raw.exec(newIndexSchema(0));
    },
    remaining: (b) => count(b, "message_rows WHERE rowid < (SELECT below FROM search_backlog)"),
    atOnce: true,
  },
  campaigns: {
    create(b) {
      for (const [id, minutes] of [
        ["one", 5],
        ["two", 9],
      ] as const) {
        b.call(SERVER, "createCampaign", {
          body: {
            id,
            sender_id: "ada",
            user_ids: ["bob"],
            message_template: { text: "hi" },
            channel_template: { type: "messaging" },
            create_channels: true,
          },
        });
        b.call(SERVER, "startCampaign", {
          path: { id },
          body: { scheduled_for: new Date(b.now / 1000 + minutes * MINUTE).toISOString() },
        });
      }
    },
    remaining: (b) => count(b, "campaigns WHERE status != 'completed'"),
  },
};

const workOf = (row: string): DueWork => due.find(({ name }) => name === row.replace(" of the future", ""))!;

/** Runs the work at the bench's time until none is due; throws after 50 steps, because it must not stay due forever. */
function runDue(b: TestDomain, work: DueWork): void {
  for (let steps = 0; (work.next(b.db) ?? Infinity) <= b.now; steps++) {
    if (steps === 50) throw new Error(`${work.name} is due again and again`);
    const { db, emit } = b;
    work.run({ db, emit, now: () => b.now, uuid: () => `u${steps}` });
  }
}

test("every kind of scheduled work has a row here", () => {
  const named = Object.keys(ROWS).map((row) => workOf(row).name);
  expect(due.map(({ name }) => name).toSorted()).toEqual([...new Set(named)].toSorted());
});

test.each(Object.entries(ROWS))(
  "%s: done at their time, one by one, and then nothing is due",
  (name, row) => {
    const b = room();
    b.connect("ada", "bob", "cyd");
    const work = workOf(name);
    expect(work.next(b.db)).toBeUndefined();
    row.create(b);
    expect(row.remaining(b)).toBe(2);
    const first = work.next(b.db)!;
    if (!row.atOnce) {
      expect(first).toBeGreaterThan(b.now);
      b.now = first - 10;
      runDue(b, work);
      expect([row.remaining(b), work.next(b.db)]).toEqual([2, first]);
      b.now = first;
      runDue(b, work);
      expect(row.remaining(b)).toBe(1);
      const second = work.next(b.db)!;
      expect(second).toBeGreaterThan(first);
      b.now = second;
    }
    runDue(b, work);
    expect([row.remaining(b), work.next(b.db)]).toEqual([0, undefined]);
  },
);

test.each(Object.entries(ROWS))("%s: overdue work is done once the provider runs again", (name, row) => {
  const b = room();
  row.create(b);
  b.wait(1000 * 24 * 60 * MINUTE);
  runDue(b, workOf(name));
  expect([row.remaining(b), workOf(name).next(b.db)]).toEqual([0, undefined]);
});

test("an expired mute leaves the user's longer and permanent mutes", () => {
  const b = room();
  b.call("ada", "muteUser", { body: { target_id: "bob", timeout: 5 } });
  b.call("ada", "muteUser", { body: { target_id: "cyd", timeout: 9 } });
  b.call("ada", "muteUser", { body: { target_id: "dan" } });
  b.events = [];
  b.wait(6 * MINUTE);
  runDue(b, workOf("user mutes"));
  const { me } = b.events[0]!.event as unknown as { me: { mutes: { target: { id: string } }[] } };
  expect(me.mutes.map(({ target }) => target.id).toSorted()).toEqual(["cyd", "dan"]);
});

test("whose mutes end at the same time are all told, each of their own", () => {
  const b = room();
  for (const by of ["ada", "dan"]) {
    b.call(by, "muteUser", { body: { target_ids: ["bob", "cyd"], timeout: 5 } });
    b.call(by, "muteUser", { body: { target_id: "cyd" } });
  }
  b.events = [];
  b.wait(5 * MINUTE);
  runDue(b, workOf("user mutes"));
  const told = b.events.map(({ user, event }) => {
    const { mutes } = event.me as { mutes: { target: { id: string } }[] };
    return [user, mutes.map(({ target }) => target.id)];
  });
  expect(told.toSorted()).toEqual([
    ["ada", ["cyd"]],
    ["dan", ["cyd"]],
  ]);
});

test("overdue bans are lifted in the order of their ends", () => {
  const b = room();
  b.connect("bob", "cyd");
  ban(b, "cyd", 9);
  ban(b, "bob", 5);
  b.events = [];
  b.wait(60 * MINUTE);
  runDue(b, workOf("bans"));
  expect(b.events.filter(({ event }) => event.type === "user.unbanned").map(({ user }) => user)).toEqual([
    "bob",
    "cyd",
  ]);
});

test("RUN-12: a campaign whose end comes during a step serves no further target in that step", () => {
  const b = room();
  b.user("eve");
  b.call(SERVER, "createCampaign", {
    body: {
      id: "one",
      sender_id: "ada",
      user_ids: ["bob", "cyd", "dan", "eve"],
      message_template: { text: "hi" },
      channel_template: { type: "messaging" },
      create_channels: true,
    },
  });
  const end = b.now + 60 * MINUTE * 1000;
  const stop_at = new Date(end / 1000).toISOString();
  b.call(SERVER, "startCampaign", { path: { id: "one" }, body: { stop_at } });
  const served = (): number => count(b, "campaign_targets WHERE served = 1");
  const { db, emit } = b;
  const now = (): number => (served() < 2 ? b.now : end);
  workOf("campaigns").run({ db, emit, now, uuid: () => `u${served()}` });
  expect([served(), count(b, "campaigns WHERE status = 'stopped'")]).toEqual([2, 1]);
});

test("a campaign ends later than it starts, by a microsecond at least, whether it starts at once or is scheduled", () => {
  const b = room();
  b.call(SERVER, "createCampaign", {
    body: {
      id: "one",
      sender_id: "ada",
      user_ids: ["bob"],
      message_template: { text: "hi" },
      channel_template: { type: "messaging" },
      create_channels: true,
    },
  });
  const soon = b.now + 60 * MINUTE * 1000;
  const start = (from: number | undefined, end: number) => ({
    path: { id: "one" },
    body: {
      ...(from === undefined ? {} : { scheduled_for: timeFromMicros(from) }),
      stop_at: timeFromMicros(end),
    },
  });
  for (const [from, end] of [
    [undefined, b.now],
    [b.now - 1, b.now],
    [soon, soon],
    [soon, soon - 1],
  ] as const)
    expect(b.refusalOf(SERVER, "startCampaign", start(from, end))).toEqual([4, "stop_at"]);
  expect(b.call(SERVER, "startCampaign", start(soon, soon + 1))).toMatchObject({
    campaign: { status: "scheduled" },
  });
});

test("a scheduled campaign cannot be left without recipients, a draft can", () => {
  const b = room();
  const create = { sender_id: "ada", message_template: { text: "hi" }, user_ids: ["bob"] };
  for (const id of ["draft", "soon"])
    b.call(SERVER, "createCampaign", {
      body: { ...create, id, channel_template: { type: "messaging" }, create_channels: true },
    });
  const scheduled_for = new Date(b.now / 1000 + 5 * MINUTE).toISOString();
  b.call(SERVER, "startCampaign", { path: { id: "soon" }, body: { scheduled_for } });
  const withoutUsers = (id: string) => ({ path: { id }, body: { ...create, user_ids: [] } });
  expect(b.refusalOf(SERVER, "updateCampaign", withoutUsers("soon"))).toEqual([4, "user_ids"]);
  expect(b.call(SERVER, "updateCampaign", withoutUsers("draft")).campaign).toMatchObject({ user_ids: [] });
});
