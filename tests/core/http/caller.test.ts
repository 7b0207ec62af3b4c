/** The call layer: address, headers, tokens, answers and the repeats that are allowed (specification/wire.md §4, specification/auth.md §4, §8, specification/sending.md §4). */
import { describe, expect, test } from "vitest";
import type { TokenSource } from "../../../src/core/core.ts";
import { ApiError, TransportError } from "../../../src/model/errors.ts";
import { createApiCaller } from "../../../src/core/http/caller.ts";
import { createTokens } from "../../../src/core/http/token.ts";
import { PortFailure } from "../../../src/core/base/ports.ts";
import { readToken, signToken } from "../../../src/wire/token.ts";
import {
  errorReply,
  fakeLog,
  fakeRequests,
  jsonReply,
  type FakeAnswer,
  type FakeCall,
} from "../../support/fake-ports.ts";
import { fixedRandom, VirtualClock } from "../../support/virtual-clock.ts";

const mira = (n = 0): string => signToken({ user_id: "mira", iat: n }, "s");

function setup(
  on: Record<string, (call: FakeCall) => FakeAnswer | Promise<FakeAnswer>>,
  options: {
    token?: TokenSource;
    secret?: string;
    connectionId?: string;
    connectionIds?: string[];
    user?: boolean;
    apiKey?: string;
    baseUrl?: string;
  } = {},
) {
  const clock = new VirtualClock();
  const random = fixedRandom();
  const { port, calls } = fakeRequests(clock, on);
  const tokens = createTokens({ clock, random, secret: options.secret, now: () => clock.now() });
  if (options.user !== false) tokens.set("mira", options.token ?? mira());
  let suspicions = 0;
  let refusals = 0;
  const caller = createApiCaller({
    unchecked: true,
    baseUrl: () => options.baseUrl ?? "http://p:1/",
    apiKey: options.apiKey ?? "k3y",
    clientName: "parley-1",
    request: port,
    clock,
    random,
    log: fakeLog(),
    tokens,
    connectionId: () => options.connectionIds?.shift() ?? options.connectionId ?? undefined,
    onNoAnswer: () => suspicions++,
    onCredentialsRefused: () => refusals++,
  });
  return { clock, calls, tokens, ...caller, suspicions: () => suspicions, refusals: () => refusals };
}
const ok = () => jsonReply({ duration: "1ms" });

describe("what a call carries", () => {
  test("an XSRF cookie of an answer is sent as a header with the next call (specification/wire.md §4)", async () => {
    const { call, calls } = setup({
      "GET /app": () => ({ ...jsonReply({ app: {} }), headers: { "set-cookie": "XSRF-TOKEN=t0k; Path=/" } }),
    });
    await call("getApp");
    await call("getApp");
    expect(calls.map(({ request }) => request.headers["X-XSRF-TOKEN"])).toEqual([undefined, "t0k"]);
  });
  test("a read that is refused for its rate is repeated when the provider says, as long as there is patience", async () => {
    const refused = { ...errorReply(429, 9), headers: { "retry-after": "4" } };
    let tries = 0;
    const at = setup({
      "POST /channels": () => (++tries <= 2 ? refused : jsonReply({ channels: [], duration: "" })),
    });
    const waits: number[] = [];
    const call = at.call("queryChannels", { body: {}, patience: 20_000, onPatience: (ms) => waits.push(ms) });
    await at.clock.advance(10_000);
    await expect(call).resolves.toMatchObject({ channels: [] });
    expect([tries, waits]).toEqual([3, [4500, 4500]]);
    tries = -5;
    const impatient = at.call("queryChannels", { body: {}, patience: 4000 });
    await expect(impatient).rejects.toMatchObject({ status: 429 });
    expect(tries).toBe(-4);
  });
  test("a patient read waits while nothing is left of the minute; others, and all of the embedded provider, do not", async () => {
    const usedUp = (clock: VirtualClock): FakeAnswer => ({
      ...jsonReply({ channels: [], duration: "" }),
      headers: {
        "x-ratelimit-limit": "300",
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String(clock.now() / 1000 + 20),
      },
    });
    const waitsOf = async (
      patience: number,
      options: Parameters<typeof setup>[1] = {},
    ): Promise<number[]> => {
      const at = setup({ "POST /channels": () => usedUp(at.clock) }, options);
      const waits: number[] = [];
      const args = { body: {}, patience, onPatience: (ms: number) => waits.push(ms) };
      await at.call("queryChannels", args);
      const second = at.call("queryChannels", args);
      await at.clock.advance(30_000);
      await second;
      return waits;
    };
    expect(await waitsOf(90_000)).toEqual([20_500]);
    expect(await waitsOf(10_000)).toEqual([]);
    expect(await waitsOf(0)).toEqual([]);
    expect(await waitsOf(90_000, { apiKey: "local_1", baseUrl: "http://127.0.0.1:1/" })).toEqual([]);
  });
  test("a write that is refused for its rate was not made: it is made when the provider says, as long as there is patience", async () => {
    let refused = 0;
    const at = setup({
      "POST /channels/team/eng/read": () =>
        refused++ < 2 ? { ...errorReply(429, 9), headers: { "retry-after": "4" } } : ok(),
    });
    const path = { type: "team", id: "eng" };
    const call = at.call("markRead", { path, patience: 20_000 });
    await at.clock.advance(10_000);
    await call;
    expect(at.calls).toHaveLength(3);
    refused = 0;
    await expect(at.call("markRead", { path })).rejects.toMatchObject({ status: 429 });
    expect(at.calls).toHaveLength(4);
  });
  test("a call carries key, user, connection, raw token, auth type, client, request id and the default timeout", async () => {
    const at = setup({ "POST /channels/team/eng/message": ok }, { connectionId: "c1" });
    const message = { id: "m1", text: "hi" };
    await at.call("sendMessage", { path: { type: "team", id: "eng" }, body: { message } });
    const [call] = at.calls;
    expect(Object.fromEntries(call!.url.searchParams)).toEqual({
      api_key: "k3y",
      user_id: "mira",
      connection_id: "c1",
    });
    expect(call!.request.headers).toMatchObject({
      Authorization: mira(),
      "stream-auth-type": "jwt",
      "X-Stream-Client": "parley-1",
      "x-client-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      "content-type": "application/json",
    });
    expect(call!.request).toMatchObject({ timeout: 3000, maxBytes: 16 * 1024 * 1024 });
    expect(call!.body).toEqual({ message });
  });
  test("a path parameter is percent-encoded", async () => {
    const at = setup({});
    await at.call("getMessage", { path: { id: "a/b c?d" } }).catch(() => undefined);
    expect(at.calls[0]!.url.pathname).toBe("/messages/a%2Fb%20c%3Fd");
  });
  test("GET rows marked payload send one JSON value, others plain query values", async () => {
    const at = setup({ "GET /users": ok, "GET /messages/m1/reactions": ok });
    await at.call("queryUsers", { query: { filter_conditions: { id: "x" }, limit: 5 } });
    expect(JSON.parse(at.calls[0]!.url.searchParams.get("payload")!)).toEqual({
      filter_conditions: { id: "x" },
      limit: 5,
    });
    await at.call("getReactions", { path: { id: "m1" }, query: { limit: 7 } });
    expect(at.calls[1]!.url.searchParams.get("limit")).toBe("7");
    expect(at.calls[1]!.request.body).toBeUndefined();
  });
  test("watch and presence are sent only with a connection (specification/realtime.md §13)", async () => {
    const body = { watch: true, presence: true, limit: 3 };
    const disconnected = setup({ "POST /channels": ok });
    await disconnected.call("queryChannels", { body });
    expect(disconnected.calls[0]!.body).toEqual({ limit: 3 });
    const on = setup({ "POST /channels": ok }, { connectionId: "c1" });
    await on.call("queryChannels", { body });
    expect(on.calls[0]!.body).toEqual(body);
  });
  test("GET /hi needs no user and no token", async () => {
    const at = setup({ "GET /hi": ok }, { user: false });
    await at.call("hi");
    expect(at.calls[0]!.url.search).toBe("");
    expect(at.calls[0]!.request.headers).not.toHaveProperty("Authorization");
  });
  test("a server-only call uses the secret, also while a user is set", async () => {
    const at = setup({ "GET /segments/s": ok }, { secret: "s" });
    await at.call("getSegment", { path: { id: "s" } });
    const [call] = at.calls;
    expect(readToken(call!.request.headers.Authorization!)!.claims).toMatchObject({ server: true });
    expect(call!.url.searchParams.has("user_id")).toBe(false);
  });
  test.each([
    [17, 0],
    [5, 1],
  ])("an answer with code %i reports refused credentials %i times", async (code, times) => {
    const at = setup({ "GET /unread": () => errorReply(403, code) });
    await expect(at.call("getUnread")).rejects.toMatchObject({ code });
    expect(at.refusals()).toBe(times);
  });
  test("with only a secret a server token is sent and no user named (specification/auth.md §10)", async () => {
    const at = setup({ "GET /app": ok }, { user: false, secret: "s" });
    await at.call("getApp");
    expect(readToken(at.calls[0]!.request.headers.Authorization!)?.claims).toEqual({ server: true });
    expect(at.calls[0]!.url.searchParams.has("user_id")).toBe(false);
  });
});

describe("local errors (specification/auth.md §4)", () => {
  test("without a user: connection requires connectUser first", async () => {
    const at = setup({}, { user: false });
    await expect(at.call("queryChannels", { body: {} })).rejects.toThrow(
      "connection requires connectUser first",
    );
    expect(at.calls).toEqual([]);
  });
  test("a token of another user: User token does not belong to user", async () => {
    const at = setup({}, { token: signToken({ user_id: "otto" }, "s") });
    await expect(at.call("getUnread")).rejects.toThrow("User token does not belong to user mira");
  });
  test("an error of the token source is passed to the caller", async () => {
    const at = setup({}, { token: () => Promise.reject(new Error("sign-in page is down")) });
    await expect(at.call("getUnread")).rejects.toThrow("sign-in page is down");
  });
});

describe("answers (specification/errors.md §1, §3)", () => {
  const failure = async (answer: FakeAnswer): Promise<unknown> =>
    setup({ "GET /unread": () => answer })
      .call("getUnread")
      .catch((error: unknown) => error);

  test("an error body keeps message, code, status and the rate limit", async () => {
    const headers = {
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "1772600160",
    };
    const error = await failure({ ...errorReply(429, 9, "slow down"), headers });
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: "slow down",
      code: 9,
      status: 429,
      retryable: true,
      rateLimit: { limit: 60, remaining: 0, reset: 1772600160 },
    });
  });
  test.each<[string, FakeAnswer, object]>([
    [
      "plain text",
      jsonReply("Too many requests from your IP", 429),
      { message: "Too many requests from your IP", status: 429, code: undefined },
    ],
    ["an empty body", jsonReply("", 502), { message: "empty response body", status: 502, code: undefined }],
    [
      "a web page",
      jsonReply("<!DOCTYPE html><h1>Bad gateway</h1>", 502),
      { status: 502, message: expect.stringContaining("web page") },
    ],
    ["a success that is not JSON", jsonReply("<html>login</html>"), { code: "ERR_BAD_RESPONSE" }],
    ["a success that is cut", jsonReply('{"total_unread'), { code: "ERR_BAD_RESPONSE" }],
    [
      "an empty success",
      jsonReply(""),
      { code: "ERR_BAD_RESPONSE", message: expect.stringContaining("empty") },
    ],
    ["a list", jsonReply("[]"), { code: "ERR_BAD_RESPONSE" }],
    ["a redirect", jsonReply("", 302), { code: "ERR_BAD_RESPONSE" }],
    ["too much", new PortFailure("tooBig", "x"), { code: "ERR_BAD_RESPONSE" }],
    ["a timeout", "never", { code: "ETIMEDOUT" }],
    [
      "a refused connection",
      new PortFailure("network", "the connection was refused"),
      { code: "ERR_NETWORK", message: "GetUnread got no answer: the connection was refused" },
    ],
    ["an abort", new PortFailure("abort", "x"), { code: "ERR_CANCELED" }],
  ])("%s becomes an error with code and message, without addresses or keys", async (_, answer, facts) => {
    const at = setup({ "GET /unread": () => answer });
    const caught = at.call("getUnread").catch((error: unknown) => error);
    await at.clock.advance(3000);
    const error = (await caught) as Error;
    expect(error).toMatchObject(facts);
    expect(error.message).not.toMatch(/http:|api_key|k3y/);
  });
  test("a refusal carries the rate limit of its answer (D14)", async () => {
    const headers = { "x-ratelimit-limit": "300", "x-ratelimit-remaining": "299", "x-ratelimit-reset": "9" };
    const at = setup({ "GET /unread": () => ({ ...errorReply(429, 9), headers }) });
    const rateLimit = { limit: 300, remaining: 299, reset: 9 };
    await expect(at.call("getUnread")).rejects.toMatchObject({ status: 429, rateLimit });
  });
  test("a missing answer raises suspicion about the connection, a refusal does not", async () => {
    const dead = setup({ "GET /unread": () => new PortFailure("network", "x") });
    await dead.call("getUnread").catch(() => undefined);
    expect(dead.suspicions()).toBe(1);
    const refused = setup({ "GET /unread": () => errorReply(403, 17) });
    await refused.call("getUnread").catch(() => undefined);
    expect(refused.suspicions()).toBe(0);
  });
});

describe("repeats (specification/sending.md §4)", () => {
  test.each<[string, FakeAnswer, number]>([
    ["no answer in time", new PortFailure("timeout", "no answer in time"), 1],
    ["a 504", errorReply(504, -1), 1],
    ["a connection that could not be made in time", new PortFailure("timeout", "no connection", true), 3],
    ["a 500", errorReply(500, -1), 3],
    ["a lost connection", new PortFailure("network", "lost"), 3],
  ])(
    "a page that can be made smaller is, after %s, not the same one again in vain",
    async (_, answer, calls) => {
      const at = setup({ "GET /unread": () => answer });
      const done = at.call("getUnread", { retries: 2, shrinks: true }).catch((e: unknown) => e);
      await at.clock.advance(60_000);
      expect(await done).toBeInstanceOf(Error);
      expect(at.calls).toHaveLength(calls);
    },
  );
  test("a safe read is repeated after network errors and 5xx up to its retries, with back-off and one request id", async () => {
    const answers: FakeAnswer[] = [new PortFailure("network", "x"), errorReply(500, -1), ok()];
    const at = setup({ "GET /unread": () => answers.shift()! });
    const done = at.call("getUnread", { retries: 2 });
    await at.clock.settle();
    expect(at.calls.length).toBe(1);
    await at.clock.advance(2500 + 4500);
    await done;
    expect(at.calls.length).toBe(3);
    expect(new Set(at.calls.map((c) => c.request.headers["x-client-request-id"])).size).toBe(1);
  });
  test("a refusal and a write are never repeated", async () => {
    const at = setup({
      "GET /unread": () => errorReply(400, 4),
      "POST /channels/a/b/message": () => errorReply(500, -1),
    });
    await expect(at.call("getUnread", { retries: 5 })).rejects.toThrow(ApiError);
    const message = { id: "m", text: "t" };
    await expect(
      at.call("sendMessage", { path: { type: "a", id: "b" }, body: { message }, retries: 5 }),
    ).rejects.toThrow(ApiError);
    expect(at.calls.length).toBe(2);
  });
  test("a channel query counts as possibly sent if any of its tries may have been", async () => {
    const neverSent = new PortFailure("network", "refused", true);
    const answers: FakeAnswer[] = [new PortFailure("network", "reset"), neverSent];
    const at = setup({ "POST /channels/a/b/query": () => answers.shift()! });
    const done = at
      .call("queryChannel", { path: { type: "a", id: "b" }, retries: 1 })
      .catch((e: unknown) => e);
    await at.clock.advance(2500);
    expect(await done).toMatchObject({ name: "TransportError", neverSent: false });
    expect(at.calls.length).toBe(2);
  });
  test("an abort ends the wait before a repeat", async () => {
    const at = setup({ "GET /unread": () => new PortFailure("network", "x") });
    const abort = new AbortController();
    const done = at.call("getUnread", { retries: 9, signal: abort.signal }).catch((e: unknown) => e);
    await at.clock.settle();
    abort.abort();
    expect(await done).toBeInstanceOf(TransportError);
    expect(at.clock.timers).toEqual([]);
  });
});

test("a watching query is repeated once when its connection was replaced meanwhile (specification/realtime.md §8)", async () => {
  const ids = ["c1", "c1", "c2", "c2"];
  const at = setup(
    {
      "POST /channels": (call) =>
        call.url.searchParams.get("connection_id") === "c2" ? ok() : errorReply(400, 4),
    },
    { connectionIds: ids, connectionId: "c2" },
  );
  await at.call("queryChannels", { body: { watch: true } });
  expect(at.calls.map((c) => c.url.searchParams.get("connection_id"))).toEqual(["c1", "c2"]);
  const same = setup({ "POST /channels": () => errorReply(400, 4) }, { connectionId: "c1" });
  await expect(same.call("queryChannels", { body: { watch: true } })).rejects.toMatchObject({ code: 4 });
  expect(same.calls.length).toBe(1);
});

describe("code 40 (specification/auth.md §8)", () => {
  const acceptOnly = (validToken: string) => (call: FakeCall) =>
    call.request.headers.Authorization === validToken ? ok() : errorReply(401, 40, "token is expired");

  test("many calls at once cause one renewal, and each is repeated once with its own request id", async () => {
    let renewals = 0;
    const at = setup({ "GET /unread": acceptOnly(mira(2)) }, { token: async () => mira(++renewals) });
    await Promise.all(Array.from({ length: 20 }, () => at.call("getUnread")));
    expect(renewals).toBe(2);
    expect(at.calls.length).toBe(40);
    const ids = at.calls.map((c) => c.request.headers["x-client-request-id"]);
    expect(new Set(ids).size).toBe(20);
  });
  test("a call refused late uses the token renewed meanwhile", async () => {
    let renewals = 0;
    const late = Promise.withResolvers<FakeAnswer>();
    const validToken = mira(2);
    const at = setup(
      {
        "GET /unread": acceptOnly(validToken),
        "GET /app": (call) => (call.request.headers.Authorization === validToken ? ok() : late.promise),
      },
      { token: () => mira(++renewals) },
    );
    const slow = at.call("getApp");
    await at.call("getUnread");
    late.resolve(errorReply(401, 40, "token is expired"));
    await slow;
    expect(renewals).toBe(2);
    expect(at.calls.at(-1)!.request.headers.Authorization).toBe(validToken);
  });
  test("a token given as text is not renewed, and the error is returned", async () => {
    const at = setup({ "GET /unread": acceptOnly("never") });
    await expect(at.call("getUnread")).rejects.toMatchObject({ code: 40, message: "token is expired" });
    expect(at.calls.length).toBe(1);
  });
  test("other 401 codes are not retried", async () => {
    for (const code of [2, 5, 41, 42, 43]) {
      let renewals = 0;
      const at = setup({ "GET /unread": () => errorReply(401, code) }, { token: () => mira(++renewals) });
      await expect(at.call("getUnread")).rejects.toMatchObject({ code });
      expect(renewals).toBe(1);
    }
  });
  test("from the second failure in a row a renewal waits for the back-off; after five the API error is returned", async () => {
    let renewals = 0;
    const at = setup({ "GET /unread": acceptOnly("never") }, { token: () => mira(++renewals) });
    const waits: number[] = [];
    for (let n = 1; n <= 6; n++) {
      const from = at.clock.monotonic();
      let ended = -1;
      const call = at.call("getUnread").then(
        () => expect.unreachable(),
        (error: ApiError) => {
          ended = at.clock.monotonic();
          expect(error.code).toBe(40);
        },
      );
      await at.clock.advance(30_000);
      await call;
      waits.push(ended - from);
    }
    // The first token and five renewals; the sixth failure requests no more.
    expect(renewals).toBe(6);
    expect(waits).toEqual([0, 3250, 5250, 7250, 9250, 0]);
  });
  test("a success resets the count of failed renewals", async () => {
    let renewals = 0;
    let validToken = 2;
    const at = setup(
      { "GET /unread": (call) => acceptOnly(mira(validToken))(call) },
      { token: () => mira(++renewals) },
    );
    for (let n = 0; n < 8; n++) {
      await at.call("getUnread");
      validToken += 1;
    }
    expect(at.clock.monotonic()).toBe(0);
    expect(renewals).toBe(9);
  });
});
