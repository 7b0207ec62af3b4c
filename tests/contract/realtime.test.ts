/** The contract of open connections: WebSocket and long-poll sessions, and what each refuses (specification/realtime.md §1–2, §11). */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ME } from "./entities.ts";
import { differences } from "./shape.ts";
import { jwt, World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const HELLO = {
  type: { oneOf: ["health.check"] },
  connection_id: "text",
  created_at: "date",
  me: ME,
} as const;

/** Checks a refused connection: one error frame, then a close with the code for a policy violation. */
async function refused(
  payload: unknown,
  more: Record<string, string>,
  key?: string | null,
): Promise<[number, number, number]> {
  const line = key === undefined ? world.dial(payload, more) : world.dial(payload, more, key);
  const closed = await line.until(() => line.closed);
  expect(line.frames).toHaveLength(1);
  const { error } = line.frames[0];
  expect(
    differences(error, {
      code: "number",
      message: "text",
      StatusCode: "count",
      duration: "duration",
      more_info: "text",
      "details?": ["number"],
      "exception_fields?": { map: "text" },
      "unrecoverable?": "flag",
    }),
  ).toEqual([]);
  return [error.code, error.StatusCode, closed];
}

describe("GET /connect", () => {
  test("empty values of a typed client in the handshake are treated as absent", async () => {
    const device = { id: "", push_provider: "", push_provider_name: null };
    const line = world.dial(
      { user_id: "", user_details: { id: "", banned: false, created_at: "0001-01-01T00:00:00Z" }, device },
      { authorization: world.token("bob")! },
    );
    await line.until(() => line.frames[0]);
    expect(line.frames[0].me).toMatchObject({ id: "bob", devices: [] });
  });

  test("an empty list in the handshake is read as an empty object, at any depth", async () => {
    for (const payload of [
      { user_details: [], device: [] },
      { user_details: { id: "bob", privacy_settings: [] } },
      { user_details: { id: "bob", privacy_settings: { typing_indicators: { enabled: true } } } },
    ]) {
      const line = world.dial(payload, { authorization: world.token("bob")! });
      await line.until(() => line.frames[0]);
      expect([payload, line.frames[0].error, line.frames[0].me?.id]).toEqual([payload, undefined, "bob"]);
    }
  });

  test("the first frame is a health check with the connection id and the current user", async () => {
    const line = world.dial(
      { user_id: "ada", user_details: { id: "ada", favourite_tea: "oolong", role: "admin" }, unknown: 1 },
      { authorization: world.token("ada")! },
    );
    await line.until(() => line.frames[0]);
    expect(differences(line.frames[0], HELLO)).toEqual([]);
    expect(line.frames[0].me).toMatchObject({
      id: "ada",
      role: "user",
      favourite_tea: "oolong",
      online: true,
      mutes: [],
      channel_mutes: [],
      devices: [],
      blocked_user_ids: [],
      latest_hidden_channels: [],
    });
  });

  test("the token may be in the payload, and a missing user is created", async () => {
    const token = jwt({ user_id: "newcomer" }, world.address.secret);
    const line = world.dial({ user_id: "newcomer", user_token: token }, {});
    await line.until(() => line.frames[0]);
    expect(line.frames[0]).toMatchObject({ type: "health.check", me: { id: "newcomer", role: "user" } });
  });

  test("a ping is answered as an array or an object, and other text only counts as activity", async () => {
    const line = await world.connect("bob");
    for (const [n, ping] of [
      [2, '[{"type":"health.check","client_id":"bob--1"}]'],
      [3, '{"type":"health.check"}'],
    ] as const) {
      line.ws.send(ping);
      await line.until(() => line.frames.length >= n);
      expect(
        differences(line.frames[n - 1], {
          type: { oneOf: ["health.check"] },
          connection_id: "text",
          created_at: "date",
        }),
      ).toEqual([]);
    }
    line.ws.send("not JSON at all");
    line.ws.send('[{"type":"health.check"}]');
    await line.until(() => line.frames.length >= 4);
    expect(line.closed).toBeUndefined();
  });

  const ada = { user_id: "ada" };
  test.each<[string, unknown, () => Record<string, string>, number, (string | null)?]>([
    ["no token", ada, () => ({}), 5],
    ["a text that is no token", ada, () => ({ authorization: "tea" }), 5],
    ["a token of another secret", ada, () => ({ authorization: world.token("forger")! }), 43],
    [
      "a token that is over",
      ada,
      () => ({ authorization: jwt({ user_id: "ada", exp: 1 }, world.address.secret) }),
      40,
    ],
    [
      "a token of tomorrow",
      ada,
      () => ({ authorization: jwt({ user_id: "ada", nbf: 9e9 }, world.address.secret) }),
      41,
    ],
    [
      "a token issued tomorrow",
      ada,
      () => ({ authorization: jwt({ user_id: "ada", iat: 9e9 }, world.address.secret) }),
      42,
    ],
    ["the token of somebody else", { user_id: "bob" }, () => ({ authorization: world.token("ada")! }), 5],
    ["no key", ada, () => ({ authorization: world.token("ada")! }), 2, null],
    ["another key", ada, () => ({ authorization: world.token("ada")! }), 2, "wrong"],
    ["a payload that is no JSON", "{", () => ({ authorization: world.token("ada")! }), 4],
    [
      "details of somebody else",
      { user_id: "ada", user_details: { id: "bob" } },
      () => ({ authorization: world.token("ada")! }),
      5,
    ],
    [
      "a name that is no text",
      { user_id: "ada", user_details: { id: "ada", name: 7 } },
      () => ({ authorization: world.token("ada")! }),
      4,
    ],
    [
      "details that are no object",
      { user_id: "ada", user_details: "Ada" },
      () => ({ authorization: world.token("ada")! }),
      4,
    ],
    ["nobody, while that is off", { user_id: "!anon" }, () => ({ "stream-auth-type": "anonymous" }), 17],
    ["a server", ada, () => ({ authorization: world.token("server")! }), 17],
  ])("%s gets an error frame and close 1008", async (_name, payload, more, code, key) => {
    const status = { 2: 401, 4: 400, 5: 401, 17: 403, 40: 401, 41: 401, 42: 401, 43: 401 }[code];
    expect(await refused(payload, more(), key)).toEqual([code, status, 1008]);
  });

  test("another path refuses the connection", async () => {
    const line = world.dial(ada, {});
    line.ws.terminate();
    const answer = await world.call("ada", "GET", "/connect");
    expect([answer.status, answer.json.code]).toEqual([404, 16]);
  });
});

describe("GET /longpoll", () => {
  const open = (who: "ada" | "bob") =>
    world.call(who, "GET", "/longpoll", {
      query: { json: JSON.stringify({ user_id: who, user_details: { id: who } }) },
    });

  test("opens with a health check, delivers events, and ends on request", async () => {
    const opened = await open("bob");
    expect(opened.status).toBe(200);
    expect(differences(opened.json, { event: HELLO, events: ["object"], duration: "duration" })).toEqual([]);
    expect(opened.json.events).toEqual([]);
    const { connection_id } = opened.json.event;
    const room = await world.room();
    await world.ok("bob", "POST", `${room.route}/query`, { query: { connection_id }, body: { watch: true } });
    await world.say("ada", room.route, { text: "hello" });
    const polled = await world.call("bob", "GET", "/longpoll", { query: { connection_id } });
    expect(differences(polled.json, { events: ["object"], duration: "duration" })).toEqual([]);
    expect(polled.json.events.map((event: { type: string }) => event.type)).toContain("message.new");
    const closed = await world.call("bob", "GET", "/longpoll", { query: { connection_id, close: true } });
    expect([closed.status, Object.keys(closed.json)]).toEqual([200, ["duration"]]);
    const after = await world.call("bob", "GET", "/longpoll", { query: { connection_id } });
    expect([after.status, after.json.code]).toEqual([404, 16]);
  });

  test("waits for the next event, and a second poll answers the first with an empty list", async () => {
    const { connection_id } = (await open("bob")).json.event;
    const first = world.call("bob", "GET", "/longpoll", { query: { connection_id } });
    const second = new Promise<unknown>((resolve) => {
      void first.then((answer) => resolve(answer.json.events));
    });
    const held = world.call("bob", "GET", "/longpoll", { query: { connection_id } });
    expect(await second).toEqual([]);
    await world.room();
    expect((await held).json.events).toEqual([
      expect.objectContaining({ type: "notification.added_to_channel" }),
    ]);
    await world.call("bob", "GET", "/longpoll", { query: { connection_id, close: true } });
  });

  test("a session can only be used by its user", async () => {
    const { connection_id } = (await open("ada")).json.event;
    const stolen = await world.call("bob", "GET", "/longpoll", { query: { connection_id } });
    expect([stolen.status, stolen.json.code]).toEqual([404, 16]);
    await world.call("ada", "GET", "/longpoll", { query: { connection_id, close: true } });
  });

  test.each([
    ["nobody", {}, 401, 5],
    ["forger", {}, 401, 43],
    ["ada", { key: null }, 401, 2],
    ["ada", { query: { json: "{" } }, 400, 4],
    ["ada", { query: { json: '{"user_id":"bob"}' } }, 401, 5],
    ["ada", { query: { connection_id: "none" } }, 404, 16],
  ] as const)("%s with %j is refused with %i, code %i", async (who, asked, status, code) => {
    const answer = await world.call(who, "GET", "/longpoll", asked);
    expect([answer.status, answer.json.code, answer.json.StatusCode]).toEqual([status, code, status]);
  });
});
