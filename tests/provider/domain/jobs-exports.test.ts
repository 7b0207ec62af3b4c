/** Exports: contents, addresses and removal of their files; a long export does not block other calls (specification/admin.md §9). */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProvider } from "../../../src/provider/provider.ts";
import { jwt, World, type Json, type Room } from "../../contract/world.ts";
import { forged, taskEnd } from "./jobs-world.ts";
import { cpuMilliseconds } from "../../support/cpu-time.ts";
import { removeFolder } from "../../support/remove-folder.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const HOUR = 3_600_000;

async function exported(body: object): Promise<{ task: Json; text: string }> {
  const { task_id: id } = await world.ok("server", "POST", "/export_channels", { body });
  const task = await taskEnd(world, id);
  expect(task.status, JSON.stringify(task)).toBe("completed");
  const answer = await fetch(task.result.url);
  expect(answer.status).toBe(200);
  return { task, text: await answer.text() };
}
const linesOf = (text: string): Json[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);

/** Inserts messages directly, because creating many by calls is slow. */
function insertMessages(room: Room, count: number, user = "ada"): void {
  world.provider.transact((_emit, db) => {
    const put = db.prepare(
      `INSERT INTO message_rows (id, cid, created_at, updated_at, user_id, type, listed, counts, text, data)
       VALUES (?, ?, ?, ?, ?, 'regular', 1, 0, ?, '{}')`,
    );
    for (let n = 0; n < count; n++)
      put.run(`${room.id}-${n}`, room.cid, 1e15 + n, 1e15 + n, user, `text ${n}`);
  });
}

test("v1: a JSON array with channel, members, reads and messages of each channel", async () => {
  const [one, two] = [await world.room(), await world.room()];
  await world.ok("bob", "POST", `/messages/${one.message}/reaction`, {
    body: { reaction: { type: "love" } },
  });
  const { text, task } = await exported({ channels: [{ cid: one.cid }, { type: two.type, id: two.id }] });
  expect(new URL(task.result.url).pathname).toBe(`/exports/${task.task_id}.json`);
  const list = JSON.parse(text) as Json[];
  expect(list.map((entry) => Object.keys(entry).toSorted())).toEqual([
    ["channel", "members", "messages", "reads"],
    ["channel", "members", "messages", "reads"],
  ]);
  expect(list[0]).toMatchObject({
    channel: { cid: one.cid },
    members: [{ user_id: "ada" }, { user_id: "bob" }, { user_id: "cyd" }],
    reads: [{ user: { id: "ada" } }, { user: { id: "bob" } }, { user: { id: "cyd" } }],
    messages: [
      { id: one.message, text: "tea?", reactions: [{ type: "love", user_id: "bob" }], own_reactions: [] },
    ],
  });
  expect(list[1].channel.cid).toBe(two.cid);
});

test("v2: one line per item, with the users at the end if requested", async () => {
  const room = await world.room();
  await world.ok("bob", "POST", `/messages/${room.message}/reaction`, {
    body: { reaction: { type: "love" } },
  });
  await world.say("cyd", room.route, { text: "under it", parent_id: room.message });
  const types = (text: string): string[] => linesOf(text).map((line) => line.type as string);
  const { text } = await exported({ channels: [{ cid: room.cid }], version: "v2" });
  expect(types(text)).toEqual(["channel", "member", "member", "member", "message", "reaction", "message"]);
  const all = await exported({ channels: [{ cid: room.cid }], version: "v2", export_users: true });
  expect(types(all.text).slice(-3)).toEqual(["user", "user", "user"]);
  expect(new URL(all.task.result.url).pathname).toMatch(/\.jsonl$/);
});

test("csv: one row per message, with formulas neutralized", async () => {
  const room = await world.room();
  await world.say("ada", room.route, { text: '=cmd("x"), "quoted"' });
  const { text } = await exported({ channels: [{ cid: room.cid }], format: "csv" });
  const [head, , formula] = text.trim().split("\n");
  expect(head).toBe(
    "cid,id,type,user_id,user_name,text,parent_id,attachments,reactions,created_at,updated_at,deleted_at",
  );
  expect(formula).toContain(`"'=cmd(""x""), ""quoted"""`);
});

test("messages_since and messages_until, deleted texts and deleted channels follow the request", async () => {
  const room = await world.room();
  const deleted = await world.say("ada", room.route, { text: "secret" });
  await world.ok("ada", "DELETE", `/messages/${deleted}`);
  const last = await world.say("ada", room.route, { text: "last" });
  const texts = async (more: object, part: object = {}): Promise<string[]> => {
    const { text } = await exported({ channels: [{ cid: room.cid, ...part }], version: "v2", ...more });
    return linesOf(text).flatMap((line) => (line.type === "message" ? [line.data.text as string] : []));
  };
  expect(await texts({})).toEqual(["tea?", "secret", "last"]);
  expect(await texts({ clear_deleted_message_text: true })).toEqual(["tea?", "", "last"]);
  const { message } = await world.ok("ada", "GET", `/messages/${last}`);
  expect(await texts({}, { messages_since: message.created_at })).toEqual(["last"]);
  expect(await texts({}, { messages_until: message.created_at })).toEqual(["tea?", "secret", "last"]);
  expect(await texts({}, { messages_until: "2020-01-01T00:00:00Z" })).toEqual([]);
  await world.ok("ada", "DELETE", room.route);
  expect(await texts({ include_soft_deleted_channels: true })).toHaveLength(3);
});

test("users: each with the messages and reactions it wrote", async () => {
  await world.ok("server", "POST", "/users", { body: { users: { eve: { id: "eve" }, fay: { id: "fay" } } } });
  const room = await world.room({ members: ["ada", "eve", "fay"] });
  const as = async (route: string, body: object): Promise<Json> =>
    world.ok("server", "POST", route, { body });
  await as(`/messages/${room.message}/reaction`, { reaction: { type: "wow" }, user_id: "eve" });
  await as(`${room.route}/message`, { message: { text: "from eve", user_id: "eve" } });
  await as(`/messages/${room.message}/reaction`, { reaction: { type: "love" }, user_id: "fay" });
  const { task_id: id } = await as("/export/users", { user_ids: ["eve", "fay"] });
  const task = await taskEnd(world, id);
  const list = (await (await fetch(task.result.url)).json()) as Json[];
  expect(list).toMatchObject([
    {
      user: { id: "eve" },
      messages: [{ text: "from eve", user: { id: "eve" } }],
      reactions: [{ type: "wow", message_id: room.message }],
    },
    { user: { id: "fay" }, messages: [], reactions: [{ type: "love", message_id: room.message }] },
  ]);
});

test("users: an export longer than one step is one list", async () => {
  await world.ok("server", "POST", "/users", { body: { users: { gus: { id: "gus" } } } });
  insertMessages(await world.room({ members: ["ada", "gus"] }), 601, "gus");
  const { task_id: id } = await world.ok("server", "POST", "/export/users", { body: { user_ids: ["gus"] } });
  const task = await taskEnd(world, id);
  const [gus] = (await (await fetch(task.result.url)).json()) as Json[];
  expect(gus.messages.map(({ text }: Json) => text)).toEqual(
    Array.from({ length: 601 }, (_, n) => `text ${n}`),
  );
});

test("the URL is valid for 24 hours, each status call renews it, and after 60 days the export is gone", async () => {
  const room = await world.room();
  const { task } = await exported({ channels: [{ cid: room.cid }] });
  const { url } = task.result;
  const wrong = await fetch(forged(url));
  expect([wrong.status, ((await wrong.json()) as Json).code]).toEqual([403, 17]);
  world.provider.advance(23 * HOUR);
  expect((await fetch(url)).status).toBe(200);
  world.provider.advance(2 * HOUR);
  expect((await fetch(url)).status).toBe(403);
  const status = await world.ok("server", "GET", `/export_channels/${task.task_id}`);
  expect((await fetch(status.result.url)).status).toBe(200);
  world.provider.advance(60 * 24 * HOUR);
  const answer = await world.call("server", "GET", `/export_channels/${task.task_id}`);
  expect([answer.status, answer.json.code]).toEqual([404, 16]);
});

test("during an export of 20,000 messages other calls are answered between the steps", async () => {
  const room = await world.room();
  insertMessages(room, 20_000);
  const { task_id: id } = await world.ok("server", "POST", "/export_channels", {
    body: { channels: [{ cid: room.cid }], version: "v2" },
  });
  let calls = 0;
  let slowest = 0;
  let task: Json;
  do {
    const started = cpuMilliseconds();
    task = await world.ok("server", "GET", `/tasks/${id}`);
    slowest = Math.max(slowest, cpuMilliseconds() - started);
    calls++;
  } while (task.status === "running" || task.status === "waiting");
  expect(task.status).toBe("completed");
  expect(calls).toBeGreaterThan(20);
  expect(slowest).toBeLessThan(1000);
  const text = await (await fetch(task.result.url)).text();
  expect(linesOf(text).filter((line) => line.type === "message")).toHaveLength(20_001);
});

test("hard-deleting a channel with thousands of messages is done in steps and reserves every id", async () => {
  const room = await world.room();
  insertMessages(room, 5000);
  const { task_id: id } = await world.ok("server", "POST", "/channels/delete", {
    body: { cids: [room.cid], hard_delete: true },
  });
  await world.ok("server", "GET", `/tasks/${id}`);
  expect((await taskEnd(world, id)).result).toEqual({ [room.cid]: { status: "ok" } });
  const again = await world.room();
  const answer = await world.call("ada", "POST", `${again.route}/message`, {
    body: { message: { id: `${room.id}-4999`, text: "a late copy" } },
  });
  expect(answer.json.code).toBe(4);
});

test("a channel created again while it waits for erasure is not erased", async () => {
  const room = await world.room();
  await Promise.all([
    world.ok("server", "POST", "/channels/delete", { body: { cids: [room.cid], hard_delete: true } }),
    world.ok("ada", "POST", `${room.route}/query`, { body: { data: { members: ["ada", "bob"] } } }),
  ]);
  for (let n = 0; n < 10; n++) await turn();
  await world.say("ada", room.route, { text: "new life" });
  const state = await world.ok("ada", "GET", room.route);
  expect(state.messages.map((one: Json) => one.text)).toEqual(["new life"]);
});

test("an export continues after a restart between two steps, without a line twice", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-export-"));
  try {
    const first = createProvider({ data: folder, stay: true });
    await first.listen();
    const callsTo =
      (provider: typeof first) =>
      async (method: string, route: string, body?: object): Promise<Json> => {
        const response = await fetch(`${provider.url}${route}?api_key=${provider.apiKey}`, {
          method,
          headers: {
            "stream-auth-type": "jwt",
            Authorization: jwt({ server: true }, provider.secret),
            "Content-Type": "application/json",
            Connection: "close",
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        return response.json();
      };
    const before = callsTo(first);
    await before("POST", "/users", { users: { ada: { id: "ada" } } });
    await before("POST", "/channels/messaging/big/query", {
      data: { created_by_id: "ada", members: ["ada"] },
    });
    first.transact((_emit, db) => {
      const put = db.prepare(
        `INSERT INTO message_rows (id, cid, created_at, updated_at, user_id, type, listed, counts, text, data)
         VALUES (?, 'messaging:big', ?, ?, 'ada', 'regular', 1, 0, 'x', '{}')`,
      );
      for (let n = 0; n < 3000; n++) put.run(`m${n}`, 1e15 + n, 1e15 + n);
    });
    const { task_id: id } = await before("POST", "/export_channels", {
      channels: [{ cid: "messaging:big" }],
      version: "v2",
    });
    let task: Json;
    do task = await before("GET", `/tasks/${id}`);
    while (task.status === "waiting");
    expect(task.status).toBe("running");
    await first.close();
    const second = createProvider({ data: folder, stay: true });
    await second.listen();
    const after = callsTo(second);
    do task = await after("GET", `/tasks/${id}`);
    while (task.status === "running");
    const text = await (await fetch(task.result.url, { headers: { Connection: "close" } })).text();
    const ids = linesOf(text).flatMap((line) => (line.type === "message" ? [line.data.id as string] : []));
    expect(ids).toHaveLength(3000);
    expect(new Set(ids).size).toBe(3000);
    await second.close();
  } finally {
    removeFolder(folder);
  }
});
