/** The HTTP layer over real sockets: routing, bodies, limits, answers and a savepoint for each call. */
import net from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints, fillPath } from "../../../src/wire/endpoints/index.ts";
import { assembleProvider } from "../../../src/provider/assemble.ts";
import type { LogEntry } from "../../../src/provider/http/server.ts";
import { signToken } from "../../../src/wire/token.ts";
import { Harness, httpRequest, tiny } from "../tiny.ts";

let h: Harness;
const log: LogEntry[] = [];
const warnings: string[] = [];
beforeAll(async () => {
  h = await Harness.start({ log: (entry) => log.push(entry), warn: (text) => warnings.push(text) });
});
afterAll(() => h.stop());

async function sendRaw(text: string): Promise<string> {
  const socket = net.connect(Number(new URL(h.provider.url).port), "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  return Buffer.concat(chunks).toString("utf8");
}

describe("routing (specification/errors.md §6)", () => {
  test("every row of the endpoint table is found under its path", async () => {
    const unexpected: string[] = [];
    for (const row of Object.values(endpoints)) {
      const path = fillPath(row.path, { type: "team", id: "tea", user_id: "ann", reaction_type: "like" });
      const filled = path.replace(/\/(?=\/|$)/g, "/x");
      const answer = await h.call(
        "ann",
        row.method,
        filled,
        row.method === "GET" || row.method === "DELETE" ? undefined : {},
      );
      // 403 counts as found for server-only routes, which refuse users.
      const found = [200, 201, 400, 404, ...("serverOnly" in row ? [403] : [])];
      if (!found.includes(answer.status)) unexpected.push(`${row.path} ${answer.status}`);
      if (answer.status >= 400) expect(answer.json.message).toMatch(new RegExp(`^${row.op} failed`));
    }
    expect(unexpected).toEqual([]);
  });

  test("an unknown route is 404 with code 16", async () => {
    for (const route of ["/nowhere", "/api/v2/channels", "/", "/channels/a/b/c/d", "/%E0%A4%A"]) {
      const answer = await h.call("ann", "GET", route);
      expect([answer.status, answer.json.code, answer.json.StatusCode]).toEqual([404, 16, 404]);
    }
  });

  test("a wrong method is 405 with code 16 and an Allow header", async () => {
    const answer = await h.call("ann", "PUT", "/channels");
    expect([answer.status, answer.json.code]).toEqual([405, 16]);
    expect(answer.headers.allow).toBe("POST");
  });

  test("trailing and double slashes are tolerated and parameters are decoded", async () => {
    const answer = await h.call("ann", "POST", "//channels/team///caf%C3%A9%20%40home/query/", {});
    expect(answer.status).toBe(201);
    expect(answer.json.path).toEqual({ type: "team", id: "café @home" });
  });

  test("a literal segment wins over a parameter", async () => {
    const distinct = await h.call("ann", "POST", "/channels/team/query", {});
    expect(distinct.json.message).toMatch(/^GetOrCreateChannel/);
    const get = await h.call("ann", "GET", "/channels/team/query");
    expect(get.json.message).toMatch(/^GetChannel/);
  });

  test("GET /hi needs no token", async () => {
    const answer = await httpRequest(`${h.provider.url}/hi`);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json)).toEqual(["duration"]);
    expect(answer.json.duration).toMatch(/^\d+\.\d\dms$/);
  });
});

describe("answers", () => {
  test("a successful POST is 201, any other method 200", async () => {
    expect((await h.send("ann", "m-status")).status).toBe(201);
    expect((await h.call("ann", "GET", "/messages/m-status")).status).toBe(200);
    expect((await h.call("ann", "DELETE", "/messages/m-status")).status).toBe(200);
  });

  test("every answer has a duration, the three rate-limit headers and the request id", async () => {
    const id = "5bd8a6ce-6a7e-4f2b-9e2c-0d6d8f7f3b11";
    for (const route of ["/messages/m-status", "/messages/none"]) {
      const answer = await h.call("ann", "GET", route, undefined, {}, { "x-client-request-id": id });
      expect(answer.json.duration).toMatch(/ms$/);
      expect(answer.headers["x-client-request-id"]).toBe(id);
      expect(answer.headers["x-ratelimit-limit"]).toBe("1000");
      expect(Number(answer.headers["x-ratelimit-remaining"])).toBeLessThan(1000);
      expect(Number(answer.headers["x-ratelimit-reset"])).toBeGreaterThan(Date.now() / 1000 - 1);
    }
  });

  test("a request id with other characters is not echoed", async () => {
    const answer = await h.call("ann", "GET", "/app", undefined, {}, { "x-client-request-id": "a<b>" });
    expect(answer.headers["x-client-request-id"]).toBeUndefined();
  });

  test("an error body has code, message, StatusCode, fields and unrecoverable", async () => {
    const answer = await h.send("ann", "m-fields", "refuse");
    expect(answer.json).toMatchObject({
      code: 4,
      StatusCode: 400,
      message: 'SendMessage failed with error: "refused after writing"',
      exception_fields: { text: "no" },
      unrecoverable: true,
      details: [],
      more_info: "",
    });
  });

  test("the log has operation, status and code, and never a token or key", async () => {
    await h.call("ann", "GET", "/messages/none");
    expect(log.at(-1)).toMatchObject({ op: "GetMessage", status: 404, code: 16 });
    const text = JSON.stringify(log);
    expect(text).not.toContain(h.provider.apiKey);
    expect(text).not.toContain("eyJ");
  });
});

describe("a savepoint per call", () => {
  test("a refusal rolls back the handler's writes and events", async () => {
    const watcher = await h.connect("watcher");
    await h.watch("watcher", watcher.id);
    expect((await h.send("ann", "m-undone", "refuse")).status).toBe(400);
    expect((await h.send("ann", "m-done")).status).toBe(201);
    const unexpected = await watcher.event("message.new");
    expect(unexpected.message_id).toBe("m-done");
    expect((await h.call("ann", "GET", "/messages/m-undone")).status).toBe(404);
    await watcher.end();
  });

  test("an unexpected exception is 500 with code −1, and nothing is written or sent", async () => {
    const answer = await h.send("ann", "m-bug", "break");
    expect([answer.status, answer.json.code]).toEqual([500, -1]);
    expect(answer.text).not.toContain("secret detail");
    expect(answer.json.unrecoverable).toBeUndefined();
    expect((await h.call("ann", "GET", "/messages/m-bug")).status).toBe(404);
    expect(log.some((entry) => entry.fault?.includes("secret detail"))).toBe(true);
  });

  test("failed calls of one batch do not affect the others", async () => {
    const texts = ["a", "refuse", "b", "break", "c", "refuse", "d", "e"];
    const answers = await Promise.all(texts.map((text, n) => h.send("ann", `m-mixed-${n}`, text)));
    expect(answers.map((a) => a.status)).toEqual([201, 400, 201, 500, 201, 400, 201, 201]);
    for (const [n, text] of texts.entries()) {
      const found = await h.call("ann", "GET", `/messages/m-mixed-${n}`);
      expect(found.status).toBe(text === "refuse" || text === "break" ? 404 : 200);
    }
  });
});

describe("bodies", () => {
  const post = (body: string, headers = {}) => h.call("ann", "POST", "/users", body, {}, headers);

  test("an empty body counts as an empty object", async () => {
    const answer = await h.call("ann", "POST", "/users");
    expect([answer.status, answer.json.body]).toEqual([201, {}]);
  });
  test.each(["{", "[1]", "null", '"x"', "{'a':1}", '{"a":1}}'])("%s is invalid JSON", async (body) => {
    const answer = await post(body);
    expect([answer.status, answer.json.code]).toEqual([400, 4]);
    expect(answer.json.message).toBe('UpdateUsers failed with error: "invalid JSON"');
  });
  test("another media type than JSON is refused", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
      expect((await post("{}", { "Content-Type": type })).json.code).toBe(4);
    expect((await post("{}", { "Content-Type": "application/json; charset=utf-8" })).status).toBe(201);
  });
  test("keys that reach a prototype are dropped at any depth, also when escaped", async () => {
    const answer = await post(
      '{"a":{"__proto__":{"x":1},"b":[{"constructor":1,"pr\\u006ftotype":2,"c":3}]}}',
    );
    expect(answer.text).toContain('"body":{"a":{"b":[{"c":3}]}}');
  });
  const nest = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;
  test("a number beyond the range of doubles is refused", async () => {
    for (const number of ["1e400", "-1e400"])
      expect((await post(`{"message":{"id":"n","text":"t","price":${number}}}`)).json).toMatchObject({
        code: 4,
        StatusCode: 400,
      });
  });
  test("depth: 64 levels pass, 65 do not", async () => {
    expect((await post(nest(63))).status).toBe(201);
    expect((await post(nest(64))).status).toBe(201);
    expect((await post(nest(65))).json.code).toBe(4);
    expect((await post("[".repeat(100_000))).json.code).toBe(4);
  });
  const list = (count: number): string => `{"a":[${"1,".repeat(count - 3)}1]}`;
  test("values: 50,000 pass, 50,001 do not", async () => {
    expect((await post(list(49_999))).status).toBe(201);
    expect((await post(list(50_000))).status).toBe(201);
    expect((await post(list(50_001))).json.code).toBe(4);
  });
  const wide = (count: number): string =>
    `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join(",")}}`;
  test("keys: an object of 20,000 passes, of 20,001 does not", async () => {
    expect((await post(wide(20_000))).status).toBe(201);
    expect((await post(wide(20_001))).json.code).toBe(4);
  });
  test("size: 1 MiB passes, one byte more is 413 with code 22, with and without a declared length", async () => {
    const bodyOf = (size: number): string => `{"a":"${"x".repeat(size - 8)}"}`;
    expect((await post(bodyOf(1024 * 1024))).status).toBe(201);
    const over = await post(bodyOf(1024 * 1024 + 1));
    expect([over.status, over.json.code]).toEqual([413, 22]);
    const chunked = await post(bodyOf(1024 * 1024 + 1), { "Transfer-Encoding": "chunked" });
    expect([chunked.status, chunked.json.code]).toEqual([413, 22]);
  });
  test("payload= is parsed, blank counts as empty, anything but an object is code 4", async () => {
    const get = (payload?: string) =>
      h.call("ann", "GET", "/users", undefined, payload === undefined ? {} : { payload });
    expect((await get('{"filter_conditions":{"id":"x"}}')).json.payload).toEqual({
      filter_conditions: { id: "x" },
    });
    expect((await get()).json.payload).toEqual({});
    expect((await get("  ")).json.payload).toEqual({});
    expect((await get("[]")).json.payload).toEqual({});
    expect((await get("[1]")).json.code).toBe(4);
    expect((await get("{nope")).json.code).toBe(4);
  });
});

describe("requests the HTTP parser refuses", () => {
  test("headers over 16 KiB are 431 with code 24", async () => {
    const text = await sendRaw(`GET /hi HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Big: ${"x".repeat(17_000)}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1.1 431 /);
    expect(JSON.parse(text.split("\r\n\r\n")[1]!)).toMatchObject({ code: 24, StatusCode: 431 });
  });
  test("a request that is not HTTP is 400 with an error body", async () => {
    const text = await sendRaw("HELLO\r\n\r\n");
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(text.split("\r\n\r\n")[1]!)).toMatchObject({ code: 4 });
  });
  test.each([
    ["no Host", "GET /hi HTTP/1.1\r\nConnection: close\r\n\r\n", 403, 17],
    [
      "two Hosts",
      "GET /hi HTTP/1.1\r\nHost: HERE\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
      400,
      4,
    ],
    ["an unknown Expect header", "GET /hi HTTP/1.1\r\nHost: HERE\r\nExpect: tea\r\n\r\n", 417, 4],
    ["CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nHost: HERE\r\n\r\n", 405, 16],
  ])("%s is answered with an error body", async (_, text, status, code) => {
    const answer = await sendRaw(text.replace("HERE", new URL(h.provider.url).host));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toMatchObject({ code, StatusCode: status });
  });
  test("a client that offers HTTP/2 is answered in HTTP/1.1", async () => {
    const { host } = new URL(h.provider.url);
    const offer =
      "Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
    const answer = await sendRaw(`GET /hi HTTP/1.1\r\nHost: ${host}\r\n${offer}\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe("rate limits", () => {
  test("are counted by operation and platform, and not enforced by default", async () => {
    const first = await h.call("lim", "GET", "/app", undefined, {}, { "X-Stream-Client": "chat-android-1" });
    const second = await h.call("lim", "GET", "/app", undefined, {}, { "X-Stream-Client": "chat-android-1" });
    const web = await h.call("lim", "GET", "/unread");
    expect(
      Number(first.headers["x-ratelimit-remaining"]) - Number(second.headers["x-ratelimit-remaining"]),
    ).toBe(1);
    expect(web.headers["x-ratelimit-limit"]).toBe("300");
  });
  test("if enabled, the 61st call of a user in a minute is 429 with code 9 and Retry-After", async () => {
    const strict = assembleProvider(tiny, { data: ":memory:", rateLimits: true });
    await strict.listen();
    const get = (userId: string) =>
      httpRequest(`${strict.url}/app?api_key=${strict.apiKey}`, {
        headers: { Authorization: signToken({ user_id: userId }, strict.secret) },
      });
    // Just after the start of a minute, so that the window does not end in the middle.
    strict.clock.advance(60_000 - ((strict.clock.now() / 1000) % 60_000) + 100);
    const statuses: number[] = [];
    for (let n = 0; n < 60; n++) statuses.push((await get("ann")).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const over = await get("ann");
    expect([over.status, over.json.code]).toEqual([429, 9]);
    expect(Number(over.headers["retry-after"])).toBeGreaterThan(0);
    expect((await get("bob")).status).toBe(200);
    await strict.close();
  });
});

test("GET /app shows a client the upload configurations only", async () => {
  const app = (await h.call("ann", "GET", "/app")).json.app;
  expect(app.image_upload_config).toEqual({
    allowed_file_extensions: [],
    blocked_file_extensions: [],
    allowed_mime_types: [],
    blocked_mime_types: [],
    size_limit: 0,
  });
  expect(app.disable_auth_checks).toBeUndefined();
  expect((await h.call(undefined, "GET", "/app")).json.app.disable_auth_checks).toBe(false);
});

test("none of these requests caused a warning", () => expect(warnings).toEqual([]));
