/** How a channel's blocklist treats texts (specification/moderation.md §6, specification/admin.md §5). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { MESSAGE } from "./entities.ts";
import { differences } from "./shape.ts";
import { World, type Json, type Room } from "./world.ts";

let world: World;
let room: Room;
let made = 0;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** A room whose channel uses a blocklist of these words. */
async function useBlocklist(behavior: string, words: string[], type = "word"): Promise<string> {
  room = await world.room();
  const name = `${world.run}list-${++made}`;
  await world.ok("server", "POST", "/blocklists", { body: { name, words, type } });
  await world.ok("server", "PATCH", room.route, {
    body: { user_id: "ada", set: { config_overrides: { blocklist: name, blocklist_behavior: behavior } } },
  });
  return name;
}
const send = (text: string, more: Json = {}) =>
  world.call("bob", "POST", `${room.route}/message`, { body: { message: { text }, ...more } });

test("block refuses whole words, in any letter case, with code 73 and the field", async () => {
  await useBlocklist("block", ["darn"]);
  const refused = await send("oh DARN-it!");
  expect(refused.status).toBe(400);
  expect(refused.json).toMatchObject({ code: 73, exception_fields: { "message.text": expect.any(String) } });
  const fine = await send("darning socks");
  expect(fine.status).toBe(201);
  expect(differences(fine.json.message, MESSAGE)).toEqual([]);
  expect(fine.json.message).toMatchObject({ type: "regular", shadowed: false });
  const { messages } = await world.ok("ada", "POST", `${room.route}/query`, { body: { state: true } });
  expect(messages.map(({ text }: Json) => text)).toEqual(["tea?", "darning socks"]);
});

test("block refuses a new text in each kind of message update", async () => {
  await useBlocklist("block", ["d[a4]rn+"], "regex");
  for (const [method, route, body] of [
    ["POST", `/messages/${room.message}`, { message: { text: "d4rnnn" } }],
    ["PUT", `/messages/${room.message}`, { set: { text: "d4rnnn" } }],
    ["PATCH", `/messages/${room.message}/ephemeral`, { set: { text: "d4rnnn" } }],
  ] as const) {
    const { json } = await world.call("ada", method, route, { body });
    expect([method, json.code]).toEqual([method, 73]);
  }
  const { message } = await world.ok("ada", "GET", `/messages/${room.message}`);
  expect(message.text).toBe("tea?");
});

test("lists of domains and mail addresses match links and addresses", async () => {
  await useBlocklist("block", ["bad.example"], "domain");
  expect((await send("see https://www.bad.example/x")).json.code).toBe(73);
  expect((await send("see https://good.example/x")).status).toBe(201);
  await useBlocklist("block", ["@good.example"], "email_allowlist");
  expect((await send("write to eve@other.example")).json.code).toBe(73);
  expect((await send("write to eve@good.example")).status).toBe(201);
});

test("flag stores the message for all and creates a flag without a user", async () => {
  const list = await useBlocklist("flag", ["darn"]);
  const { json } = await send("darn");
  expect(json.message.shadowed).toBe(false);
  const { flags } = await world.ok("mod", "GET", "/moderation/flags/message", {
    query: { payload: { filter_conditions: { channel_cid: room.cid } } },
  });
  expect(flags).toMatchObject([
    { created_by_automod: true, message: { id: json.message.id }, reason: `blocklist ${list}` },
  ]);
  expect(flags[0]).not.toHaveProperty("user");
});

test("shadow_block stores the message for its author only", async () => {
  await useBlocklist("shadow_block", ["darn"]);
  const { json } = await send("darn");
  expect(json.message).toMatchObject({ type: "regular", shadowed: true });
  expect((await world.call("ada", "GET", `/messages/${json.message.id}`)).status).toBe(404);
  expect((await world.call("bob", "GET", `/messages/${json.message.id}`)).status).toBe(200);
});

test("a user with the permission may skip moderation, and so may a server unless it forces moderation", async () => {
  await useBlocklist("block", ["darn"]);
  expect(
    (await world.call("mod", "POST", `${room.route}/message`, { body: { message: { text: "darn" } } }))
      .status,
  ).toBe(201);
  const asBob = { message: { text: "darn", user_id: "bob" } };
  expect((await world.call("server", "POST", `${room.route}/message`, { body: asBob })).status).toBe(201);
  const forced = await world.call("server", "POST", `${room.route}/message`, {
    body: { ...asBob, force_moderation: true },
  });
  expect(forced.json.code).toBe(73);
});

test.each(["d(?=arn)", "(?<!x)darn", "(d)arn\\1", "d{5000}", "d[arn"])(
  "the pattern %s, which cannot work, is refused with its place in the list",
  async (pattern) => {
    const name = await useBlocklist("block", ["darn"], "regex");
    for (const [method, route, body] of [
      ["POST", "/blocklists", { name: `${name}x`, words: ["fine", pattern], type: "regex" }],
      ["PUT", `/blocklists/${name}`, { words: ["fine", pattern] }],
    ] as const) {
      const { status, json } = await world.call("server", method, route, { body });
      expect([status, json.code, Object.keys(json.exception_fields ?? {})]).toEqual([400, 4, ["words.1"]]);
    }
  },
);

test("pattern syntax of the documented engine is accepted, although JavaScript does not support it", async () => {
  await useBlocklist("block", ["(?i)d\\-rn", "(?P<n>d)uh\\z"], "regex");
  expect((await send("oh D-RN it")).json.code).toBe(73);
  expect((await send("duh")).json.code).toBe(73);
});
