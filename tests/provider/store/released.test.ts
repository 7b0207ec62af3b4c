/** A data folder of the released version opens with this version: all data is there and searchable. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { domainMigrations } from "../../../src/provider/domain/schema.ts";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { openDatabase } from "../../../src/provider/store/open.ts";
import { transportMigrations } from "../../../src/provider/store/transport.ts";
import { signToken } from "../../../src/wire/token.ts";
import { httpRequest } from "../tiny.ts";

let folder: string;
let provider: Provider;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-released-"));
  const db = openDatabase(path.join(folder, "provider.db"), [
    { name: "transport", migrations: transportMigrations.slice(0, 1) },
    { name: "domain", migrations: domainMigrations.slice(0, 2) },
  ]);
  db.raw.exec(readFileSync(path.join(import.meta.dirname, "released.sql"), "utf8"));
  db.run("UPDATE locations SET end_at = ? WHERE message_id = 'live'", (Date.now() + 3_600_000) * 1000);
  db.close();
  provider = createProvider({ data: folder, stay: true });
  await provider.listen();
});
afterEach(async () => {
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

// oxlint-disable-next-line typescript/no-explicit-any
type Json = Record<string, any>;
async function call(as: string, method: string, route: string, body?: object): Promise<Json> {
  const { url, apiKey, secret } = provider;
  const answer = await httpRequest(`${url}${route}${route.includes("?") ? "&" : "?"}api_key=${apiKey}`, {
    method,
    headers: {
      Authorization: signToken(as === "server" ? { server: true } : { user_id: as }, secret),
      "Content-Type": "application/json",
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (answer.status >= 300) throw new Error(`${method} ${route}: ${answer.status} ${answer.text}`);
  return JSON.parse(answer.text) as Json;
}
const ids = (list: Json[]): string[] => list.map(({ id }) => id as string);
const payload = (value: object): string => `payload=${encodeURIComponent(JSON.stringify(value))}`;
async function found(query: string, filter: object = { members: { $in: ["ann"] } }): Promise<string[]> {
  const { results } = await call("ann", "GET", `/search?${payload({ filter_conditions: filter, query })}`);
  return ids((results as Json[]).map(({ message }) => message as Json)).toSorted();
}

describe("a data folder of the first schema versions", () => {
  test("has its channels with members, messages and state, without hidden and hard-deleted ones", async () => {
    const list = async (as: string): Promise<Json[]> =>
      (await call(as, "POST", "/channels", { filter_conditions: { members: { $in: [as] } }, state: true }))
        .channels;
    const channels = await list("ann");
    expect(channels.map(({ channel }) => channel.cid).toSorted()).toEqual([
      "livestream:stage",
      "messaging:tea",
      "team:milk",
    ]);
    const tea = channels.find(({ channel }) => channel.cid === "messaging:tea")!;
    expect(tea.channel).toMatchObject({
      name: "The tea",
      colour: "green",
      member_count: 3,
      created_by: { id: "ann", name: "Ann" },
    });
    expect(tea.members.map((one: Json) => one.user_id).toSorted()).toEqual(["ann", "bob", "cat"]);
    expect(ids(tea.messages)).toEqual(["m0", "m4", "m6", "m10", "parent", "reply2", "quote", "here", "live"]);
    expect(ids(tea.pinned_messages)).toEqual(["m0"]);
    const parent = tea.messages.find((one: Json) => one.id === "parent");
    expect(parent).toMatchObject({
      reply_count: 2,
      reaction_counts: { like: 1, love: 1 },
      reaction_scores: { like: 2, love: 1 },
    });
    expect(tea.messages.find((one: Json) => one.id === "quote").quoted_message.id).toBe("parent");
    expect(tea.messages[0]).toMatchObject({ text: "kettle number0x for @bob", mood: "fine" });
    // Cat has hidden this channel.
    expect((await list("cat")).map(({ channel }) => channel.cid)).not.toContain("messaging:tea");
  });
  test("unread counts, threads and muted channels are unchanged", async () => {
    expect(await call("ann", "GET", "/unread")).toMatchObject({
      total_unread_count: 3,
      total_unread_threads_count: 1,
      channels: [{ channel_id: "team:milk", unread_count: 3 }],
    });
    expect(await call("bob", "GET", "/unread")).toMatchObject({ total_unread_count: 6 });
    const { threads } = await call("bob", "POST", "/threads", {});
    expect(threads).toHaveLength(1);
    expect(threads[0]).toMatchObject({ parent_message_id: "parent", reply_count: 2 });
    expect(ids(threads[0].latest_replies)).toEqual(["reply1", "reply2"]);
    const { channels } = await call("bob", "POST", "/channels", {
      filter_conditions: { muted: true, members: { $in: ["bob"] } },
    });
    expect(channels.map(({ channel }: Json) => channel.cid)).toEqual(["livestream:stage"]);
  });
  test("search finds every remaining text, and the index follows later changes", async () => {
    for (const n of [0, 1, 4, 7, 10]) expect([n, await found(`number${n}x`)]).toEqual([n, [`m${n}`]]);
    for (const gone of ["number2x", "number3x", "number6x", "number9x"])
      expect([gone, await found(gone)]).toEqual([gone, []]);
    expect(await found("edited6x")).toEqual(["m6"]);
    expect(await found("teapot", { cid: "messaging:tea" })).toEqual(["parent"]);
    expect(await found("kettle", { cid: "team:milk" })).toEqual(["late", "m1", "m7"]);
    await call("bob", "POST", "/messages/m1", { message: { text: "no more" } });
    await call("server", "DELETE", "/messages/m7?hard=true");
    await call("cat", "POST", "/channels/team/milk/message", { message: { id: "new", text: "new kettle" } });
    expect(await found("kettle", { cid: "team:milk" })).toEqual(["late", "new"]);
    expect(await found("more")).toEqual(["m1"]);
  });
  test("the id of a hard-deleted message cannot be used again", async () => {
    const again = { message: { id: "m3", text: "back again" } };
    await expect(call("ann", "POST", "/channels/team/milk/message", again)).rejects.toThrow("m3");
    expect(await found("again", { cid: "team:milk" })).toEqual([]);
  });

  test("polls keep votes and answers and accept new ones", async () => {
    const id = "0b1e4e8e-6a0f-4c8e-9d3e-9f5f3a1c2b11";
    const { poll } = await call("bob", "GET", `/polls/${id}?user_id=bob`);
    expect(poll).toMatchObject({ vote_count: 2, answers_count: 1, vote_counts_by_option: { yes: 1, no: 1 } });
    expect(poll.own_votes).toMatchObject([{ option_id: "yes" }]);
    await call("ann", "POST", `/messages/asked/polls/${id}/vote`, { vote: { option_id: "yes" } });
    const { message } = await call("ann", "GET", "/messages/asked");
    expect(message.poll.vote_counts_by_option).toEqual({ yes: 2, no: 1 });
    expect((await call("ann", "POST", "/polls/query", { filter: { id } })).polls).toHaveLength(1);
  });
  test("locations are unchanged, and a live one can be moved and ends in time", async () => {
    const { message } = await call("ann", "GET", "/messages/here");
    expect(message.shared_location).toMatchObject({ latitude: 52.5, longitude: 13.4, message_id: "here" });
    const live = async (): Promise<string[]> =>
      ((await call("bob", "GET", "/users/live_locations")).active_live_locations as Json[]).map(
        (one) => one.message_id,
      );
    expect(await live()).toEqual(["live"]);
    await call("bob", "PUT", "/users/live_locations", {
      message_id: "live",
      latitude: 48,
      longitude: 11,
      created_by_device_id: "d1",
    });
    provider.advance(3_700_000);
    expect(await live()).toEqual([]);
  });
  test("channel types, users and app settings have their defaults", async () => {
    const { channel_types: types } = await call("server", "GET", "/channeltypes");
    expect(Object.keys(types)).toEqual(expect.arrayContaining(["messaging", "team", "livestream"]));
    const { users } = await call("ann", "GET", `/users?${payload({ filter_conditions: { id: "bob" } })}`);
    expect(users).toMatchObject([{ id: "bob", name: "Bob", favourite: "tea", role: "user" }]);
    const { app } = await call("server", "GET", "/app");
    expect(app).toMatchObject({ guest_user_creation_disabled: true, anonymous_users_enabled: false });
  });
  test("a second start changes nothing more", async () => {
    await provider.close();
    provider = createProvider({ data: folder, stay: true });
    await provider.listen();
    expect(await found("number4x")).toEqual(["m4"]);
    const versions = provider.transact((_emit, db) =>
      db.all("SELECT name, version FROM schema_part ORDER BY name"),
    );
    expect(versions).toEqual([
      { name: "domain", version: domainMigrations.length },
      { name: "transport", version: transportMigrations.length },
    ]);
  });
});

test("dates beyond the last possible one are bounded, so that their channel can be read", async () => {
  await provider.close();
  const file = new DatabaseSync(path.join(folder, "provider.db"));
  // A folder of that version has no later table.
  file.exec(`UPDATE schema_part SET version = 22 WHERE name = 'domain'; DROP TABLE push_templates;
    UPDATE message_rows SET pinned_at = created_at, pin_expires = 253402300799000000 WHERE id = 'm4';
    UPDATE locations SET end_at = 253402300799000000 WHERE message_id = 'live'`);
  const { cid } = file.prepare("SELECT cid FROM message_rows WHERE id = 'm4'").get() as { cid: string };
  file.close();
  provider = createProvider({ data: folder, stay: true });
  await provider.listen();
  const { pinned_messages: pins } = await call("ann", "POST", `/channels/${cid.replace(":", "/")}/query`, {
    state: true,
  });
  expect((pins as Json[]).find(({ id }) => id === "m4")).toMatchObject({
    pin_expires: "2250-01-01T00:00:00.000000Z",
  });
  const { message } = await call("ann", "GET", "/messages/live");
  expect(message).toMatchObject({ shared_location: { end_at: "2250-01-01T00:00:00.000000Z" } });
});

describe("row numbers (the search index refers to messages and channels by them)", () => {
  test("no statement of the provider reassigns them", () => {
    const source = path.join(import.meta.dirname, "../../../src/provider");
    const texts = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) =>
        readFileSync(path.join(source, name), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""),
      );
    expect(texts.length).toBeGreaterThan(100);
    const renumbering =
      /\bVACUUM\b|REPLACE INTO (?:messages|channels)\b|UPDATE OR REPLACE (?:messages|channels)\b/i;
    expect(texts.filter((text) => renumbering.test(text))).toEqual([]);
  });
});
