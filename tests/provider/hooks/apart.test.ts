/** Isolation of an app's hooks: redirects are not followed, and a slow hook delays no other. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { World } from "../../contract/world.ts";
import { Listener } from "./listener.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function startWorld(): Promise<World> {
  const world = await World.start();
  closing.push(() => world.stop());
  await world.ok("ada", "POST", "/channels/messaging/tea/query", { body: { data: { members: ["ada"] } } });
  return world;
}

async function openListener(): Promise<Listener> {
  const opened = await new Listener().open();
  closing.push(() => opened.close());
  return opened;
}

const set = (world: World, settings: object): Promise<unknown> =>
  world.ok("server", "PATCH", "/app", { body: settings });
const hook = (webhook_url: string): object => ({
  hook_type: "webhook",
  enabled: true,
  event_types: ["message.new"],
  webhook_url,
});
const sendText = (world: World, text: string): Promise<unknown> =>
  world.ok("ada", "POST", "/channels/messaging/tea/message", { body: { message: { text } } });

const queued = (world: World): { url: string; attempts: number }[] =>
  world.provider.transact((_emit, db) => db.all("SELECT url, attempts FROM hook_queue ORDER BY seq"));

/** A server that answers everything with a redirect to a second one, and records the requests to both. */
async function redirecting(status: number): Promise<{ url: string; visits: string[]; requests: string[] }> {
  const visits: string[] = [];
  const requests: string[] = [];
  const target = http.createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`);
    request.resume();
    response.end("{}");
  });
  const first = http.createServer((request, response) => {
    requests.push(request.url!);
    request.resume();
    const { port } = target.address() as AddressInfo;
    response.writeHead(status, { Location: `http://127.0.0.1:${port}/inside` }).end();
  });
  for (const server of [target, first]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closing.push(async () => {
      server.closeAllConnections();
      server.close();
    });
  }
  return { url: `http://127.0.0.1:${(first.address() as AddressInfo).port}`, visits, requests };
}

test.each([301, 302, 303, 307, 308])(
  "a redirect with %i is not followed, and counts as a failed attempt",
  async (status) => {
    const world = await startWorld();
    const { url, visits, requests } = await redirecting(status);
    await set(world, { event_hooks: [hook(`${url}/in`)] });
    await sendText(world, "one");
    while (queued(world)[0]?.attempts !== 1) await world.call("server", "GET", "/app");
    expect(requests).toEqual(["/in"]);
    expect(visits).toEqual([]);
  },
);

test("a redirect of the hook before sending is not followed, and the message is sent unchanged", async () => {
  const world = await startWorld();
  const { url, visits, requests } = await redirecting(307);
  await set(world, { before_message_send_hook_url: `${url}/before` });
  await sendText(world, "as it was");
  expect(requests).toEqual(["/before"]);
  expect(visits).toEqual([]);
});

test("a hook that never answers delays its own events only", async () => {
  const world = await startWorld();
  const [slow, quick] = [await openListener(), await openListener()];
  slow.answer = () => ({ never: true });
  await set(world, { event_hooks: [hook(`${slow.url}/in`), hook(`${quick.url}/in`)] });
  for (const text of ["one", "two", "three"]) await sendText(world, text);
  await quick.until(({ json }) => json.message.text === "three");
  const texts = (at: Listener): unknown[] => at.received.map(({ json }) => json.message.text);
  expect(texts(quick)).toEqual(["one", "two", "three"]);
  expect(texts(slow)).toEqual(["one"]);
});

test("two URLs of one server are two hooks, and each waits for its own answers only", async () => {
  const world = await startWorld();
  const at = await openListener();
  at.answer = ({ path }) => (path === "/slow" ? { never: true } : {});
  await set(world, { event_hooks: [hook(`${at.url}/slow`), hook(`${at.url}/quick`)] });
  for (const text of ["one", "two"]) await sendText(world, text);
  await at.until(({ path, json }) => path === "/quick" && json.message.text === "two");
  expect(at.received.filter(({ path }) => path === "/slow")).toHaveLength(1);
});

test("a disabled hook gets nothing, and no earlier events when it is enabled", async () => {
  const world = await startWorld();
  const [off, on] = [await openListener(), await openListener()];
  await set(world, { event_hooks: [{ ...hook(`${off.url}/in`), enabled: false }, hook(`${on.url}/in`)] });
  await sendText(world, "one");
  await on.until(({ json }) => json.message.text === "one");
  expect(queued(world).map(({ url }) => url)).not.toContain(`${off.url}/in`);
  await set(world, { event_hooks: [hook(`${off.url}/in`), hook(`${on.url}/in`)] });
  await sendText(world, "two");
  await off.until(({ json }) => json.message.text === "two");
  expect(off.received.map(({ json }) => json.message.text)).toEqual(["two"]);
});
