/** The contract of every route: each row is sent over a real socket by a plain client and its answer is compared with the protocol. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import { FOR_EVERYBODY, NAMES_NOTHING, NO_INPUT } from "./callers.ts";
import { cases } from "./cases.ts";
import { WRITTEN } from "./fields.ts";
import { realtimeRoutes } from "./realtime-routes.ts";
import { fill, STATUS, type Case } from "./case.ts";
import { differences } from "./shape.ts";
import { spread } from "../support/proof.ts";
import {
  EmbeddedOnly,
  World,
  hosted,
  type Answer,
  type RequestInput,
  type Room,
  type Caller,
} from "./world.ts";

const written = readFileSync(path.join(import.meta.dirname, "routes.txt"), "utf8")
  .trim()
  .split("\n");
const implemented = Object.values(endpoints).map(({ method, path: at }) => `${method} ${at}`);

let world: World;
/** Room for refused requests that need no preparation: they change nothing in it. */
let shared: Promise<Room> | undefined;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** specification/errors.md §1, §6: every refusal is the JSON error body, with `unrecoverable` where repeating cannot help. */
function expectRefusal(answer: Answer, code: number, status = STATUS[code]!): void {
  const { json } = answer;
  expect([answer.status, json.code], JSON.stringify(json)).toEqual([status, code]);
  expect(answer.contentType).toMatch(/^application\/json/);
  expect(
    differences(json, {
      code: "number",
      message: "text",
      StatusCode: "count",
      duration: "duration",
      more_info: "text",
      "details?": ["number"],
      "exception_fields?": { map: "text" },
      "unrecoverable?": { oneOf: [true] },
    }),
  ).toEqual([]);
  expect(json.StatusCode).toBe(status);
  expect(json.message).toMatch(/^\w+ failed with error: "[^]+"$/);
  expect(json.unrecoverable).toBe([400, 403, 404, 413].includes(status) ? true : undefined);
}

/** Rows that only the embedded provider must meet (`embeddedOnly`), and rows that move its clock, are skipped for a hosted one. */
async function check(row: Case, skip: (note: string) => void): Promise<void> {
  if (hosted && row.embeddedOnly) return skip("a choice of the embedded provider");
  try {
    await hold(row);
  } catch (error) {
    if (!(error instanceof EmbeddedOnly)) throw error;
    skip(error.message);
  }
}

async function hold(row: Case): Promise<void> {
  const room = row.code === undefined || row.prepare ? await world.room() : await (shared ??= world.room());
  room.extra = (await row.prepare?.(room)) ?? {};
  const { method, path: at } = fill(row.route, room, row.path?.(room));
  const answer = await world.call(row.as, method, at, row.input?.(room) ?? {});
  if (row.code !== undefined) {
    expectRefusal(answer, row.code, row.status);
    if (row.field !== undefined) expect(Object.keys(answer.json.exception_fields ?? {})).toContain(row.field);
    if (row.messagePart !== undefined) expect(answer.json.message).toContain(row.messagePart);
    return;
  }
  expect(answer.status, JSON.stringify(answer.json)).toBe(method === "POST" ? 201 : 200);
  expect(differences(answer.json, { duration: "duration", ...row.reply! })).toEqual([]);
  if (row.values) expect(answer.json).toMatchObject(row.values(room));
}

const routes = written.filter((one) => !realtimeRoutes.includes(one));
/** The routes whose general refusals are tested; the same code checks them for every route. */
const gated = new Set(spread(routes, 20));

for (const route of routes)
  describe(route, () => {
    const rows = cases.filter((row) => row.route === route);
    for (const row of rows)
      test(`${row.as}: ${row.name} (${row.code === undefined ? "success" : `code ${row.code}${row.field ? `, ${row.field}` : ""}`})`, ({
        skip,
      }) => check(row, skip));

    if (route === "GET /hi" || !gated.has(route)) return;
    const ask = async (who: Caller, asked: RequestInput): Promise<Answer> => {
      const room = await (shared ??= world.room());
      const { method, path: at } = fill(route, room);
      return world.call(who, method, at, asked);
    };
    test("without a token it is refused with code 5", async () => expectRefusal(await ask("nobody", {}), 5));
    test("a token with another secret is refused with code 43", async () =>
      expectRefusal(await ask("forger", {}), 43));
    test("without an API key it is refused with code 2", async () =>
      expectRefusal(await ask("ada", { key: null }), 2));
    test("another API key is refused with code 2", async () =>
      expectRefusal(await ask("ada", { key: "nobody" }), 2));
    test("the user_id of another user is refused with code 5", async () =>
      expectRefusal(await ask("ada", { query: { user_id: "bob" } }), 5));
    const own = Object.values<EndpointRow>(endpoints).find((row) => `${row.method} ${row.path}` === route);
    const allowed: Caller = own?.serverOnly ? "server" : "ada";
    if (own?.serverOnly)
      test.each(["ada", "mod"] as const)(
        "the user token of %s is refused with code 17, because the route is for servers",
        async (who) => expectRefusal(await ask(who, {}), 17),
      );
    const [method] = route.split(" ");
    const multipart = /\/(file|image)$/.test(route);
    if (method !== "GET" && method !== "DELETE" && !multipart)
      test.each(["{", "[1]", '"text"', "{}{}"])(
        `the invalid body %s of ${allowed} is refused with code 4`,
        async (text) => expectRefusal(await ask(allowed, { text }), 4),
      );
    if (multipart && method === "POST")
      test("JSON instead of a form is refused with code 4", async () =>
        expectRefusal(await ask("ada", { text: "{}" }), 4));
  });

describe("the list of routes", () => {
  test("contains exactly the endpoints and /connect", () => {
    expect([...implemented, "GET /connect"].toSorted()).toEqual(written.toSorted());
  });

  const asked = written.filter((route) => !realtimeRoutes.includes(route));
  const rowsOf = (route: string): Case[] => cases.filter((row) => row.route === route);
  const serverOnly = new Set(
    Object.values<EndpointRow>(endpoints).flatMap((row) =>
      row.serverOnly ? [`${row.method} ${row.path}`] : [],
    ),
  );

  test("has a successful case for every route", () => {
    expect(asked.filter((route) => !rowsOf(route).some(({ code }) => code === undefined))).toEqual([]);
    expect(cases.filter((row) => !written.includes(row.route))).toEqual([]);
  });

  test("has a case without permission for every route, except those open to every signed-in user", () => {
    // The caller tests use a role without grants on every route that is not open to everybody.
    const refuses = (route: string): boolean =>
      serverOnly.has(route) || rowsOf(route).some(({ code }) => [5, 17, 60, 70].includes(code ?? 0));
    const without = asked.filter((route) => route !== "GET /hi" && !refuses(route));
    const byRole = without.filter((route) => !FOR_EVERYBODY[route]);
    expect(byRole).toEqual([
      "GET /users",
      "POST /channels/{type}/query",
      "POST /polls",
      "POST /polls/query",
      "POST /moderation/mute",
      "POST /moderation/unflag",
    ]);
    expect(Object.keys(FOR_EVERYBODY).filter((route) => !asked.includes(route))).toEqual([]);
  });

  test("has a case with invalid input for every route, except those without input", () => {
    const wrong = (route: string): boolean =>
      WRITTEN[route] !== undefined ||
      rowsOf(route).some((row) => row.code === 4 && (row.field ?? row.messagePart));
    // The caller tests send an unknown id in the path and expect it in the message of code 16.
    const unknown = (route: string): boolean =>
      [...route.matchAll(/\{(\w+)\}/g)].some(([, name]) => !NAMES_NOTHING[`${route}: ${name}`]);
    const without = asked.filter((route) => !wrong(route) && !unknown(route));
    expect(without.toSorted()).toEqual(Object.keys(NO_INPUT).toSorted());
  });

  test("names the invalid field in every case, except those listed here", () => {
    const silent = cases.filter((row) => row.code === 4 && !row.field && !row.messagePart);
    expect(silent.map(({ route, name }) => `${route}: ${name}`)).toEqual([
      "GET /users: refuses a payload that is no object",
      ...["/channels/{type}/{id}/file", "/uploads/file", "/channels/{type}/{id}/image", "/uploads/image"].map(
        (at) => `POST ${at}: needs a multipart body`,
      ),
    ]);
  });

  test("another method on a known path is 405 with the allowed methods, and an unknown path is 404", async () => {
    const wrong = await world.call("nobody", "PUT", "/hi", { body: {} });
    expectRefusal(wrong, 16, 405);
    expect(wrong.allow).toBe("GET");
    expectRefusal(await world.call("ada", "DELETE", "/channels"), 16, 405);
    expectRefusal(await world.call("ada", "GET", "/nowhere"), 16);
    expectRefusal(await world.call("ada", "GET", "/api/v2/app"), 16);
    expect((await world.call("ada", "GET", "//app/")).status).toBe(200);
  });

  test("a body over the limit is 413", async () => {
    expectRefusal(
      await world.call("ada", "POST", "/channels", { text: `{"a":"${"x".repeat(1_100_000)}"}` }),
      22,
    );
  });
});
