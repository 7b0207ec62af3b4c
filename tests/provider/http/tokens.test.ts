/** Token checks in the order of specification/auth.md §3: valid tokens, and more than forty that must be refused. */
import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeApp } from "../../../src/provider/store/app-settings.ts";
import { signToken } from "../../../src/wire/token.ts";
import { Harness, httpRequest } from "../tiny.ts";

let h: Harness;
beforeAll(async () => {
  h = await Harness.start();
});
afterAll(() => h.stop());

const b64 = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
/** An unsigned token: accepted only by an app with `disable_auth_checks` (specification/auth.md §7). */
const developerToken = (userId: string): string =>
  `${b64({ alg: "HS256", typ: "JWT" })}.${b64({ user_id: userId })}.devtoken`;
const HEADER = { alg: "HS256", typ: "JWT" };
/** Signs any two texts, valid or not, the way a token is signed. */
const sign = (header: unknown, claims: unknown, secret = h.provider.secret, hash = "sha256"): string => {
  const text = `${b64(header)}.${b64(claims)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest("base64url")}`;
};
const now = (): number => Math.floor(Date.now() / 1000);

async function code(
  token: string | undefined,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<number> {
  const answer = await httpRequest(h.url("/app", query), {
    headers: { ...(token === undefined ? {} : { Authorization: token }), ...headers },
  });
  if (answer.status === 200) return 0;
  expect(answer.json.app).toBeUndefined();
  return answer.json.code as number;
}

/** Changes stored users directly, because the routes for it are not part of the tiny domain. */
const alter = (sql: string): void => h.provider.transact((_emit, db) => db.raw.exec(sql));

describe("accepted tokens", () => {
  test("a user token, raw or with the Bearer prefix, with and without times", async () => {
    expect(await code(h.token("ann"))).toBe(0);
    expect(await code(`Bearer ${h.token("ann")}`)).toBe(0);
    expect(await code(h.token("ann", { iat: now(), exp: now() + 60, nbf: now() - 1 }))).toBe(0);
    expect(await code(h.token("ann"), { user_id: "ann" })).toBe(0);
    expect(await code(sign({ alg: "HS256" }, { user_id: "ann", extra: { deep: 1 } }))).toBe(0);
  });
  test('a server token with true or "true" (specification/auth.md §2)', async () => {
    for (const claims of [{ server: true }, { server: "true" as const, exp: now() + 60 }])
      expect(await code(signToken(claims, h.provider.secret))).toBe(0);
  });
  test("a token from a clock 55 seconds ahead", async () => {
    expect(await code(h.token("ann", { iat: now() + 55 }))).toBe(0);
  });
});

describe("refused tokens", () => {
  test("a signed token without a user is a server token only if it says so", async () => {
    const claims = [
      {},
      { exp: now() + 60 },
      { server: false },
      { server: "yes" },
      { server: 1 },
      { server: "false" },
    ];
    for (const claim of claims) expect([claim, await code(sign(HEADER, claim))]).toEqual([claim, 5]);
  });
  test("a crit header is refused (RFC 7515 §4.1.11)", async () => {
    for (const crit of [["exp"], ["b64"], [], "exp", null])
      for (const claims of [{ user_id: "ann" }, { server: true }])
        expect([crit, await code(sign({ ...HEADER, crit }, claims))]).toEqual([crit, 5]);
  });
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const cases: [string, number, () => string | undefined][] = [
    ["no token", 5, () => undefined],
    ["an empty token", 5, () => ""],
    ["two segments", 5, () => h.token("ann").split(".").slice(0, 2).join(".")],
    ["four segments", 5, () => `${h.token("ann")}.x`],
    ["one word", 5, () => "token"],
    ["dots alone", 5, () => ".."],
    ["an empty header", 5, () => `.${h.token("ann").split(".").slice(1).join(".")}`],
    ["a header that is no JSON", 5, () => sign("nope", { user_id: "ann" })],
    ["claims that are no JSON", 5, () => sign(HEADER, "nope")],
    ["claims that are a list", 5, () => sign(HEADER, "[1]")],
    ["claims that are a text", 5, () => sign(HEADER, '"ann"')],
    ["claims that are null", 5, () => sign(HEADER, "null")],
    ["a header that is a list", 5, () => sign("[]", { user_id: "ann" })],
    ["plain base64 instead of base64url", 5, () => `${h.token("ann").slice(0, -2)}+/`],
    ["padding", 5, () => `${h.token("ann")}=`],
    ["a character between the segments", 5, () => h.token("ann").replace(".", ". ")],
    ["more than 8 KiB", 5, () => h.token("ann", { pad: "x".repeat(7000) })],
    ["a duplicate user_id", 5, () => sign(HEADER, '{"user_id":"bob","user_id":"ann"}')],
    [
      "a duplicate user_id behind an escape",
      5,
      () => sign(HEADER, '{"user_id":"bob","user\\u005fid":"ann"}'),
    ],
    ["a duplicate alg", 5, () => sign('{"alg":"none","alg":"HS256"}', { user_id: "ann" })],
    ["a duplicate exp", 5, () => sign(HEADER, `{"user_id":"ann","exp":1,"exp":${now() + 99}}`)],
    ["a duplicate key inside a claim", 5, () => sign(HEADER, '{"user_id":"ann","x":{"a":1,"a":2}}')],
    ["alg none without a signature", 43, () => `${b64({ alg: "none" })}.${b64({ user_id: "ann" })}.`],
    ["alg None", 43, () => `${b64({ alg: "None" })}.${b64({ user_id: "ann" })}.`],
    ["alg none with a good HMAC", 43, () => sign({ alg: "none" }, { user_id: "ann" })],
    ["no alg", 43, () => sign({ typ: "JWT" }, { user_id: "ann" })],
    ["alg hs256 in small letters", 43, () => sign({ alg: "hs256" }, { user_id: "ann" })],
    ["alg HS512", 43, () => sign({ alg: "HS512" }, { user_id: "ann" }, h.provider.secret, "sha512")],
    ["alg HS384", 43, () => sign({ alg: "HS384" }, { user_id: "ann" }, h.provider.secret, "sha384")],
    ["alg RS256 with a good HMAC", 43, () => sign({ alg: "RS256" }, { user_id: "ann" })],
    ["alg as a list", 43, () => sign({ alg: ["HS256"] }, { user_id: "ann" })],
    [
      "a real RS256 signature",
      43,
      () => {
        const text = `${b64({ alg: "RS256" })}.${b64({ user_id: "ann" })}`;
        return `${text}.${createSign("sha256").update(text).sign(rsa.privateKey).toString("base64url")}`;
      },
    ],
    ["an empty signature", 43, () => h.token("ann").replace(/[^.]+$/, "")],
    ["another secret", 43, () => sign(HEADER, { user_id: "ann" }, "guess")],
    ["the empty secret", 43, () => sign(HEADER, { user_id: "ann" }, "")],
    ["the API key as the secret", 43, () => sign(HEADER, { user_id: "ann" }, h.provider.apiKey)],
    ["the secret in capitals", 43, () => sign(HEADER, { user_id: "ann" }, h.provider.secret.toUpperCase())],
    ["a developer token", 43, () => developerToken("ann")],
    ["a cut signature", 43, () => h.token("ann").slice(0, -4)],
    ["a signature with a tail", 43, () => `${h.token("ann")}AAAA`],
    [
      "another spelling of the same signature",
      43,
      () => {
        // The last character carries four bits and two of padding, so a lenient decoder accepts four spellings.
        const token = h.token("ann");
        const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        const at = letters.indexOf(token.at(-1)!);
        return token.slice(0, -1) + letters[(at & ~3) | ((at + 1) & 3)];
      },
    ],
    [
      "the claims of one token with the signature of another",
      43,
      () => {
        const [head, , tail] = h.token("bob").split(".");
        return `${head}.${b64({ user_id: "ann" })}.${tail}`;
      },
    ],
    ["a server token under a guessed secret", 43, () => signToken({ server: true }, "secret")],
    ["nbf in the future", 41, () => h.token("ann", { nbf: now() + 60 })],
    ["iat more than a minute in the future", 42, () => h.token("ann", { iat: now() + 120 })],
    ["exp in the past", 40, () => h.token("ann", { exp: now() - 1 })],
    ["exp now", 40, () => h.token("ann", { exp: now() })],
    ["exp zero", 40, () => h.token("ann", { exp: 0 })],
    ["an expired server token", 40, () => signToken({ server: true, exp: 1 }, h.provider.secret)],
    ["exp as a text", 5, () => sign(HEADER, { user_id: "ann", exp: "9999999999" })],
    ["exp null", 5, () => sign(HEADER, { user_id: "ann", exp: null })],
    ["nbf as an object", 5, () => sign(HEADER, { user_id: "ann", nbf: {} })],
    ["user_id empty", 5, () => sign(HEADER, { user_id: "" })],
    ["user_id as a number", 5, () => sign(HEADER, { user_id: 7 })],
    ["user_id null: no server token either", 5, () => sign(HEADER, { user_id: null })],
    ["user_id of the anonymous user", 5, () => sign(HEADER, { user_id: "!anon" })],
    ["user_id with a slash", 5, () => sign(HEADER, { user_id: "a/b" })],
    ["user_id of 256 characters", 5, () => sign(HEADER, { user_id: "a".repeat(256) })],
  ];
  test.each(cases)("%s is refused with code %i", async (_name, expected, make) => {
    expect(await code(make())).toBe(expected);
  });
  test("the table of refused tokens has at least forty rows", () =>
    expect(cases.length).toBeGreaterThanOrEqual(40));

  test("the claims are checked at every request, also when the signature is already known", async () => {
    const token = h.token("ann", { exp: now() + 5 });
    expect(await code(token)).toBe(0);
    h.provider.clock.advance(6000);
    expect(await code(token)).toBe(40);
    h.provider.clock.advance(-6000);
  });
});

describe("the order of the checks", () => {
  test("the API key is checked first", async () => {
    const good = h.token("ann");
    for (const key of [undefined, "", "other", h.provider.secret]) {
      const answer = await httpRequest(`${h.provider.url}/app${key === undefined ? "" : `?api_key=${key}`}`, {
        headers: { Authorization: good },
      });
      expect([answer.status, answer.json.code]).toEqual([401, 2]);
    }
  });
  test("the first api_key of the query counts", async () => {
    const answer = await httpRequest(`${h.provider.url}/app?api_key=other&api_key=${h.provider.apiKey}`, {
      headers: { Authorization: h.token("ann") },
    });
    expect(answer.json.code).toBe(2);
  });
  test("a token's signature is checked before its times, and nbf before iat before exp before the user", async () => {
    expect(await code(sign(HEADER, { user_id: "ann", exp: 1 }, "guess"))).toBe(43);
    const all = { nbf: now() + 999, iat: now() + 999, exp: 1 };
    expect(await code(h.token("ann", all))).toBe(41);
    expect(await code(h.token("ann", { iat: now() + 999, exp: 1 }))).toBe(42);
    expect(await code(h.token("ann", { exp: 1 }), { user_id: "bob" })).toBe(40);
  });
  test("the user_id of the query must be the user of the token", async () => {
    expect(await code(h.token("ann"), { user_id: "bob" })).toBe(5);
  });
  test("an anonymous session is refused unless the app allows anonymous users (specification/embedded-provider.md §2)", async () => {
    const headers = { "stream-auth-type": "anonymous" };
    expect(await code(h.token("ann"), {}, headers)).toBe(17);
    h.provider.transact((_emit, db) => writeApp(db, { anonymous_users_enabled: true }));
    expect(await code(undefined, {}, headers)).toBe(0);
    expect(await code("rubbish", {}, headers)).toBe(0);
    h.provider.transact((_emit, db) => writeApp(db, { anonymous_users_enabled: false }));
    expect(await code(undefined, {}, headers)).toBe(17);
  });
  test("a request to a suspended app is answered with 403 and code 99", async () => {
    h.provider.transact((_emit, db) => writeApp(db, { suspended: true }));
    expect(await code(h.token("ann"))).toBe(99);
    h.provider.transact((_emit, db) => writeApp(db, { suspended: false }));
  });
  test("with auth checks disabled a user's developer token is accepted, but no server token and no other algorithm", async () => {
    h.provider.transact((_emit, db) => writeApp(db, { disable_auth_checks: true }));
    expect(await code(developerToken("ann"))).toBe(0);
    expect(await code(`${b64(HEADER)}.${b64({ server: true })}.devtoken`)).toBe(43);
    expect(await code(`${b64({ alg: "none" })}.${b64({ user_id: "ann" })}.x`)).toBe(43);
    expect(await code(`${b64(HEADER)}.${b64({ user_id: "ann", exp: 1 })}.devtoken`)).toBe(40);
    h.provider.transact((_emit, db) => writeApp(db, { disable_auth_checks: false }));
    expect(await code(developerToken("ann"))).toBe(43);
  });
});

describe("stored users", () => {
  test("a revocation refuses older tokens and those without iat (specification/auth.md §9)", async () => {
    const date = now() - 100;
    alter(`INSERT INTO person (id, revoked) VALUES ('rev', ${date * 1e6})`);
    expect(await code(h.token("rev", { iat: date - 1 }))).toBe(40);
    expect(await code(h.token("rev"))).toBe(40);
    expect(await code(h.token("rev", { iat: date + 1 }))).toBe(0);
    h.provider.transact((_emit, db) =>
      writeApp(db, { revoke_tokens_issued_before: new Date(date * 1000).toISOString() }),
    );
    expect(await code(h.token("ann"))).toBe(40);
    expect(await code(h.token("ann", { iat: date + 1 }))).toBe(0);
    expect(await code(h.serverToken)).toBe(0);
    h.provider.transact((_emit, db) => writeApp(db, { revoke_tokens_issued_before: null }));
    expect(await code(h.token("ann"))).toBe(0);
  });
  test("deleted and deactivated users are refused with the reason", async () => {
    alter(
      "INSERT INTO person (id, deleted) VALUES ('del', 1); INSERT INTO person (id, deactivated) VALUES ('off', 1)",
    );
    const del = await h.call("del", "GET", "/app");
    expect([del.status, del.json.code, del.json.message]).toEqual([
      401,
      5,
      expect.stringContaining("deleted"),
    ]);
    const off = await h.call("off", "GET", "/app");
    expect([off.json.code, off.json.message]).toEqual([5, expect.stringContaining("deactivated")]);
  });
  test("a banned user may read and connect but not write", async () => {
    alter("INSERT INTO person (id, banned) VALUES ('ban', 1)");
    expect((await h.call("ban", "GET", "/app")).status).toBe(200);
    const socket = await h.connect("ban");
    await socket.end();
    const write = await h.send("ban", "m-ban");
    expect([write.status, write.json.code]).toEqual([403, 17]);
  });
});

describe("the acting user of a server-side call (specification/auth.md §10)", () => {
  const acting = async (body: unknown, query = {}): Promise<unknown> =>
    (await h.call(undefined, "POST", "/users", body, query)).json.caller;
  test("is named in the body, in an object of the body, or in the query", async () => {
    const server = { kind: "server", role: "server" };
    expect(await acting({ user_id: "a" })).toMatchObject({ ...server, userId: "a" });
    expect(await acting({ user: { id: "b" } })).toMatchObject({ userId: "b" });
    expect(await acting({ message: { user_id: "c" } })).toMatchObject({ userId: "c" });
    expect(await acting({}, { user_id: "d" })).toMatchObject({ userId: "d" });
    expect(((await acting({})) as { userId?: string }).userId).toBeUndefined();
  });
  test("the call of a user acts as the user of the token, whatever user the body names", async () => {
    const answer = await h.call("ann", "POST", "/users", { user_id: "bob", user: { id: "bob" } });
    expect(answer.json.caller).toMatchObject({ kind: "user", userId: "ann" });
  });
});
