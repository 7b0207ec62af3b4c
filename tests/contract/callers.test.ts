/** What every route answers to banned, deleted, anonymous and unprivileged callers, for closed channels and for unknown ids. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import { FOR_READERS, FOR_EVERYBODY, NAMES_NOTHING, READING_POSTS, THOUGH_DISABLED } from "./callers.ts";
import { fieldsOf } from "./fields.ts";
import { fill, STATUS, type Case } from "./case.ts";
import { cases } from "./cases.ts";
import { realtimeRoutes } from "./realtime-routes.ts";
import { hosted, World, type Answer, type RequestInput, type Json, type Room, type Caller } from "./world.ts";

const routes = readFileSync(path.join(import.meta.dirname, "routes.txt"), "utf8")
  .trim()
  .split("\n")
  .filter((route) => route !== "GET /hi" && !realtimeRoutes.includes(route));
const rows = new Map(
  Object.values<EndpointRow>(endpoints).map((row): [string, EndpointRow] => [
    `${row.method} ${row.path}`,
    row,
  ]),
);
const forUsers = routes.filter((route) => !rows.get(route)?.serverOnly);
const reads = (route: string): boolean => route.startsWith("GET ") || READING_POSTS.includes(route);

let world: World;
let room: Room;
let deleted: Caller;
beforeAll(async () => {
  world = await World.start();
  room = await world.room();
  deleted = await account("deleted");
  await world.ok("server", "DELETE", `/users/${deleted}`);
});
afterAll(() => world.stop());

/** Creates a user for this run only: a hosted provider still has those of earlier runs. */
async function account(name: string, more: Record<string, unknown> = {}): Promise<`own-${string}`> {
  const id = `own-${name}${world.run && `-${world.run.slice(0, -1)}`}` as const;
  await world.ok("server", "POST", "/users", { body: { users: { [id]: { id, ...more } } } });
  return id;
}

/** Calls the route with the ids of the shared room and an empty body: enough where the caller is refused before the input is read. */
function callWithoutInput(who: Caller, route: string): Promise<Answer> {
  const { method, path: at } = fill(route, room, { name: "tea", option_id: "green", target_id: "ada" });
  return world.call(who, method, at, /^(GET|DELETE)/.test(method) ? {} : { body: {} });
}

/** Repeats the route's successful request as another caller, with another path, or after something else happened. */
async function repeatAs(
  row: Case,
  change: {
    as?: Caller;
    path?: (room: Room) => Record<string, string>;
    before?: (room: Room) => Promise<unknown>;
    extra?: object;
  } = {},
): Promise<Answer> {
  const own = await world.room();
  own.extra = (await row.prepare?.(own)) ?? {};
  const { method, path: at } = fill(row.route, own, { ...row.path?.(own), ...change.path?.(own) });
  const asked: RequestInput = { ...row.input?.(own) };
  await change.before?.(own);
  if (change.as && asked.query?.user_id) asked.query = { ...asked.query, user_id: change.as };
  if (change.extra) {
    asked.query = { ...asked.query, ...change.extra };
    if (asked.body !== undefined) asked.body = { ...asked.body, ...change.extra };
  }
  return world.call(change.as ?? row.as, method, at, asked);
}

const successOf = (route: string): Case =>
  cases.find(
    (row) =>
      row.route === route && row.code === undefined && row.as !== "server" && !/pending/.test(row.name),
  ) ?? cases.find((row) => row.route === route && row.code === undefined)!;

/** Cases that only the embedded provider must meet are skipped for a hosted one. */
const asked = (route: string): boolean => !(hosted && successOf(route).embeddedOnly);

const describeAnswer = ({ status, json }: Answer): string =>
  `${status} ${JSON.stringify(json).slice(0, 300)}`;
const expectRefusal = (answer: Answer, code: number): void =>
  expect([answer.status, answer.json.code], describeAnswer(answer)).toEqual([STATUS[code], code]);

describe("every route refuses a deleted or deactivated user with code 5 and the reason", () => {
  let deactivated: Caller;
  beforeAll(async () => {
    deactivated = await account("deactivated");
    await world.ok("server", "POST", `/users/${deactivated}/deactivate`, { body: {} });
  });
  test.each(routes)("%s", async (route) => {
    const one = await callWithoutInput(deleted, route);
    expectRefusal(one, 5);
    expect(one.json.message).toContain("was deleted");
    const other = await callWithoutInput(deactivated, route);
    expectRefusal(other, 5);
    expect(other.json.message).toContain("is deactivated");
  });
});

describe("a user banned from the app may only read (specification/moderation.md §2)", () => {
  let banned: `own-${string}`;
  beforeAll(async () => {
    banned = await account("banned");
    await world.ok("server", "POST", `/channels/${room.type}/${room.id}`, {
      body: { add_members: [banned] },
    });
    await world.ok("server", "POST", "/moderation/ban", {
      body: { target_user_id: banned, banned_by_id: "mod" },
    });
  });
  test.each(forUsers.filter((route) => !reads(route)))("%s is refused with code 17", async (route) => {
    expectRefusal(await callWithoutInput(banned, route), 17);
  });
  // The query of a channel may create it; the last test covers that.
  const onlyReads = forUsers.filter((route) => reads(route) && !/^POST .*\{type\}.*\/query$/.test(route));
  test.each(onlyReads)("%s is not refused because of the ban", async (route) => {
    const row = successOf(route);
    const answer = await repeatAs(row, {
      as: banned,
      before: (own) =>
        world.ok("server", "POST", `/channels/${own.type}/${own.id}`, { body: { add_members: [banned] } }),
    });
    expect(answer.status, describeAnswer(answer)).toBeLessThan(500);
    expect(answer.json.message ?? "").not.toContain("banned");
  });
  test("opening an existing channel is allowed, and creating one is refused", async () => {
    const opened = await world.call(banned, "POST", `${room.route}/query`, { body: {} });
    expect(opened.status, describeAnswer(opened)).toBe(201);
    expectRefusal(await world.call(banned, "POST", `${room.route}-new/query`, { body: {} }), 17);
    const pair = { body: { data: { members: ["ada", banned] } } };
    expectRefusal(await world.call(banned, "POST", "/channels/messaging/query", pair), 17);
    await world.ok("ada", "POST", "/channels/messaging/query", pair);
    const found = await world.call(banned, "POST", "/channels/messaging/query", pair);
    expect(found.status, describeAnswer(found)).toBe(201);
  });
});

describe("an anonymous session may not write (specification/auth.md §6)", () => {
  const enable = (on: boolean) => () =>
    world.ok("server", "PATCH", "/app", { body: { anonymous_users_enabled: on } });
  beforeAll(enable(true));
  afterAll(enable(false));
  test.each(routes.filter((route) => !reads(route) && route !== "POST /guest"))(
    "%s is refused with code 17",
    async (route) => {
      expectRefusal(await callWithoutInput("anonymous", route), 17);
    },
  );
  test.each(forUsers.filter(reads))("%s is answered or refused, without an internal error", async (route) => {
    const answer = await repeatAs(successOf(route), { as: "anonymous" });
    expect(answer.status, describeAnswer(answer)).toBeLessThan(500);
    if (answer.status >= 400) expect([4, 16, 17, 70]).toContain(answer.json.code);
  });
  test("an anonymous session reads public channels and creates none", async () => {
    const id = `anon-${world.run}tea`;
    await world.ok("ada", "POST", `/channels/livestream/${id}/query`, { body: {} });
    const seen = await world.call("anonymous", "POST", `/channels/livestream/${id}/query`, { body: {} });
    expect(seen.status, describeAnswer(seen)).toBe(201);
    expectRefusal(
      await world.call("anonymous", "POST", `/channels/livestream/${id}-new/query`, { body: {} }),
      17,
    );
    expectRefusal(await world.call("anonymous", "POST", `${room.route}/query`, { body: {} }), 17);
  });
});

describe("a role without permissions", () => {
  let mute: Caller;
  beforeAll(async () => {
    const role = `mute-${world.run}role`;
    await world.ok("server", "POST", "/roles", { body: { name: role } });
    mute = await account("mute", { role });
  });
  test.each(forUsers.filter((route) => !FOR_EVERYBODY[route]))(
    "%s is refused with code 17",
    async (route) => {
      expectRefusal(await repeatAs(successOf(route), { as: mute }), 17);
    },
  );
  test.each(Object.entries(FOR_EVERYBODY))("%s refuses no role: %s", async (route) => {
    const answer = await repeatAs(successOf(route), { as: mute });
    expect(answer.status, describeAnswer(answer)).toBeLessThan(500);
    expect(answer.json.code, describeAnswer(answer)).not.toBe(17);
  });
});

/** A server that sends a message for an unknown user creates that user. */
const MAKES_ITS_AUTHOR = "POST /channels/{type}/{id}/message";

describe("a server must name an acting user that exists (specification/auth.md §10)", () => {
  const others = ["POST /channels/{type}/{id}/stop-watching", "PATCH /channels/{type}/{id}/member"];
  test.each(forUsers.filter((route) => !others.includes(route) && asked(route)))("%s", async (route) => {
    const row = successOf(route);
    const unnamed = await repeatAs(row, { as: "server" });
    // The request succeeds without an acting user: a read, or a change that needs no author.
    if (unnamed.status < 300) return;
    expectRefusal(unnamed, 4);
    const [field] = Object.keys(unnamed.json.exception_fields);
    expect(field).toMatch(/(^|\.)(user_id|created_by_id)$/);
    if (field!.startsWith("preferences.")) return;
    const nobody = route === MAKES_ITS_AUTHOR ? [] : ["nobody-at-all"];
    for (const id of [...nobody, deleted]) {
      const answer = await repeatAs(row, { as: "server", extra: { user_id: id } });
      expectRefusal(answer, 16);
      expect(answer.json.message).toContain(id);
    }
  });
});

const inChannel = /\{type\}\/\{id\}|\/messages\/|\/threads\//;

describe("existence is checked before permission, and permission before input (specification/errors.md §2)", () => {
  const wrong = (route: string): Json => Object.fromEntries(fieldsOf(route).map(({ path }) => [path[0], 7]));
  const inBody = forUsers.filter(
    (route) => inChannel.test(route) && fieldsOf(route)[0]?.part === "body" && !route.endsWith("/action"),
  );
  const spoil = (route: string) => ({ body: wrong(route) });
  test.each(inBody)("%s", async (route) => {
    const { method, path: at } = fill(route, room, { user_id: "bob" });
    expectRefusal(await world.call("dan", method, at, spoil(route)), 17);
    const none = { id: "none", message_id: "none", parent_id: "none", user_id: "bob" };
    if (NAMES_NOTHING[`${route}: id`]) return;
    expectRefusal(await world.call("dan", method, fill(route, room, none).path, spoil(route)), 16);
  });

  describe("a user who may only read", () => {
    let reader: Caller;
    beforeAll(async () => {
      const role = `reader-${world.run}role`;
      await world.ok("server", "POST", "/roles", { body: { name: role } });
      await world.ok("server", "PUT", "/channeltypes/messaging", {
        body: { grants: { [role]: ["read-channel"] } },
      });
      reader = await account("reader", { role });
    });
    test.each(inBody.filter((route) => !reads(route) && !FOR_READERS[route]))(
      "%s is refused with code 17",
      async (route) => {
        const { method, path: at } = fill(route, room, { user_id: "bob" });
        expectRefusal(await world.call(reader, method, at, spoil(route)), 17);
      },
    );
  });
});

describe("a disabled channel is closed to users (specification/channels.md §7)", () => {
  test.each(forUsers.filter((route) => inChannel.test(route) && !THOUGH_DISABLED[route]))(
    "%s is refused with code 17",
    async (route) => {
      const row = successOf(route);
      const before = (own: Room): Promise<unknown> =>
        world.ok("server", "PATCH", own.route, { body: { set: { disabled: true }, user_id: "ada" } });
      const there = row.route.endsWith("/query") ? (own: Room) => ({ id: own.id }) : undefined;
      expectRefusal(await repeatAs(row, { before, ...(there ? { path: there } : {}) }), 17);
    },
  );
});

describe("a colon in a channel's type or id is refused with code 4 and a message (specification/wire.md §8)", () => {
  test.each(forUsers.filter((route) => route.includes("{type}/{id}")))("%s", async (route) => {
    const type = await repeatAs(successOf(route), { path: () => ({ type: "a:b" }) });
    expectRefusal(type, 4);
    expect(type.json.message).toContain("Invalid channel type a:b, it may not contain a colon");
    expect(Object.keys(type.json.exception_fields)).toEqual(["type"]);
    const id = await repeatAs(successOf(route), { path: () => ({ id: "c:d" }) });
    expectRefusal(id, 4);
    expect(id.json.message).toContain("Invalid channel id c:d, it may not contain a colon");
    expect(Object.keys(id.json.exception_fields)).toEqual(["id"]);
  });
});

describe("an unknown id in the path is refused with code 16 and a message that contains it", () => {
  const pairs = routes.flatMap((route) =>
    [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => [route, name!] as const),
  );
  test.each(pairs.filter(([route, name]) => !NAMES_NOTHING[`${route}: ${name}`]))(
    "%s: %s",
    async (route, name) => {
      const answer = await repeatAs(successOf(route), { path: () => ({ [name]: "names-nothing" }) });
      expectRefusal(answer, 16);
      expect(answer.json.message).toContain("names-nothing");
    },
  );
});

describe("an unknown key is ignored (specification/wire.md §12)", () => {
  test.each(routes.filter((route) => asked(route)))("%s", async (route) => {
    const answer = await repeatAs(successOf(route), { extra: { surprise: "tea" } });
    expect(answer.status, describeAnswer(answer)).toBeLessThan(300);
  });
});

test("a refused upload is answered before its body has arrived, and the connection stays usable", async () => {
  const { hostname, port, host } = new URL(world.address.url);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => (received += text));
  const answered = async (status: number): Promise<void> => {
    while (!received.includes(`HTTP/1.1 ${status} `)) await once(socket, "data");
  };
  const head = (line: string): string => `${line} HTTP/1.1\r\nHost: ${host}\r\n`;
  socket.write(
    `${head(`POST /uploads/file?api_key=${world.address.apiKey}`)}Content-Type: multipart/form-data; boundary=tea\r\nContent-Length: 1000\r\n\r\n`,
  );
  await answered(401);
  socket.write("x".repeat(1000));
  socket.write(`${head("GET /hi")}\r\n`);
  await answered(200);
  socket.destroy();
});
