/** Calls answered by a reader thread give the same results as all others: the same rules, rows and events. */
import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import WebSocket from "ws";
import { endpoints, type EndpointName } from "../../../src/wire/endpoints/index.ts";
import { signToken } from "../../../src/wire/token.ts";
import { chat } from "../../../src/provider/chat.ts";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { Readers, type ReaderReply } from "../../../src/provider/reader/readers.ts";
import {
  FULL_BUDGET,
  TRY_BUDGET,
  registerBudget,
  BudgetExceeded,
  runWithinBudget,
} from "../../../src/provider/store/budget.ts";
import { DatabaseSync } from "node:sqlite";
import { BIG_ROOM, makeBigRoom } from "../../support/big-room.ts";
import { PATIENCE } from "../../support/patience.ts";
import { removeFolder } from "../../support/remove-folder.ts";

type Json = Record<string, unknown>;
const MANY = 25_000;
let folder: string;
let provider: Provider;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parley-reader-"));
  makeBigRoom(folder, MANY);
  provider = createProvider({ data: folder, stay: true });
  await provider.listen();
});
afterAll(async () => {
  await provider.close();
  removeFolder(folder);
});

async function request(
  as: string,
  method: string,
  route: string,
  body?: Json,
): Promise<{ status: number; json: Json }> {
  const query = new URLSearchParams({ api_key: provider.apiKey, user_id: as });
  const payload = method === "GET" && body;
  if (payload) query.set("payload", JSON.stringify(body));
  const connection = body?.connection_id;
  if (typeof connection === "string") query.set("connection_id", connection);
  const answer = await fetch(`${provider.url}${route}?${query}`, {
    method,
    headers: {
      authorization: signToken({ user_id: as }, provider.secret),
      "stream-auth-type": "jwt",
      "content-type": "application/json",
    },
    ...(body && !payload ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, json: (await answer.json()) as Json };
}

/** The same call answered by the ordinary handler on the main thread. */
function onMainThread(as: string, name: EndpointName, body: Json): Json {
  return provider.transact(
    (emit, db) =>
      JSON.parse(
        JSON.stringify(
          chat.handlers[name as keyof typeof chat.handlers]({
            name,
            op: endpoints[name].op,
            path: {},
            query: {},
            body,
            caller: { kind: "user", userId: as, role: "user" },
            connectionId: undefined,
            requestId: undefined,
            db,
            emit,
            now: () => provider.clock.now(),
            uuid: () => "u",
          }),
        ),
      ) as Json,
  );
}

const ROOM = { cid: BIG_ROOM };
const search = (more: Json): Json => ({ filter_conditions: ROOM, limit: 10, ...more });
const words = (count: number): Json[] =>
  Array.from({ length: count }, (_, n) => ({ text: { $q: `word${n}` } }));

describe("both roads", () => {
  test("a thread finds what the handler finds with restricted, hidden and deleted messages", async () => {
    const send = (as: string, message: Json) =>
      request(as, "POST", "/channels/messaging/big/message", { message });
    const text = "quince for bob";
    await send("ada", { id: "secret", text });
    provider.transact((_, db) =>
      db.run("UPDATE message_rows SET restricted = ? WHERE id = 'secret'", '["bob"]'),
    );
    await send("ada", { id: "gone", text: "quince gone" });
    expect(
      (await request("cyd", "POST", "/channels/messaging/big/hide", { clear_history: true })).status,
    ).toBe(201);
    await send("bob", { id: "late", text: "quince later" });
    const query = new URLSearchParams({ api_key: provider.apiKey, user_id: "ada", delete_for_me: "true" });
    await fetch(`${provider.url}/messages/gone?${query}`, {
      method: "DELETE",
      headers: { authorization: signToken({ user_id: "ada" }, provider.secret), "stream-auth-type": "jwt" },
    });
    const idsOf = (json: Json): string[] =>
      (json.results as { message: { id: string } }[]).map(({ message }) => message.id);
    for (const as of ["ada", "bob", "cyd"]) {
      const body = search({ query: "quince", sort: [{ field: "created_at", direction: -1 }] });
      const { json } = await request(as, "GET", "/search", body);
      const { duration, ...fromThread } = json;
      expect(duration).toMatch(/ms$/);
      expect(fromThread).toEqual(onMainThread(as, "search", body));
      expect([as, idsOf(fromThread).includes("secret"), idsOf(fromThread).includes("gone")]).toEqual([
        as,
        as !== "cyd",
        as === "bob",
      ]);
      expect([as, idsOf(fromThread).length]).toEqual([as, as === "cyd" ? 1 : 10]);
    }
  });

  test("the caller always finds its latest message", async () => {
    for (let n = 0; n < 20; n++) {
      await request("bob", "POST", "/channels/messaging/big/message", {
        message: { id: `own-${n}`, text: `marmalade${n}` },
      });
      const { json } = await request("bob", "GET", "/search", search({ query: `marmalade${n}` }));
      expect((json.results as unknown[]).length).toBe(1);
    }
  });

  test("other requests are answered while a search runs", async () => {
    const order: string[] = [];
    const long = request("ada", "GET", "/search", {
      ...search({ message_filter_conditions: { $or: [{ text: { $q: "numb" } }, ...words(40)] } }),
    }).then(({ status }) => order.push(`search ${status}`));
    for (let n = 0; n < 3; n++)
      order.push(
        `page ${(await request("bob", "POST", "/channels/messaging/big/query", { state: true })).status}`,
      );
    await long;
    expect(order.at(-1)).toBe("search 200");
    expect(order).toHaveLength(4);
  });
});

describe("watching", () => {
  test("a list that a thread answers makes the connection watch before it is read", async () => {
    const json = JSON.stringify({ user_id: "bob", user_details: { id: "bob" } });
    const query = new URLSearchParams({
      api_key: provider.apiKey,
      json,
      authorization: signToken({ user_id: "bob" }, provider.secret),
      "stream-auth-type": "jwt",
    });
    const socket = new WebSocket(`${provider.url.replace("http", "ws")}/connect?${query}`);
    const events: Json[] = [];
    const hello = new Promise<string>((done) => {
      socket.on("message", (data) => {
        const event = JSON.parse(String(data)) as Json;
        events.push(event);
        if (events.length === 1) done(event.connection_id as string);
      });
    });
    const connection_id = await hello;
    for (let n = 0; n < 5; n++)
      await request("bob", "POST", `/channels/messaging/side${n}/query`, { data: { members: ["bob"] } });
    // A list with this many messages is answered by a reader thread.
    const limits = { message_limit: 300, limit: 30 };
    for (let n = 0; n < 5; n++)
      provider.transact((_, db) =>
        db.raw.exec(`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300)
          INSERT INTO message_rows (id, cid, created_at, updated_at, user_id, type, listed, counts, text, data)
          SELECT 's${n}-' || n, 'messaging:side${n}', n, n, 'bob', 'regular', 1, 1, 'x', '{}' FROM c`),
      );
    const { status, json: list } = await request("bob", "POST", "/channels", {
      filter_conditions: { members: { $in: ["bob"] } },
      watch: true,
      presence: true,
      connection_id,
      ...limits,
    });
    expect(status).toBe(201);
    const channels = list.channels as {
      watcher_count: number;
      watchers: { id: string }[];
      messages: unknown[];
    }[];
    expect(channels.map(({ messages }) => messages.length)).toEqual([300, 300, 300, 300, 300, 300]);
    expect(channels.map((one) => [one.watcher_count, one.watchers.map(({ id }) => id)])).toEqual(
      channels.map(() => [1, ["bob"]]),
    );
    await request("ada", "POST", "/channels/messaging/big/message", {
      message: { id: "told", text: "hello" },
    });
    await expect
      .poll(() => events.some((one) => one.type === "message.new" && (one.message as Json).id === "told"))
      .toBe(true);
    const foreign = await request("ada", "POST", "/channels", {
      filter_conditions: {},
      watch: true,
      connection_id,
      ...limits,
    });
    expect([foreign.status, foreign.json.code]).toEqual([400, 4]);
    socket.close();
  });

  test("a user without a stored account gets an answer too", async () => {
    const { status, json } = await request("eve", "POST", "/channels", {
      filter_conditions: { type: "messaging" },
    });
    expect([status, json.channels]).toEqual([201, []]);
  });
});

describe("bounds", () => {
  const refusal = async (body: Json): Promise<unknown[]> => {
    const { status, json } = await request("ada", "GET", "/search", body);
    return [
      status,
      json.code,
      json.unrecoverable,
      Object.keys((json.exception_fields as Json | undefined) ?? {}),
    ];
  };
  const FIELD = "message_filter_conditions";
  const REFUSED = [400, 4, true, [FIELD]];

  test("fifty search terms are accepted, and the fifty-first is refused with the field", async () => {
    const filter = (count: number): Json => search({ [FIELD]: { $or: words(count) } });
    expect((await request("ada", "GET", "/search", filter(50))).status).toBe(200);
    expect(await refusal(filter(51))).toEqual(REFUSED);
    expect(
      await refusal(
        search({ [FIELD]: { text: { $q: Array.from({ length: 51 }, (_, n) => `w${n}`).join(" ") } } }),
      ),
    ).toEqual(REFUSED);
  });

  test("an $or of 1,000 conditions and 390 lists of 100 values are refused as invalid input, not as a fault", async () => {
    const post = (filter_conditions: Json) => request("ada", "POST", "/channels", { filter_conditions });
    const ids = Array.from({ length: 100 }, (_, n) => `id${n}`);
    for (const filter of [
      { $or: Array.from({ length: 1000 }, (_, n) => ({ id: `c${n}` })) },
      { $or: Array.from({ length: 390 }, () => ({ id: { $in: ids } })) },
      { $or: Array.from({ length: 1000 }, () => ({})) },
      { $and: Array.from({ length: 50 }, () => ({ $or: Array.from({ length: 40 }, () => ({ id: "x" })) })) },
    ]) {
      const { status, json } = await post(filter);
      expect([status, json.code, json.unrecoverable]).toEqual([400, 4, true]);
    }
    expect((await post({ $or: Array.from({ length: 49 }, () => ({ id: { $in: ids } })) })).status).toBe(201);
  });

  test("a third condition without an index is refused", async () => {
    const custom = (count: number): Json =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`field${n}`, n]));
    expect((await request("ada", "GET", "/search", search({ [FIELD]: custom(2) }))).status).toBe(200);
    expect(await refusal(search({ [FIELD]: custom(3) }))).toEqual(REFUSED);
  });
});

describe("budgets", () => {
  const raw = new DatabaseSync(":memory:");
  registerBudget(raw);
  const COUNT =
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 100000) SELECT count(*) FROM c WHERE within_budget(n)";
  const cost = (limits: typeof FULL_BUDGET): unknown => {
    try {
      return Object.values(runWithinBudget(raw, limits, () => raw.prepare(COUNT).get()!))[0];
    } catch (error) {
      return error instanceof BudgetExceeded ? [error.limit, error.code] : error;
    }
  };

  test("a statement that reads more rows than its limit ends with code 4", () => {
    expect(cost({ ...FULL_BUDGET, rows: 99_999 })).toEqual(["rows", 4]);
    expect(cost({ ...FULL_BUDGET, rows: 100_000, ms: 60_000 })).toBe(100_000);
  });

  test("a statement that takes longer than its limit ends with code 23, and the next one has the full time", () => {
    expect(cost({ ...TRY_BUDGET, ms: 0 })).toEqual(["time", 23]);
    expect(cost({ ...FULL_BUDGET, ms: 60_000 })).toBe(100_000);
  });

  /** A search as a reader thread receives it. */
  const reading = {
    job: {
      call: {
        name: "search" as const,
        op: "Search",
        path: {},
        query: {},
        body: search({ query: "quince" }),
        connectionId: undefined,
        requestId: undefined,
        caller: { kind: "user" as const, userId: "ada", role: "user" },
      },
      open: false,
      base: "",
    },
    start: 0,
    watchers: () => ({}),
  };
  const CODE = new URL("../../../src/provider/reading-thread.ts", import.meta.url);
  const readers = (how: { stuckAfter?: number; idleFor?: number; code?: URL } = {}): Readers =>
    new Readers(
      how.code ?? CODE,
      { file: path.join(folder, "provider.db"), secret: provider.secret },
      () => provider.clock.now(),
      () => [],
      { stuckAfter: PATIENCE, ...how },
    );
  const found = ({ json }: ReaderReply): number =>
    (JSON.parse(Buffer.from(json).toString()) as { results: unknown[] }).results.length;

  test("a thread that does not answer in time is ended with code 23, and the next call gets another", async () => {
    const file = path.join(folder, "silent-thread.mjs");
    // A thread that starts and then says nothing.
    writeFileSync(
      file,
      'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => {}); parentPort.postMessage({ kind: "ready" });',
    );
    const stuck = readers({ stuckAfter: 1, code: pathToFileURL(file) });
    await expect(stuck.read(reading)).rejects.toMatchObject({ code: 23 });
    await stuck.close();
    const patient = readers();
    const both = await Promise.all([patient.read(reading), patient.read(reading)]);
    expect(both.map(found)).toEqual([10, 10]);
    await patient.close();
  });

  test("the start of a thread does not count as time of the call, on a busy machine either", async () => {
    const file = path.join(folder, "late-thread.mjs");
    // The code takes longer to load than a running thread may take for an answer.
    writeFileSync(
      file,
      `import { parentPort } from "node:worker_threads";
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
       parentPort.on("message", ({ id }) => parentPort.postMessage({ id, kind: "answer", json: Buffer.from('{"results":[1]}'), presence: [] }));
       parentPort.postMessage({ kind: "ready" });`,
    );
    const late = readers({ stuckAfter: 1000, code: pathToFileURL(file) });
    const both = await Promise.all([late.read(reading), late.read(reading)]);
    expect(both.map(found)).toEqual([1, 1]);
    await late.close();
  });

  test("an idle thread is ended, and the next call gets another", async () => {
    const ended = vi.spyOn(Worker.prototype, "terminate");
    const briefReaders = readers({ idleFor: 1 });
    expect(found(await briefReaders.read(reading))).toBe(10);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1), PATIENCE);
    expect(found(await briefReaders.read(reading))).toBe(10);
    await briefReaders.close();
    ended.mockClear();
    const ready = readers();
    await ready.read(reading);
    await ready.read(reading);
    expect(ended).not.toHaveBeenCalled();
    await ready.close();
  });
});
