/** Link previews of messages with a real page on loopback: which links are fetched and when; no page delays a send for long (OG-3, OG-4). */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { jwt, type Json } from "../../contract/world.ts";

let pages: Server;
let provider: Provider;
let base: string;
let requests: string[];
let answer: RequestListener;

const html =
  (title: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { "Content-Type": "text/html" }).end(`<title>${title}</title>`);

async function start(options: Partial<Parameters<typeof createProvider>[0]> = {}): Promise<void> {
  provider = createProvider({
    data: ":memory:",
    stay: true,
    links: { allow: [new URL(base).host], time: 5000 },
    ...options,
  });
  await provider.listen();
  await call("server", "POST", "/users", { users: { ada: { id: "ada" }, bob: { id: "bob" } } });
  await call("ada", "POST", "/channels/messaging/room/query", { data: { members: ["ada", "bob"] } });
}

beforeEach(async () => {
  requests = [];
  answer = (request, response) => html(`Page ${request.url!}`)(request, response);
  pages = createServer((request, response) => {
    requests.push(request.url!);
    answer(request, response);
  });
  await new Promise<void>((done) => pages.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await provider.close();
  pages.closeAllConnections();
  await new Promise((done) => pages.close(done));
});

async function call(who: string, method: string, route: string, body?: unknown): Promise<Json> {
  const response = await fetch(
    `${provider.url}${route}${route.includes("?") ? "&" : "?"}api_key=${provider.apiKey}`,
    {
      method,
      headers: {
        "stream-auth-type": "jwt",
        Authorization: jwt(who === "server" ? { server: true } : { user_id: who }, provider.secret),
        "Content-Type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  );
  return response.json();
}
const send = async (message: object, options: object = {}, who = "ada"): Promise<Json> =>
  (await call(who, "POST", "/channels/messaging/room/message", { message, ...options })).message;
const titles = (message: Json): string[] => message.attachments.map(({ title }: { title: string }) => title);

test("only the first link gets a preview, and its page is fetched once for several messages", async () => {
  await start();
  expect(titles(await send({ text: `${base}/a then ${base}/b` }))).toEqual(["Page /a"]);
  expect(titles(await send({ text: `again ${base}/a` }))).toEqual(["Page /a"]);
  expect((await call("bob", "GET", `/og?url=${encodeURIComponent(`${base}/a`)}`)).title).toBe("Page /a");
  expect(requests).toEqual(["/a"]);
});

test("an address that no page can have is refused for its form, and visits nothing", async () => {
  await start();
  const refusal = async (url: string): Promise<string> =>
    (await call("bob", "GET", `/og?url=${encodeURIComponent(url)}`)).message;
  for (const url of ["tea.example/a", "ftp://tea.example/a", "/a"])
    expect([url, await refusal(url)]).toEqual([url, expect.stringContaining("http or https address")]);
  expect(requests).toEqual([]);
});

test("the signs of the markup around a link are not part of its address, and code contains no links", async () => {
  await start();
  expect(titles(await send({ text: `read **${base}/a**` }))).toEqual(["Page /a"]);
  expect(titles(await send({ text: `\`${base}/b\` and [this](${base}/c)` }))).toEqual(["Page /c"]);
  expect(requests).toEqual(["/a", "/c"]);
});

test("no page is fetched when the message or the channel asks for no preview", async () => {
  await start();
  const link = { text: `${base}/a` };
  await send(link, { skip_enrich_url: true });
  await send({ ...link, attachments: [{ og_scrape_url: `${base}/a` }] });
  await send({ text: "no link here" });
  await call("server", "PATCH", "/channels/messaging/room", {
    set: { config_overrides: { url_enrichment: false } },
    user_id: "ada",
  });
  await send(link);
  expect(requests).toEqual([]);
});

test("no page is fetched for a user who may not send links or not in this channel", async () => {
  await start();
  await call("server", "POST", "/users", { users: { eve: { id: "eve" } } });
  expect(
    (await call("eve", "POST", "/channels/messaging/room/message", { message: { text: `${base}/a` } })).code,
  ).toBe(17);
  await call("server", "PUT", "/channeltypes/messaging", {
    grants: { channel_member: ["read-channel", "create-message"] },
  });
  expect(
    (await call("bob", "POST", "/channels/messaging/room/message", { message: { text: `${base}/a` } })).code,
  ).toBe(17);
  expect(requests).toEqual([]);
});

test("no page is fetched for a banned user or in a disabled channel, but for a server it is", async () => {
  await start();
  const link = { message: { text: `${base}/a`, user_id: "ada" } };
  const code = async (who: string) =>
    (await call(who, "POST", "/channels/messaging/room/message", link)).code as number | undefined;
  await call("server", "POST", "/moderation/ban", { target_user_id: "bob", banned_by_id: "ada" });
  expect(await code("bob")).toBe(17);
  await call("server", "PATCH", "/channels/messaging/room", { user_id: "ada", set: { disabled: true } });
  expect(await code("ada")).toBe(17);
  expect(requests).toEqual([]);
  expect(await code("server")).toBeUndefined();
  expect(requests).toEqual(["/a"]);
});

test("a slow page delays the send by its time limit at most, and the message is sent without a preview", async () => {
  await start({ links: { allow: [new URL(base).host], time: 200 } });
  answer = () => {};
  const before = performance.now();
  const message = await send({ text: `${base}/slow` });
  // The default time limit is 2,500 ms.
  expect(performance.now() - before).toBeLessThan(2400);
  expect(message).toMatchObject({ text: `${base}/slow`, attachments: [] });
  expect(requests).toEqual(["/slow"]);
});

test("a page at a private address is not fetched unless allowed", async () => {
  await start({ links: { time: 200 } });
  expect((await send({ text: `${base}/a` })).attachments).toEqual([]);
  expect(await call("ada", "GET", `/og?url=${encodeURIComponent(`${base}/a`)}`)).toMatchObject({
    code: 4,
    exception_fields: { url: expect.any(String) },
  });
  expect(requests).toEqual([]);
});

test("a changed text has the preview of its new first link, or none without a link", async () => {
  await start();
  const { id } = await send({ text: `${base}/a`, attachments: [{ type: "file", title: "mine" }] });
  const put = async (set: object, options: object = {}): Promise<Json> =>
    (await call("ada", "PUT", `/messages/${id}`, { set, ...options })).message;
  expect(titles(await put({ text: `${base}/b` }))).toEqual(["mine", "Page /b"]);
  expect(titles(await put({ mood: "calm" }))).toEqual(["mine", "Page /b"]);
  expect(titles(await put({ text: "nothing" }))).toEqual(["mine"]);
  expect(titles(await put({ text: `${base}/b again` }, { skip_enrich_url: true }))).toEqual(["mine"]);
  const full = await call("ada", "POST", `/messages/${id}`, { message: { text: `${base}/b` } });
  expect(titles(full.message)).toEqual(["Page /b"]);
});

test("a cached page is fetched again after five minutes", async () => {
  await start();
  await send({ text: `${base}/a` });
  provider.advance(301_000);
  answer = html("New");
  expect(titles(await send({ text: `${base}/a` }))).toEqual(["New"]);
});

test("a preview that arrives after its message was changed or deleted is dropped", async () => {
  await start();
  await call("server", "PATCH", "/app", { async_url_enrich_enabled: true });
  const waiting: (() => void)[] = [];
  answer = (request, response) => void waiting.push(() => html("Late")(request, response));
  const events: string[] = [];
  provider.onEvent(({ type }) => void events.push(type));
  const ids = [];
  for (const path of ["changed", "deleted", "kept"]) ids.push((await send({ text: `${base}/${path}` })).id);
  await call("ada", "PUT", `/messages/${ids[0]}`, { set: { text: "changed" } });
  await call("ada", "DELETE", `/messages/${ids[1]}`);
  events.length = 0;
  while (waiting.length < 3) await new Promise((done) => setImmediate(done));
  for (const go of waiting) go();
  while (events.length < 1) await new Promise((done) => setImmediate(done));
  expect(events).toEqual(["message.updated"]);
  for (const [i, wanted] of [[], [], ["Late"]].entries())
    expect(titles((await call("server", "GET", `/messages/${ids[i]}`)).message)).toEqual(wanted);
});

test("a translator given by option is called, and called again when the text changes", async () => {
  const translations: string[][] = [];
  await start({
    translate: async (text, from, to) => {
      translations.push([text, from, to]);
      return to === "de" ? undefined : `${text} (${to})`;
    },
  });
  const { id } = await send({ text: "tea" });
  const i18n = async (route: string, method: string, body: object): Promise<Json> =>
    (await call("ada", method, route, body)).message.i18n;
  expect(await i18n(`/messages/${id}/translate`, "POST", { language: "fr" })).toEqual({
    language: "",
    fr_text: "tea (fr)",
  });
  expect(await i18n(`/messages/${id}`, "PUT", { set: { text: "milk" } })).toEqual({
    language: "",
    fr_text: "milk (fr)",
  });
  expect(await i18n(`/messages/${id}`, "PUT", { set: { mood: "calm" } })).toEqual({
    language: "",
    fr_text: "milk (fr)",
  });
  expect(translations).toEqual([
    ["tea", "", "fr"],
    ["milk", "", "fr"],
  ]);
});

test("a change of the text does not translate into the language it was written in", async () => {
  const translations: string[][] = [];
  await start({
    translate: async (text, from, to) => {
      translations.push([text, from, to]);
      return `${text} (${to})`;
    },
  });
  await call("server", "PATCH", "/users", { users: [{ id: "ada", set: { language: "en" } }] });
  const { id } = await send({ text: "tea" });
  await call("ada", "POST", `/messages/${id}/translate`, { language: "fr" });
  const { message } = await call("ada", "PUT", `/messages/${id}`, { set: { text: "milk" } });
  expect(message.i18n).toEqual({ language: "en", en_text: "milk", fr_text: "milk (fr)" });
  expect(translations).toEqual([
    ["tea", "en", "fr"],
    ["milk", "en", "fr"],
  ]);
});
