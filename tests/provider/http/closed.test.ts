/** Protection of every route: bounded bodies, local control only for servers, and no secrets in answers, events or logs. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { endpoints, type EndpointRow } from "../../../src/wire/endpoints/index.ts";
import { signToken } from "../../../src/wire/token.ts";
import { httpRequest } from "../tiny.ts";

let provider: Provider;
const written: string[] = [];
beforeAll(async () => {
  provider = createProvider({
    data: ":memory:",
    stay: true,
    log: (entry) => written.push(JSON.stringify(entry)),
    warn: (text) => written.push(text),
  });
  await provider.listen();
  await call("POST", "/users", JSON.stringify({ users: { ann: { id: "ann" } } }));
});
afterAll(() => provider.close());

function call(method: string, route: string, body?: string, token?: string) {
  const { url, apiKey, secret } = provider;
  return httpRequest(`${url}${route}${route.includes("?") ? "&" : "?"}api_key=${apiKey}`, {
    method,
    headers: {
      Authorization: token ?? signToken({ server: true }, secret),
      "Content-Type": "application/json",
    },
    ...(body === undefined ? {} : { body }),
  });
}

describe("every route with a body", () => {
  const rows = Object.values(endpoints as Record<string, EndpointRow>).filter(
    ({ method, multipart }) => !multipart && ["POST", "PUT", "PATCH"].includes(method),
  );
  const nested = (depth: number): string => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  const bodies: [string, string][] = [
    ["65 levels deep", nested(64)],
    ["100,000 levels deep", nested(100_000)],
    ["50,001 values", `{"a":[${"0,".repeat(50_000)}0]}`],
    ["20,001 keys", `{${Array.from({ length: 20_001 }, (_, n) => `"k${n}":0`).join(",")}}`],
    ["a list", "[1]"],
    ["half a text", '{"a":'],
  ];
  test.each(bodies)("refuses %s with code 4", async (_, body) => {
    expect(rows.length).toBeGreaterThan(80);
    for (const row of rows) {
      const route = row.path.replaceAll(/\{\w+\}/g, "x");
      const answer = await call(row.method, route, body);
      expect([row.op, answer.status, (JSON.parse(answer.text) as { code: number }).code]).toEqual([
        row.op,
        400,
        4,
      ]);
    }
  });
  test("refuses more than 1 MiB with 413, also without a declared length", async () => {
    const body = `{"a":"${"x".repeat(2 ** 20)}"}`;
    for (const row of rows.filter((_, n) => n % 7 === 0)) {
      const answer = await call(row.method, row.path.replaceAll(/\{\w+\}/g, "x"), body);
      expect([row.op, answer.status]).toEqual([row.op, 413]);
    }
  });
});

describe("local control", () => {
  const verbs = [
    "status",
    "fault",
    "clock",
    "snapshot",
    "coverage",
    "stay",
    "stop",
    "no-such",
    "__proto__",
    "toString",
  ];
  test.each(verbs)("%s accepts a server token only", async (verb) => {
    const { url, apiKey, secret } = provider;
    const user = signToken({ user_id: "ann" }, secret);
    const forged = signToken({ server: true }, "another secret");
    expect((await call("POST", `/_local/${verb}`, "{}", user)).status).toBe(403);
    expect((await call("POST", `/_local/${verb}`, "{}", forged)).status).toBe(401);
    const none = await httpRequest(`${url}/_local/${verb}?api_key=${apiKey}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    expect(none.status).toBe(401);
    // GET is refused, because it must have no side effects.
    expect((await call("GET", `/_local/${verb}`)).status).toBe(405);
    expect((await call("GET", "/app")).status).toBe(200);
  });
});

describe("secrets of other services", () => {
  const SECRETS = [
    "sqs-key-7f",
    "sqs-secret-7f",
    "sns-key-7f",
    "sns-secret-7f",
    "apn-auth-7f",
    "p12-7f",
    "server-key-7f",
    "credentials-7f",
    "huawei-7f",
    "xiaomi-7f",
  ];
  test("are stored, and appear in no answer, event or log", async () => {
    const answers: string[] = [];
    const events: string[] = [];
    const ends = [
      provider.onEvent((e) => events.push(JSON.stringify(e))),
      provider.onServerEvent((e) => events.push(JSON.stringify(e))),
    ];
    const request = async (method: string, route: string, body?: object, token?: string): Promise<number> => {
      const answer = await call(method, route, body && JSON.stringify(body), token);
      answers.push(answer.text);
      return answer.status;
    };
    const [sqsKey, sqsSecret, snsKey, snsSecret, apn, p12, server, credentials, huawei, xiaomi] = SECRETS;
    expect(
      await request("PATCH", "/app", {
        sqs_key: sqsKey,
        sqs_secret: sqsSecret,
        sns_key: snsKey,
        sns_secret: snsSecret,
        apn_config: { auth_type: "token", auth_key: apn, team_id: "T1", key_id: "K1", bundle_id: "b" },
        firebase_config: { server_key: server, credentials_json: credentials },
        huawei_config: { id: "1", secret: huawei },
        xiaomi_config: { package_name: "p", secret: xiaomi },
      }),
    ).toBe(200);
    const providers = [
      {
        type: "apn",
        name: "a",
        apn_auth_type: "certificate",
        apn_p12_cert: p12,
        apn_auth_key: apn,
        apn_team_id: "T",
        apn_key_id: "K",
      },
      { type: "firebase", name: "f", firebase_server_key: server, firebase_credentials: credentials },
      { type: "huawei", name: "h", huawei_app_id: "1", huawei_app_secret: huawei },
      { type: "xiaomi", name: "x", xiaomi_package_name: "p", xiaomi_app_secret: xiaomi },
    ];
    for (const push_provider of providers)
      expect([push_provider.type, await request("POST", "/push_providers", { push_provider })]).toEqual([
        push_provider.type,
        201,
      ]);
    await request("GET", "/app");
    await request("GET", "/app", undefined, signToken({ user_id: "ann" }, provider.secret));
    await request("GET", "/push_providers");
    await request("PATCH", "/app", { sqs_secret: 7 });
    await request("POST", "/push_providers", {
      push_provider: { type: "nobody", name: "x", xiaomi_app_secret: xiaomi },
    });
    await request("POST", "/check_push", { user_id: "ann" });
    await request("POST", "/check_sqs", {
      sqs_key: sqsKey,
      sqs_secret: sqsSecret,
      sqs_url: "https://sqs.example/q",
    });
    for (const end of ends) end();
    const stored = provider
      .transact((_emit, db) => [
        ...db.all("SELECT json FROM app_setting"),
        ...db.all("SELECT data FROM push_providers"),
      ])
      .map((row) => JSON.stringify(row))
      .join("");
    for (const secret of SECRETS) {
      expect([secret, stored.includes(secret)]).toEqual([secret, true]);
      for (const text of [...answers, ...events, ...written]) expect(text).not.toContain(secret);
    }
    for (const text of [...answers, ...events, ...written]) expect(text).not.toContain(provider.secret);
  });
});
