/** The core against the embedded provider over real sockets: connect, talk, lose the link, come back, upload. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CoreOptions } from "../../../src/core/client.ts";
import type { Core } from "../../../src/core/core.ts";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { signToken } from "../../../src/wire/token.ts";
import { coreOn } from "../../support/core-on.ts";
import { until } from "../../support/fake-provider.ts";

const SECRET = "a secret that is long enough for a test";
let folder: string;
let provider: Provider;
let url: string;
const cores: Core[] = [];
const token = (id: string): string => signToken({ user_id: id }, SECRET);

function core(options: Partial<CoreOptions> = {}): ReturnType<typeof coreOn> {
  const made = coreOn(url, { apiKey: provider.apiKey, ...options });
  cores.push(made);
  return made;
}
const texts = (client: Core, cid: string): string[] => {
  const set = client
    .state()
    .channels.get(cid)
    ?.sets.find((s) => s.isCurrent);
  return set ? [...set.messages].map((m) => m.text) : [];
};

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-live-"));
  provider = createProvider({ data: folder, secret: SECRET });
  await provider.listen();
  url = provider.url;
});
afterEach(async () => {
  await Promise.all(cores.splice(0).map((client) => client.close()));
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each(["websocket", "longpoll"] as const)("over %s", (transport) => {
  test("two users in a channel see each other's messages once", async () => {
    const [mira, otto] = [core({ transport }), core({ transport })];
    const me = await mira.connectUser({ id: "mira", name: "Mira" }, token("mira"));
    expect(me).toMatchObject({ id: "mira", name: "Mira" });
    expect(mira.state().link).toMatchObject({ phase: "open", transport, failures: 0 });
    await otto.connectUser({ id: "otto" }, token("otto"));
    await mira.watch("messaging:tea", { members: ["mira", "otto"] });
    expect(await otto.queryChannels({ filter_conditions: { members: { $in: ["otto"] } } })).toEqual([
      "messaging:tea",
    ]);
    const sent = mira.send({ cid: "messaging:tea" }, { text: "oolong?" });
    expect(texts(mira, "messaging:tea")).toEqual(["oolong?"]);
    expect(await sent.outcome).toMatchObject({ state: "received" });
    await until("otto sees it", () => texts(otto, "messaging:tea").length === 1);
    expect(texts(otto, "messaging:tea")).toEqual(["oolong?"]);
    await otto.send({ cid: "messaging:tea" }, { text: "yes" }).outcome;
    await until("mira sees it", () => texts(mira, "messaging:tea").length === 2);
    expect(texts(mira, "messaging:tea")).toEqual(["oolong?", "yes"]);
  });
});

test("messages sent while offline arrive after the reconnect, and the recovery is reported (D6)", async () => {
  const [mira, otto] = [core(), core()];
  await mira.connectUser({ id: "mira" }, token("mira"));
  await otto.connectUser({ id: "otto" }, token("otto"));
  await mira.watch("messaging:tea", { members: ["mira", "otto"] });
  await otto.watch("messaging:tea");
  await otto.send({ cid: "messaging:tea" }, { text: "before" }).outcome;
  await until("mira sees it", () => texts(mira, "messaging:tea").length === 1);
  const reported: string[] = [];
  mira.on("connection.changed", (event) => reported.push(`online ${String(event.online)}`));
  mira.on("connection.recovered", () => reported.push("recovered"));
  await mira.disconnectUser();
  await mira.connectUser({ id: "mira" }, token("mira"));
  await mira.watch("messaging:tea");
  expect(reported.slice(0, 2)).toEqual(["online false", "online true"]);

  const { port } = new URL(url);
  await provider.close();
  await until("the link is lost", () => mira.state().link.phase === "waiting");
  provider = createProvider({ data: folder, secret: SECRET, port: Number(port) });
  await provider.listen();
  otto.reconnect();
  await until("otto is back", () => otto.state().link.phase === "open");
  for (let n = 0; n < 60; n++) await otto.send({ cid: "messaging:tea" }, { text: `away ${n}` }).outcome;
  mira.reconnect();
  await until("mira has all", () => texts(mira, "messaging:tea").length === 61);
  await until("it is over", () => reported.at(-1) === "recovered");
  expect(texts(mira, "messaging:tea")).toEqual([
    "before",
    ...Array.from({ length: 60 }, (_, n) => `away ${n}`),
  ]);
  expect(mira.state().link.catchingUp).toBe(false);
});

test("offline edits arrive by sync although their message left the newest page (D7)", async () => {
  const [mira, otto] = [core(), core()];
  await mira.connectUser({ id: "mira" }, token("mira"));
  await otto.connectUser({ id: "otto" }, token("otto"));
  const cid = "messaging:tea";
  await mira.watch(cid, { members: ["mira", "otto"] });
  await otto.watch(cid);
  for (let n = 0; n < 40; n++) await otto.send({ cid }, { text: `t${n}` }).outcome;
  await until("mira has them", () => texts(mira, cid).length === 40);
  await until("the provider's clock has been seen", () => mira.providerNow() > 0);
  const first = [
    ...mira
      .state()
      .channels.get(cid)!
      .sets.find((s) => s.isCurrent)!.messages,
  ][0]!;
  const { port } = new URL(url);
  await provider.close();
  await until("the link is lost", () => mira.state().link.phase !== "open");
  provider = createProvider({ data: folder, secret: SECRET, port: Number(port) });
  await provider.listen();
  const editor = core();
  editor.setUser({ id: "otto" }, token("otto"));
  await editor.call("updateMessagePartial", { path: { id: first.id }, body: { set: { text: "edited" } } });
  mira.reconnect();
  await until("the edit is here", () => texts(mira, cid)[0] === "edited");
});

test("a wrong secret is refused with the API error, and a second try can succeed (specification/realtime.md §2)", async () => {
  const mira = core();
  const bad = signToken({ user_id: "mira" }, "another secret that is wrong for this");
  await expect(mira.connectUser({ id: "mira" }, bad)).rejects.toMatchObject({ code: 43, status: 401 });
  expect(mira.state().link.phase).toBe("stopped");
  await expect(mira.connectUser({ id: "mira" }, token("mira"))).resolves.toMatchObject({ id: "mira" });
});

test("an expired token is renewed by its function during connecting (specification/auth.md §8)", async () => {
  const mira = core();
  const issued: string[] = [];
  await mira.connectUser({ id: "mira" }, () => {
    const exp = issued.length === 0 ? 1000 : Math.floor(Date.now() / 1000) + 3600;
    const token = signToken({ user_id: "mira", exp }, SECRET);
    issued.push(token);
    return token;
  });
  expect(issued.length).toBe(2);
});

test("a call needs only a user and a token, no connection (specification/auth.md §4)", async () => {
  const mira = core();
  mira.setUser({ id: "mira" }, token("mira"));
  const server = core({ secret: SECRET });
  await server.call("upsertUsers", { body: { users: { mira: { id: "mira" } } } });
  await expect(mira.call("getUnread")).resolves.toMatchObject({ total_unread_count: 0 });
  expect(mira.state().link.phase).toBe("idle");
});

test("an uploaded picture reports progress, and its attachment is complete (specification/attachments.md §4)", async () => {
  const mira = core();
  await mira.connectUser({ id: "mira" }, token("mira"));
  await mira.watch("messaging:tea", { members: ["mira"] });
  const file = path.join(folder, "tea.gif");
  const gif = Buffer.concat([Buffer.from("GIF89a\u0004\0\u0003\0\0\0\0", "latin1"), Buffer.alloc(300_000)]);
  await writeFile(file, gif);
  const states: string[] = [];
  const { attachments } = mira.composer({ cid: "messaging:tea" });
  const [upload] = await attachments.attach([file], { onProgress: (now) => states.push(now.state) });
  expect(upload!.attachment).toMatchObject({
    type: "image",
    title: "tea.gif",
    mime_type: "image/gif",
    file_size: gif.length,
    original_width: 4,
    original_height: 3,
    image_url: expect.stringContaining("/files/"),
  });
  expect([...new Set(states)]).toEqual(["pending", "uploading", "finished"]);
  const answer = await fetch(upload!.attachment.image_url!);
  expect(Buffer.from(await answer.arrayBuffer()).equals(gif)).toBe(true);
});
