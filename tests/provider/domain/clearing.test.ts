/** Truncation of a channel with very many messages: hidden for everybody at once, deleted in steps, the same after a restart. */
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { signToken } from "../../../src/wire/token.ts";
import type { DueContext, DueWork } from "../../../src/provider/base/ports.ts";
import { due } from "../../../src/provider/domain/due.ts";
import { clearingWork } from "../../../src/provider/domain/messages/rules/clearing.ts";
import { createProvider } from "../../../src/provider/provider.ts";
import { makeBigRoom } from "../../support/big-room.ts";
import { room, ROOM, type TestDomain } from "./support.ts";
import { removeFolder } from "../../support/remove-folder.ts";

const SERVER = { server: true, user: "ada" } as const;
const rows = (b: TestDomain): number => b.db.get<{ n: number }>("SELECT count(*) AS n FROM message_rows")!.n;

/** A room with a thousand messages of bob, and one or more of everything that can belong to a message. */
function bigRoom(): TestDomain {
  const b = room();
  b.send("ada", "room", { id: "parent", text: "parent quince" });
  b.send("bob", "room", { id: "reply", text: "reply quince", parent_id: "parent" });
  b.send("bob", "room", { id: "said", text: "said quince" });
  b.call("ada", "sendReaction", { path: { id: "said" }, body: { reaction: { type: "like" } } });
  b.call("cyd", "flag", { body: { target_message_id: "said" } });
  b.call("ada", "createReminder", { path: { id: "said" }, body: {} });
  b.call("ada", "updateMessagePartial", { path: { id: "said" }, body: { set: { pinned: true } } });
  b.call("ada", "saveDraft", { path: ROOM, body: { message: { text: "d", parent_id: "parent" } } });
  b.db.run(
    `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000)
     INSERT INTO message_rows (id, cid, created_at, updated_at, user_id, type, listed, counts, text, data)
     SELECT 'm' || n, 'messaging:room', ?1 + n, ?1 + n, 'bob', 'regular', 1, 1, 'many quince ' || n, '{}' FROM c`,
    b.tick(),
  );
  b.now += 2000;
  b.db.run("UPDATE channels SET last_stamp = ?, message_count = 1003", b.now);
  b.db.run("UPDATE reads SET unread = 1001 WHERE user_id <> 'bob'");
  return b;
}

/** Every answer in which a message of the room could appear. */
function everyAnswer(b: TestDomain): Record<string, unknown> {
  const state = b.call("cyd", "queryChannel", { path: ROOM, body: { state: true } });
  const list = b.call("cyd", "queryChannels", { body: { filter_conditions: { members: { $in: ["cyd"] } } } });
  const search = { filter_conditions: { type: "messaging" }, query: "quince" };
  const foundIds = (b.call("ada", "search", { body: search }).results as { message: { id: string } }[]).map(
    ({ message }) => message.id,
  );
  return {
    page: (state.messages as { id: string }[]).map(({ id }) => id),
    pins: state.pinned_messages,
    list: (list.channels as { messages: { id: string }[] }[]).map(({ messages }) =>
      messages.map(({ id }) => id),
    ),
    count: b.db.get("SELECT message_count AS n FROM channels"),
    found: foundIds,
    unread: [b.unread("messaging:room", "ada"), b.unread("messaging:room", "cyd")],
    threads: b.call("ada", "queryThreads", {}).threads,
    flags: b.call(SERVER, "queryMessageFlags", {}).flags,
    reports: b.call(SERVER, "queryFlagReports", {}).flag_reports,
    reminders: b.call("ada", "queryReminders", {}).reminders,
    drafts: b.call("ada", "queryDrafts", {}).drafts,
    one: b.refusalOf("ada", "getMessage", { path: { id: "m5" } }),
    replies: b.refusalOf("ada", "getReplies", { path: { parent_id: "parent" } }),
    answered: b.refusalOf("ada", "sendMessage", {
      path: ROOM,
      body: { message: { text: "x", parent_id: "m5" } },
    }),
    exported: (
      b.call({ server: true }, "exportUser", { path: { id: "bob" } }).messages as { id: string }[]
    ).map(({ id }) => id),
  };
}

const NOTHING = {
  page: [] as string[],
  pins: [],
  list: [[]] as string[][],
  count: { n: 0 },
  found: [] as string[],
  unread: [0, 0],
  threads: [],
  flags: [],
  reports: [],
  reminders: [],
  drafts: [],
  one: [16, undefined],
  replies: [16, undefined],
  answered: [4, "message.parent_id"],
  exported: [] as string[],
};

function step(b: TestDomain): boolean {
  if ((clearingWork.next(b.db) ?? Infinity) > b.tick()) return false;
  clearingWork.run({ db: b.db, emit: b.emit, now: () => b.tick(), uuid: () => "u" } as DueContext);
  return true;
}

test("after a truncation a thousand messages are hidden from everybody at once, although their rows still exist", () => {
  const b = bigRoom();
  b.call(SERVER, "truncateChannel", { path: ROOM });
  expect(rows(b)).toBeGreaterThan(1000);
  expect(everyAnswer(b)).toEqual(NOTHING);
  expect(
    b.refusalOf("bob", "sendMessage", { path: ROOM, body: { message: { id: "m7", text: "again" } } })[0],
  ).toBe(4);
});

test("the steps erase only those rows, and messages written meanwhile stay", () => {
  const b = bigRoom();
  b.call(SERVER, "truncateChannel", { path: ROOM });
  b.send("bob", "room", { id: "new", text: "a new quince" });
  const after = {
    ...NOTHING,
    page: ["new"],
    list: [["new"]],
    count: { n: 1 },
    found: ["new"],
    unread: [1, 1],
    exported: ["new"],
  };
  let steps = 0;
  for (let remaining = rows(b); step(b); remaining = rows(b)) {
    expect(remaining - rows(b)).toBeLessThanOrEqual(300);
    expect(everyAnswer(b)).toEqual(after);
    steps++;
  }
  expect(steps).toBeGreaterThan(3);
  expect(rows(b)).toBe(1);
  expect(clearingWork.next(b.db)).toBe(undefined);
  for (const table of [
    "reactions",
    "threads",
    "thread_heads",
    "flags",
    "flag_reports",
    "reminders",
    "drafts",
    "clearings",
  ])
    expect([table, b.db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n]).toEqual([table, 0]);
  expect(b.db.get<{ n: number }>("SELECT count(*) AS n FROM tombstones")!.n).toBe(1003);
  // The id stays reserved, like that of any hard-deleted message.
  expect(
    b.refusalOf("bob", "sendMessage", { path: ROOM, body: { message: { id: "m7", text: "again" } } })[0],
  ).toBe(4);
});

test("a second truncation before the first is finished leaves nothing and erases nothing twice", () => {
  const b = bigRoom();
  b.call(SERVER, "truncateChannel", { path: ROOM });
  step(b);
  b.send("bob", "room", { text: "between" });
  b.call(SERVER, "truncateChannel", { path: ROOM });
  expect(everyAnswer(b)).toEqual(NOTHING);
  while (step(b));
  expect(rows(b)).toBe(0);
  expect(everyAnswer(b)).toEqual(NOTHING);
});

test("a truncation up to a time keeps later messages, except replies to removed ones, and the count matches", () => {
  const b = bigRoom();
  const at = b.db.get<{ at: number }>("SELECT created_at AS at FROM message_rows WHERE id = 'm900'")!.at;
  b.send("ada", "room", { id: "late", text: "late", parent_id: "said", show_in_channel: true });
  b.call(SERVER, "truncateChannel", {
    path: ROOM,
    body: {
      truncated_at: new Date(at / 1000).toISOString().replace("Z", String(at % 1000).padStart(3, "0") + "Z"),
    },
  });
  const ids = (): string[] =>
    b.db.all<{ id: string }>("SELECT id FROM messages ORDER BY created_at").map(({ id }) => id);
  const remaining = Array.from({ length: 100 }, (_, n) => `m${901 + n}`);
  expect(ids()).toEqual(remaining);
  while (step(b));
  expect(ids()).toEqual(remaining);
  expect(rows(b)).toBe(100);
  expect(b.db.get("SELECT message_count AS n FROM channels")).toEqual({ n: 100 });
});

test("after a restart the messages stay hidden and their rows are erased", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-clearing-"));
  try {
    makeBigRoom(folder, 3000);
    const first = createProvider({ data: folder, stay: true });
    await first.listen();
    const query = new URLSearchParams({ api_key: first.apiKey, user_id: "ada" });
    const headers = {
      authorization: signToken({ server: true }, first.secret),
      "stream-auth-type": "jwt",
      "content-type": "application/json",
    };
    const truncated = await fetch(`${first.url}/channels/messaging/big/truncate?${query}`, {
      method: "POST",
      headers,
      body: "{}",
    });
    expect(truncated.status).toBe(201);
    await first.close();
    const second = createProvider({ data: folder, stay: true });
    const count = (table: string): number =>
      second.transact((_, db) => db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n, true);
    expect([count("messages"), count("message_rows") > 0]).toEqual([0, true]);
    await second.listen();
    await expect.poll(() => count("message_rows") + count("clearings")).toBe(0);
    await second.close();
  } finally {
    removeFolder(folder);
  }
});

test("a hard-deleted channel is erased in steps, and can be created again meanwhile", () => {
  const b = bigRoom();
  b.call({ server: true }, "deleteChannel", { path: ROOM, query: { hard_delete: "true" } });
  expect(b.refusalOf("ada", "sendMessage", { path: ROOM, body: { message: { text: "x" } } })[0]).toBe(16);
  expect(b.db.get("SELECT count(*) AS n FROM messages")).toEqual({ n: 0 });
  step(b);
  b.channel("room", "ada", ["ada", "cyd"]);
  b.send("ada", "room", { id: "new", text: "a new quince" });
  const foundIds = (): unknown =>
    (
      b.call("ada", "search", { body: { filter_conditions: { type: "messaging" }, query: "quince" } })
        .results as { message: { id: string } }[]
    ).map(({ message }) => message.id);
  expect(foundIds()).toEqual(["new"]);
  while (step(b));
  expect(foundIds()).toEqual(["new"]);
  expect([rows(b), b.unread("messaging:room", "cyd")]).toEqual([1, 1]);
  b.call({ server: true }, "deleteChannel", { path: ROOM, query: { hard_delete: "true" } });
  expect([rows(b), b.db.get("SELECT count(*) AS n FROM channels")]).toEqual([0, { n: 0 }]);
});

test("a hard-deleted channel leaves nothing when its steps are done", () => {
  const b = bigRoom();
  b.call({ server: true }, "deleteChannel", { path: ROOM, query: { hard_delete: "true" } });
  while (step(b));
  for (const table of [
    "channels",
    "members",
    "reads",
    "message_rows",
    "threads",
    "reactions",
    "clearings",
    "search_fresh",
  ])
    expect([table, b.db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n]).toEqual([table, 0]);
  const words = b.db.get<{ n: number }>(
    `SELECT count(*) AS n FROM search_index WHERE search_index MATCH '"quince"'`,
  );
  expect(words).toEqual({ n: 0 });
});

test("very many messages of a user are erased in steps, before the user is", () => {
  const b = bigRoom();
  b.call({ server: true }, "ban", {
    body: { target_user_id: "bob", banned_by_id: "ada", delete_messages: "hard" },
  });
  const bobsMessages = (): number =>
    b.db.get<{ n: number }>("SELECT count(*) AS n FROM messages WHERE user_id = 'bob'")!.n;
  expect(bobsMessages()).toBeGreaterThan(500);
  const work = due.find(({ name }) => name === "messages of deleted users")!;
  const runStep = (one: DueWork): void =>
    one.run({ db: b.db, emit: b.emit, now: () => b.tick(), uuid: () => `u${b.now}` } as DueContext);
  while (work.next(b.db) !== undefined) runStep(work);
  expect([bobsMessages(), rows(b)]).toEqual([0, 1]);

  const other = bigRoom();
  other.call({ server: true }, "deleteUser", {
    path: { id: "bob" },
    query: { hard_delete: "true", mark_messages_deleted: "true" },
  });
  const tasks = due.find(({ name }) => name === "tasks")!;
  for (let n = 0; n < 30 && tasks.next(other.db) !== undefined; n++)
    tasks.run({ db: other.db, emit: other.emit, now: () => other.tick(), uuid: () => `u${n}` } as DueContext);
  expect(rows(other)).toBe(1);
  expect(other.db.get("SELECT 1 FROM users WHERE id = 'bob'")).toBe(undefined);
});
