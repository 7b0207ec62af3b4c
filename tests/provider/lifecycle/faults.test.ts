/** Injected faults: which calls they match, how often they apply, and what a client sees of them. */
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { Faults, faultProblem } from "../../../src/provider/http/faults.ts";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { signToken } from "../../../src/wire/token.ts";

let provider: Provider | undefined;
afterEach(async () => {
  await provider?.close();
  provider = undefined;
});

async function start(): Promise<(method: string, route: string, body?: object) => Promise<Response>> {
  provider = createProvider({ data: ":memory:", stay: true });
  await provider.listen();
  const { url, apiKey, secret } = provider;
  return (method, route, body) =>
    fetch(`${url}${route}?api_key=${apiKey}`, {
      method,
      headers: {
        Authorization: signToken({ server: true }, secret),
        "stream-auth-type": "jwt",
        "Content-Type": "application/json",
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
}

test.each([
  ["POST */message", "POST", "/channels/messaging/tea/message", true],
  ["POST */message", "GET", "/channels/messaging/tea/message", false],
  ["POST */message", "POST", "/channels/messaging/tea/messages", false],
  ["* /channels*", "DELETE", "/channels/messaging/tea", true],
  ["GET /app", "GET", "/app", true],
  ["GET /app", "GET", "/apple", false],
  ["GET /a*b*c", "GET", "/axxbyyc", true],
  ["GET /a*b*c", "GET", "/axxc", false],
  ["GET /ab*bc", "GET", "/abc", false],
])("for the fault %s and the request %s %s the result of applies() is %s", (match, method, path, strikes) => {
  const faults = new Faults();
  faults.add({ match, status: 500 });
  expect(faults.take(method, path) !== undefined).toBe(strikes);
});

test("a fault applies as often as its count says and is then removed", () => {
  const faults = new Faults();
  faults.add({ match: "GET /app", status: 429, times: 2 });
  expect([1, 2, 3].map(() => faults.take("GET", "/app")?.status)).toEqual([429, 429, undefined]);
  expect(faults.all()).toEqual([]);
});

test.each([
  [{ match: "POST", status: 500 }, "match"],
  [{ match: "GET /app" }, "status"],
  [{ match: "GET /app", status: 200 }, "status"],
  [{ match: "GET /app", code: 1 }, "code"],
  [{ match: "GET /app", delay_ms: 0 }, "delay_ms"],
  [{ match: "GET /app", drop: "line" }, "drop"],
  [{ match: "GET /app", status: 500, times: 1.5 }, "times"],
])("the fault %j is refused with an error that names %s", (order, field) => {
  expect(() => new Faults().add(order)).toThrow(field);
});

test("a fault with a status only gets the code that belongs to it, and one with a code only gets its status", () => {
  expect([faultProblem({ status: 429 })!.code, faultProblem({ status: 503 })!.code]).toEqual([9, -1]);
  expect([faultProblem({ code: 40 })!.status, faultProblem({ code: 60 })!.status]).toEqual([401, 403]);
  expect(faultProblem({ delay: 5 })).toBeUndefined();
});

test("a request refused by a fault changes nothing, and the next one succeeds", async () => {
  const call = await start();
  await call("POST", "/_local/fault", { do: "add", match: "POST /users", status: 429, times: 1 });
  const users = { users: { ada: { id: "ada" } } };
  const refused = await call("POST", "/users", users);
  expect([refused.status, refused.headers.get("retry-after"), (await refused.json()).code]).toEqual([
    429,
    "1",
    9,
  ]);
  expect((await (await call("GET", "/users")).json()).users).toEqual([]);
  expect((await call("POST", "/users", users)).status).toBe(201);
});

test("a request with a dropped answer was executed, and a dropped request was not", async () => {
  const call = await start();
  await call("POST", "/_local/fault", { do: "add", match: "POST /users", drop: "request", times: 1 });
  await expect(call("POST", "/users", { users: { ada: { id: "ada" } } })).rejects.toThrow();
  await call("POST", "/_local/fault", { do: "add", match: "POST /users", drop: "answer", times: 1 });
  await expect(call("POST", "/users", { users: { bob: { id: "bob" } } })).rejects.toThrow();
  const { users } = await (await call("GET", "/users")).json();
  expect(users.map((user: { id: string }) => user.id)).toEqual(["bob"]);
});

test("drop-ws ends the open connections with 1001, and a fault on /connect refuses new ones", async () => {
  const call = await start();
  const { url, apiKey, secret } = provider!;
  const dial = (): WebSocket =>
    new WebSocket(
      `${url.replace("http", "ws")}/connect?api_key=${apiKey}&stream-auth-type=jwt&authorization=${signToken({ user_id: "ada" }, secret)}&json=${encodeURIComponent('{"user_id":"ada"}')}`,
    );
  const line = dial();
  await once(line, "message");
  const closed = once(line, "close");
  expect(await (await call("POST", "/_local/fault", { do: "drop-ws" })).json()).toMatchObject({ dropped: 1 });
  expect((await closed)[0]).toBe(1001);
  await call("POST", "/_local/fault", { do: "add", match: "GET /connect", drop: "request", times: 1 });
  const [error] = (await once(dial(), "error")) as [Error];
  expect(error.message).toMatch(/hang up|reset/);
  const again = dial();
  await once(again, "message");
  again.close();
});

test("faults can be listed and cleared, one or all of them", async () => {
  const call = await start();
  const add = async (match: string): Promise<string> =>
    (await (await call("POST", "/_local/fault", { do: "add", match, status: 500 })).json()).fault.id;
  const first = await add("GET /app");
  await add("GET /users");
  expect((await (await call("POST", "/_local/fault", { do: "list" })).json()).faults).toHaveLength(2);
  expect((await (await call("POST", "/_local/fault", { do: "clear", id: first })).json()).cleared).toBe(1);
  expect((await call("GET", "/app")).status).toBe(200);
  expect((await (await call("POST", "/_local/fault", { do: "clear" })).json()).cleared).toBe(1);
  expect((await call("GET", "/users")).status).toBe(200);
});
