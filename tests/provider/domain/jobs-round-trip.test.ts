/** Importing an export into an empty provider gives the same channels, members, messages and reactions (specification/admin.md §9, §10). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { convertExport } from "../../../src/wire/imports/convert.ts";
import { World, type Json } from "../../contract/world.ts";
import { importFile, taskEnd } from "./jobs-world.ts";

let from: World;
let to: World;
beforeAll(async () => {
  [from, to] = [await World.start(), await World.start()];
});
afterAll(async () => {
  await from.stop();
  await to.stop();
});

/** The parts that must be equal on both sides: without update times, addresses and presence. */
function comparable(value: Json): Json {
  const omitted = new Set([
    "updated_at",
    "online",
    "last_active",
    "last_read_message_id",
    "config",
    "duration",
  ]);
  return JSON.parse(JSON.stringify(value, (key, part: unknown) => (omitted.has(key) ? undefined : part)));
}

async function stateOf(world: World, route: string): Promise<Json> {
  const state = await world.ok("server", "GET", route, { query: { messages_limit: 300 } });
  const messages = await Promise.all(
    state.messages.map(async (message: Json) => ({
      ...message,
      replies: (await world.ok("server", "GET", `/messages/${message.id}/replies`)).messages,
      reactions: (await world.ok("server", "GET", `/messages/${message.id}/reactions`)).reactions,
    })),
  );
  const { channel, members, read } = state;
  return comparable({ channel, members, read, messages });
}

async function fill(world: World): Promise<string[]> {
  const room = await world.room({ name: "Kitchen", colour: "green", floor: { number: 3 } });
  await world.ok("bob", "POST", `/messages/${room.message}/reaction`, {
    body: { reaction: { type: "love", score: 3, mood: "warm" } },
  });
  await world.ok("cyd", "POST", `/messages/${room.message}/reaction`, {
    body: { reaction: { type: "wow" } },
  });
  const parent = await world.say("bob", room.route, {
    text: "see this @ADA",
    mentioned_users: ["ada"],
    attachments: [{ type: "link", title: "tea", og_scrape_url: "https://tea.example" }],
    promo: { deep: [1, 2] },
  });
  await world.say("ada", room.route, { text: "in a thread", parent_id: parent });
  await world.say("cyd", room.route, { text: "shown too", parent_id: parent, show_in_channel: true });
  await world.say("cyd", room.route, { text: "as you said", quoted_message_id: parent });
  const omitted = await world.say("ada", room.route, { text: "wrong" });
  await world.ok("ada", "DELETE", `/messages/${omitted}`);
  await world.ok("ada", "POST", `${room.route}/read`, { body: {} });
  const distinct = await world.ok("ada", "POST", "/channels/messaging/query", {
    body: { data: { members: ["ada", "dan"] } },
  });
  const second = `/channels/messaging/${distinct.channel.id}`;
  await world.say("dan", second, { text: "just us" });
  return [room.route, second];
}

for (const version of ["v2", "v1"] as const)
  test(`${version}: channels, members, messages, replies, reactions and what was read come out the same`, async () => {
    const routes = await fill(from);
    const channels = routes.map((route) => ({ type: "messaging", id: route.split("/")[3]! }));
    const exported = await from.ok("server", "POST", "/export_channels", {
      body: { channels, version, export_users: true },
    });
    const task = await taskEnd(from, exported.task_id);
    expect(task.status, JSON.stringify(task)).toBe("completed");
    const text = await (await fetch(task.result.url)).text();
    const values: unknown[] =
      version === "v1"
        ? (JSON.parse(text) as unknown[])
        : text
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as unknown);
    const items: unknown[] = [];
    const skipped: string[] = [];
    const read = async function* (): AsyncIterable<unknown> {
      yield* values;
    };
    for await (const item of convertExport(read, (what) => skipped.push(what))) items.push(item);
    expect(skipped).toEqual([]);
    const imported = await importFile(to, items.map((item) => JSON.stringify(item)).join("\n"));
    expect(imported, JSON.stringify(imported)).toMatchObject({ state: "completed", result: { errors: [] } });
    for (const route of routes) expect(await stateOf(to, route)).toEqual(await stateOf(from, route));
  });
