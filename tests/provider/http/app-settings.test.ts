/** App settings that affect HTTP calls: suspension, lifetimes of addresses, and the rate limits. */
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createProvider, type Provider, type ProviderOptions } from "../../../src/provider/provider.ts";
import { signToken } from "../../../src/wire/token.ts";

let provider: Provider | undefined;
afterEach(() => provider?.close());

// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into by every test in its own way
type Json = any;

async function start(options: Partial<ProviderOptions> = {}): Promise<Provider> {
  provider = createProvider({ data: ":memory:", stay: true, ...options });
  await provider.listen();
  return provider;
}

async function call(
  who: string | undefined,
  method: string,
  route: string,
  body?: unknown,
  client = "test",
): Promise<Json> {
  const { url, apiKey, secret } = provider!;
  const response = await fetch(`${url}${route}${route.includes("?") ? "&" : "?"}api_key=${apiKey}`, {
    method,
    headers: {
      Authorization: signToken(who === undefined ? { server: true } : { user_id: who }, secret),
      "stream-auth-type": "jwt",
      "X-Stream-Client": client,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = await response.json();
  return { status: response.status, headers: response.headers, json };
}

describe("a suspended app", () => {
  test("refuses every call with 99 and its explanation, except a server's that reads or lifts the suspension", async () => {
    await start();
    await call(undefined, "PATCH", "/app", { suspended: true, suspended_explanation: "bill open" });
    for (const [who, method, route, body] of [
      ["ada", "GET", "/app", undefined],
      ["ada", "PATCH", "/app", { suspended: false }],
      ["ada", "POST", "/channels", {}],
      [undefined, "POST", "/channels", {}],
      [undefined, "GET", "/channeltypes", undefined],
    ] as const) {
      const { status, json } = await call(who, method, route, body);
      expect([status, json.code, route]).toEqual([403, 99, route]);
      expect(json.message).toContain("app is suspended: bill open");
    }
    expect((await call(undefined, "GET", "/app")).json.app.suspended).toBe(true);
    expect((await call(undefined, "PATCH", "/app", { suspended: null })).status).toBe(200);
    expect((await call("ada", "GET", "/app")).status).toBe(200);
  });

  test("is not lifted by a forged server token", async () => {
    await start();
    await call(undefined, "PATCH", "/app", { suspended: true });
    const { url, apiKey } = provider!;
    const forged = await fetch(`${url}/app?api_key=${apiKey}`, {
      method: "PATCH",
      headers: {
        Authorization: signToken({ server: true }, "another secret"),
        "stream-auth-type": "jwt",
        "Content-Type": "application/json",
      },
      body: '{"suspended":false}',
    });
    expect(((await forged.json()) as Json).code).toBe(43);
    expect((await call("ada", "GET", "/app")).json.code).toBe(99);
  });
});

describe("open connections", () => {
  /** Connects the user; the result waits for the close and gives its error. */
  const connect = async (who: string, claims: object = {}): Promise<() => Promise<Json>> => {
    const { url, apiKey, secret } = provider!;
    const query = new URLSearchParams({
      api_key: apiKey,
      "stream-auth-type": "jwt",
      authorization: signToken({ user_id: who, ...claims }, secret),
      json: JSON.stringify({ user_id: who }),
    });
    const ws = new WebSocket(`${url.replace("http", "ws")}/connect?${query}`);
    const frames: Json[] = [];
    ws.on("message", (data: Buffer) => frames.push(JSON.parse(data.toString("utf8"))));
    await once(ws, "message");
    return async () => {
      const [code] = (await once(ws, "close")) as [number];
      return { code, error: frames.at(-1).error?.code };
    };
  };

  test("are closed with 99 when the app is suspended", async () => {
    await start();
    const closeError = await connect("ada");
    const waiting = closeError();
    await call(undefined, "PATCH", "/app", { suspended: true });
    expect(await waiting).toEqual({ code: 1008, error: 99 });
  });

  test("are closed with 40 when older tokens are revoked, later ones stay", async () => {
    await start();
    const now = Math.floor(Date.now() / 1000);
    const before = (await connect("ada", { iat: now - 100 }))();
    const undated = (await connect("bob"))();
    await connect("cyd", { iat: now });
    await call(undefined, "PATCH", "/app", {
      revoke_tokens_issued_before: new Date((now - 50) * 1000).toISOString(),
    });
    expect(await before).toEqual({ code: 1008, error: 40 });
    expect(await undated).toEqual({ code: 1008, error: 40 });
    expect([...provider!.hub.byUser.keys()]).toEqual(["cyd"]);
  });
});

describe("GET /rate_limits", () => {
  test("counts calls by operation and platform", async () => {
    await start();
    await call("ada", "GET", "/app", undefined, "chat-android-1");
    await call("ada", "GET", "/app", undefined, "chat-android-1");
    await call("ada", "GET", "/app", undefined, "chat-ios-1");
    const { json } = await call(undefined, "GET", "/rate_limits?endpoints=GetApp,SendMessage");
    expect(json.android.GetApp).toMatchObject({ limit: 10_000, remaining: 9998 });
    expect(json.ios.GetApp.remaining).toBe(9999);
    expect(json.web.GetApp.remaining).toBe(10_000);
    expect(json.server_side.SendMessage).toMatchObject({ limit: 1000, remaining: 1000 });
    expect(json.web.GetApp.reset % 60).toBe(0);
    expect(json.web.GetApp.reset).toBeGreaterThan(Date.now() / 1000);
  });

  test("counts in windows of a minute of provider time", async () => {
    await start();
    await call("ada", "GET", "/app");
    provider!.advance(60_000);
    const { json } = await call(undefined, "GET", "/rate_limits?endpoints=GetApp&web=true");
    expect(json.web.GetApp.remaining).toBe(10_000);
    expect(Object.keys(json).toSorted()).toEqual(["duration", "web"]);
  });

  test("with limits enabled, calls over the limit are refused", async () => {
    await start({ rateLimits: true });
    // 60 a minute allow 2 a second: some of ten at once exceed it, even across the end of a second
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => (await call(undefined, "GET", "/channeltypes")).status),
    );
    expect(answers).toContain(429);
    const { json } = await call(undefined, "GET", "/rate_limits?endpoints=ListChannelTypes&server_side=true");
    expect(json.server_side.ListChannelTypes.remaining).toBe(60 - answers.filter((s) => s === 200).length);
  });
});

test("file URLs are valid as long as the app sets", async () => {
  await start();
  const upload = async (): Promise<number> => {
    const form = new FormData();
    form.set("file", new Blob(["x"], { type: "text/plain" }), "a.txt");
    await call("ada", "POST", "/channels/messaging/files/query", { data: { members: ["ada"] } });
    const { url, apiKey, secret } = provider!;
    const response = await fetch(`${url}/channels/messaging/files/file?api_key=${apiKey}`, {
      method: "POST",
      headers: { Authorization: signToken({ user_id: "ada" }, secret), "stream-auth-type": "jwt" },
      body: form,
    });
    const answer = (await response.json()) as { file: string };
    const { file } = answer;
    return Number(new URL(file).searchParams.get("Expires")) - provider!.clock.now() / 1e6;
  };
  expect(await upload()).toBeGreaterThanOrEqual(1_209_600 - 1);
  await call(undefined, "PATCH", "/app", { cdn_expiration_seconds: 90 });
  const short = await upload();
  expect(short).toBeGreaterThan(80);
  expect(short).toBeLessThanOrEqual(91);
});
