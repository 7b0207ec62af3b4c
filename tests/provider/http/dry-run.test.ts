/** Dry runs at the provider: answered, undone, and based on calls that travel along (specification/embedded-provider.md §6). */
import http from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { settle, World, type Json, type TestSocket } from "../../contract/world.ts";

let world: World;
let ada: TestSocket;
beforeAll(async () => {
  world = await World.start();
  ada = await world.connect("ada");
});
afterAll(() => world.stop());

const DRY = { headers: { "X-Dry-Run": "1" } };
const AFTER = { headers: { "X-Dry-Run": "after" } };

/** A call that travels along with a dry run. */
const before = (who: "ada" | "server", method: string, url: string, body: object) => ({
  method,
  url: `${url}?api_key=${world.address.apiKey}`,
  headers: { "Stream-Auth-Type": "jwt", Authorization: world.token(who)! },
  body: JSON.stringify(body),
});

test("a message may use the poll that would be created before it, and neither is there afterwards", async () => {
  const room = await world.room();
  const body = JSON.stringify({ message: { text: "vote", poll_id: "dry-poll" } });
  const alone = await world.call("ada", "POST", `${room.route}/message`, { ...AFTER, body: { body } });
  expect([alone.status, alone.json.code]).toEqual([400, 4]);
  const poll = before("ada", "POST", "/polls", {
    id: "dry-poll",
    name: "Lunch?",
    options: [{ text: "Soup" }],
  });
  const both = await world.call("ada", "POST", `${room.route}/message`, {
    ...AFTER,
    body: { before: [poll], body },
  });
  expect([both.status, both.json.message?.poll?.name]).toEqual([201, "Lunch?"]);
  expect((await world.call("ada", "GET", "/polls/dry-poll")).status).toBe(404);
  expect((await world.call("ada", "GET", `/messages/${both.json.message.id}`)).status).toBe(404);
});

test("calls before count by the work that they are, however busy the machine is", async () => {
  const room = await world.room();
  const poll = (id: string) => before("ada", "POST", "/polls", { id, name: id, options: [{ text: "Soup" }] });
  // Between any two moments another program had the processor for a second.
  let elapsed = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (elapsed += 1000));
  try {
    const body = JSON.stringify({ message: { text: "vote", poll_id: "dry-3" } });
    const all = { before: [poll("dry-1"), poll("dry-2"), poll("dry-3")], body };
    const answer = await world.call("ada", "POST", `${room.route}/message`, { ...AFTER, body: all });
    expect([answer.status, answer.json.message?.poll?.name]).toEqual([201, "dry-3"]);
  } finally {
    clock.mockRestore();
  }
});

test("a call before that is refused is left out, with all that it did", async () => {
  const room = await world.room();
  const refused = [
    before("ada", "POST", "/roles", { name: "cook" }),
    before("ada", "DELETE", `/messages/${room.message}x`, {}),
    { ...before("ada", "POST", "/polls", {}), body: "{" },
  ];
  const body = JSON.stringify({ message: { text: "hi" } });
  const answer = await world.call("ada", "POST", `${room.route}/message`, {
    ...AFTER,
    body: { before: refused, body },
  });
  expect(answer.status).toBe(201);
});

test("what a dry run is based on has its form and its limits", async () => {
  const call = before("ada", "POST", "/polls", { name: "x" });
  const tooMany = Array.from({ length: 21 }, () => call);
  for (const wrong of [
    { before: 1 },
    { before: [1] },
    { before: [{ ...call, headers: 1 }] },
    { before: tooMany },
    { body: {} },
  ])
    expect([wrong, (await world.call("ada", "POST", "/polls", { ...AFTER, body: wrong })).json.code]).toEqual(
      [wrong, 4],
    );
  const other = await world.call("ada", "POST", "/polls", {
    body: { name: "x" },
    headers: { "X-Dry-Run": "yes" },
  });
  expect([other.status, other.json.code]).toEqual([400, 4]);
});

test("a dry run among real calls of the same turn undoes itself alone", async () => {
  const room = await world.room();
  const send = (text: string, more: object = {}): Promise<{ json: Json }> =>
    world.call("ada", "POST", `${room.route}/message`, { body: { message: { text } }, ...more });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => send(`${n}`, n % 3 === 1 ? DRY : {})),
  );
  const { messages } = await world.ok("ada", "POST", `${room.route}/query`, { body: { state: true } });
  const stored = new Set(messages.map(({ id }: Json) => id));
  expect(answers.map(({ json }) => stored.has(json.message.id))).toEqual(
    Array.from({ length: 12 }, (_, n) => n % 3 !== 1),
  );
});

test("a dry run reaches no connection and watches nothing", async () => {
  const room = await world.room();
  const query = { connection_id: ada.id };
  await world.ok("ada", "POST", `${room.route}/query`, {
    ...DRY,
    query,
    body: { watch: true, presence: true },
  });
  await settle({ ada });
  const heard = ada.events().length;
  await world.ok("bob", "POST", `${room.route}/message`, { body: { message: { text: "unheard" } } });
  await settle({ ada });
  const watching = ada
    .events()
    .slice(heard)
    .filter(({ type }) => type === "message.new");
  expect(watching).toEqual([]);
  await world.ok("ada", "POST", `${room.route}/query`, { query, body: { watch: true } });
  await settle({ ada });
  const count = ada.events().length;
  for (const [method, at, body] of [
    ["POST", `${room.route}/message`, { message: { text: "dry" } }],
    ["POST", `${room.route}/truncate`, {}],
    ["DELETE", `/messages/${room.message}`, undefined],
    ["DELETE", room.route, undefined],
  ] as const)
    expect((await world.call("ada", method, at, { ...DRY, ...(body && { body }) })).status).toBeLessThan(300);
  await settle({ ada });
  expect(ada.events().length).toBe(count);
  expect((await world.ok("ada", "GET", `/messages/${room.message}`)).message.type).toBe("regular");
});

test("a message of slow mode that was only tried delays no real one", async () => {
  const room = await world.room();
  await world.ok("mod", "PATCH", `${room.route}`, { body: { set: { cooldown: 60 } } });
  const say = (more: object): Promise<number> =>
    world
      .call("bob", "POST", `${room.route}/message`, { body: { message: { text: "slow" } }, ...more })
      .then(({ json }) => json.code);
  expect([await say(DRY), await say(DRY), await say({}), await say(DRY), await say({})]).toEqual([
    undefined,
    undefined,
    undefined,
    60,
    60,
  ]);
});

test("a dry run counts in no rate limit, and takes no answer of an idempotency key", async () => {
  const body = { name: "Once?", options: [{ text: "Yes" }] };
  const headers = { "Idempotency-Key": "dry-once" };
  const remaining = async (more: Record<string, string>): Promise<[string | null, Json]> => {
    const response = await fetch(world.url("/polls"), {
      method: "POST",
      headers: {
        "stream-auth-type": "jwt",
        Authorization: world.token("ada")!,
        "content-type": "application/json",
        ...more,
      },
      body: JSON.stringify(body),
    });
    return [response.headers.get("x-ratelimit-remaining"), await response.json()];
  };
  const [left] = await remaining({ ...headers, ...DRY.headers });
  const [still, tried] = await remaining({ ...headers, ...DRY.headers });
  expect(still).toBe(left);
  const [, real] = await remaining(headers);
  expect(real.poll.id).not.toBe(tried.poll.id);
  const [, again] = await remaining({ ...headers, ...DRY.headers });
  expect(again.poll.id).toBe(real.poll.id);
});

test("an upload is checked by the size and type that are announced", async () => {
  const room = await world.room();
  const upload = (file: object, kind = "file"): Promise<Json> =>
    world
      .call("ada", "POST", `${room.route}/${kind}`, { ...AFTER, body: { body: JSON.stringify(file) } })
      .then(({ json }) => [json.code, typeof json.file]);
  expect(await upload({ name: "a.txt", size: 3 })).toEqual([undefined, "string"]);
  expect(await upload({ name: "a.txt", size: 101 * 1024 * 1024 })).toEqual([22, "undefined"]);
  expect(await upload({ name: "a.txt", mime_type: "text/plain", size: 3 }, "image")).toEqual([
    4,
    "undefined",
  ]);
  expect(await upload({})).toEqual([4, "undefined"]);
});

test("a task that would be started is answered as it would end", async () => {
  const room = await world.room();
  const body = {
    operation: "addMembers",
    filter: { cids: { $in: [room.cid, "messaging:nowhere"] } },
    members: [{ user_id: "dan" }],
  };
  const { json } = await world.call("server", "PUT", "/channels/batch", { ...DRY, body });
  expect(json.task).toMatchObject({
    status: "completed",
    result: { success_channels_count: 1, failed_channels: [{ cids: ["messaging:nowhere"] }] },
  });
  expect((await world.call("server", "GET", `/tasks/${json.task_id}`)).status).toBe(404);
  const { members } = await world.ok("ada", "GET", "/members", {
    query: { payload: { type: room.type, id: room.id, filter_conditions: {} } },
  });
  expect(members.map(({ user_id }: Json) => user_id)).not.toContain("dan");
});

test("only a dry run may expect to be one; anything else that is expected is refused with 417", async () => {
  const ask = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const request = http.request(
        world.url("/polls"),
        {
          method: "POST",
          headers: {
            "stream-auth-type": "jwt",
            Authorization: world.token("ada")!,
            "content-type": "application/json",
            ...headers,
          },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode!);
        },
      );
      request.on("error", reject);
      request.end('{"name":"Expected?","options":[]}');
    });
  expect(await ask({ Expect: "dry-run", "X-Dry-Run": "1" })).toBe(201);
  expect(await ask({ Expect: "dry-run" })).toBe(417);
  expect(await ask({ Expect: "more", "X-Dry-Run": "1" })).toBe(417);
});
