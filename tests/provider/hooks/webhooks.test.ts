/** Webhooks over real sockets: contents, signature, retries, and how a server of the app may change or reject a message before it is sent. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { WebSocket } from "ws";
import { afterEach, describe, expect, test } from "vitest";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { verifyWebhook } from "../../../src/wire/entities/webhook.ts";
import { signToken } from "../../../src/wire/token.ts";
import { Listener } from "./listener.ts";
import { removeFolder } from "../../support/remove-folder.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into by every test in its own way
type Json = any;

class App {
  readonly warnings: string[] = [];
  provider!: Provider;

  async start(data = ":memory:"): Promise<this> {
    this.provider = createProvider({ data, stay: true, warn: (sentence) => this.warnings.push(sentence) });
    await this.provider.listen();
    closing.push(() => this.provider.close());
    return this;
  }

  async call(who: string | undefined, method: string, route: string, body?: unknown): Promise<Json> {
    const { url, apiKey, secret } = this.provider;
    const response = await fetch(`${url}${route}${route.includes("?") ? "&" : "?"}api_key=${apiKey}`, {
      method,
      headers: {
        Authorization: signToken(who === undefined ? { server: true } : { user_id: who }, secret),
        "stream-auth-type": "jwt",
        "Content-Type": "application/json",
        "X-Stream-Client": "test-1",
        "x-stream-ext": "kitchen",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, ...((await response.json()) as object) };
  }

  async room(): Promise<this> {
    await this.call(undefined, "POST", "/users", {
      users: Object.fromEntries(["ada", "bob"].map((id) => [id, { id, name: id.toUpperCase() }])),
    });
    await this.call("ada", "POST", "/channels/messaging/tea/query", { data: { members: ["ada", "bob"] } });
    return this;
  }

  set(settings: object): Promise<Json> {
    return this.call(undefined, "PATCH", "/app", settings);
  }

  send(text: string, more: object = {}): Promise<Json> {
    return this.call("ada", "POST", "/channels/messaging/tea/message", { message: { text, ...more } });
  }
}

async function openListener(): Promise<Listener> {
  const opened = await new Listener().open();
  closing.push(() => opened.close());
  return opened;
}

const hook = (url: string, ...event_types: string[]): object => ({
  event_hooks: [{ hook_type: "webhook", enabled: true, event_types, webhook_url: `${url}/in` }],
});

describe("webhooks", () => {
  test("a message is posted with id, attempt, key, signature, the members' counts and the request's origin", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    expect((await app.set(hook(at.url, "message.new"))).status).toBe(200);
    await app.send("kettle on");
    const { path: where, headers, body, json } = await at.until(() => true);
    expect(where).toBe("/in");
    expect(headers["x-webhook-attempt"]).toBe("1");
    expect(headers["x-webhook-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers["x-api-key"]).toBe(app.provider.apiKey);
    expect(verifyWebhook(body, String(headers["x-signature"]), app.provider.secret)).toBe(true);
    expect(verifyWebhook(body, String(headers["x-signature"]), "another secret")).toBe(false);
    expect(json).toMatchObject({
      type: "message.new",
      cid: "messaging:tea",
      message: { text: "kettle on" },
      request_info: { type: "client", sdk: "test-1", ext: "kitchen", ip: "127.0.0.1" },
    });
    expect(json.received_at).toMatch(/Z$/);
    const bob = json.members.find((member: Json) => member.user_id === "bob").user;
    expect(bob).toMatchObject({ total_unread_count: 1, unread_channels: 1, channel_unread_count: 1 });
    expect(bob.channel_last_read_at).toMatch(/Z$/);
  });

  test("only the requested events are sent, and never typing and custom channel events", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.set(hook(at.url));
    await app.call("ada", "POST", "/channels/messaging/tea/event", { event: { type: "typing.start" } });
    await app.call("ada", "POST", "/channels/messaging/tea/event", { event: { type: "wave" } });
    await app.send("one");
    await at.until(({ json }) => json.type === "message.new");
    await app.set(hook(at.url, "channel.updated"));
    await app.send("two");
    await app.call("ada", "PATCH", "/channels/messaging/tea", { set: { name: "Tea" } });
    await at.until(({ json }) => json.type === "channel.updated");
    expect(at.received.map(({ json }) => json.type)).toEqual(["message.new", "channel.updated"]);
    await app.set({ event_hooks: null });
    await app.set({ webhook_url: `${at.url}/old`, webhook_events: ["message.new"] });
    await app.send("three");
    expect((await at.until(({ path: where }) => where === "/old")).json.message.text).toBe("three");
  });

  test("a custom event for a user is sent, although only servers get it", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.set(hook(at.url));
    expect(
      (await app.call(undefined, "POST", "/users/bob/event", { event: { type: "wave", hat: "red" } })).status,
    ).toBe(201);
    expect((await at.until(({ json }) => json.type === "wave")).json.hat).toBe("red");
  });

  test("reminders and channel mutes of a user are sent, the mutes with what was muted", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.send("kettle on", { id: "m1" });
    await app.set({ event_hooks: null });
    await app.call(undefined, "PATCH", "/channels/messaging/tea", {
      set: { config_overrides: { user_message_reminders: true } },
    });
    await app.set(hook(at.url));
    const mute = { channel_cids: ["messaging:tea"] };
    await app.call("bob", "POST", "/moderation/mute/channel", mute);
    await app.call("bob", "POST", "/moderation/unmute/channel", mute);
    await app.call("bob", "POST", "/messages/m1/reminders", {});
    await app.call("bob", "PATCH", "/messages/m1/reminders", { remind_at: "2091-01-01T00:00:00Z" });
    await app.call("bob", "DELETE", "/messages/m1/reminders");
    await at.until(({ json }) => json.type === "reminder.deleted");
    expect(at.received.map(({ json }) => json.type)).toEqual([
      "channel.muted",
      "channel.unmuted",
      "reminder.created",
      "reminder.updated",
      "reminder.deleted",
    ]);
    for (const { json } of at.received.slice(0, 2))
      expect(json).toMatchObject({
        cid: "messaging:tea",
        user: { id: "bob" },
        mute: { channel: { cid: "messaging:tea" }, user: { id: "bob" } },
      });
    expect(at.received[2]!.json).toMatchObject({ message_id: "m1", user_id: "bob", cid: "messaging:tea" });
  });

  test("a reminder tells nobody the draft of its user, neither of its message nor of the quoted one", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.call(undefined, "PATCH", "/channels/messaging/tea", {
      set: { config_overrides: { user_message_reminders: true } },
    });
    await app.send("one", { id: "m1" });
    await app.send("two", { id: "m2", quoted_message_id: "m1" });
    for (const parent_id of ["m1", "m2"])
      await app.call("bob", "POST", "/channels/messaging/tea/draft", {
        message: { text: `secret of ${parent_id}`, parent_id },
      });
    await app.set(hook(at.url, "reminder.created"));
    await app.call("bob", "POST", "/messages/m2/reminders", {});
    const { json, body } = await at.until(({ json }) => json.type === "reminder.created");
    expect(json.reminder.message).toMatchObject({ id: "m2", quoted_message: { id: "m1" } });
    expect(String(body)).not.toContain("secret");
  });

  test("the user of a channel's event has its own unread numbers, as the members have theirs", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.send("one");
    await app.call("bob", "POST", "/channels/messaging/tea/read", {});
    await app.set(hook(at.url, "message.new"));
    await app.call("bob", "POST", "/channels/messaging/tea/message", { message: { text: "two" } });
    const { json } = await at.until(() => true);
    expect(json.user).toMatchObject({
      id: "bob",
      total_unread_count: 0,
      unread_channels: 0,
      unread_count: 0,
      channel_unread_count: 0,
      channel_last_read_at: expect.stringMatching(/^\d{4}-/),
    });
    const ada = json.members.find(({ user_id }: Json) => user_id === "ada");
    expect(ada.user).toMatchObject({ channel_unread_count: 1, total_unread_count: 1 });
  });

  test("a deactivated user is told with the id of who did it", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.set(hook(at.url, "user.deactivated"));
    await app.call(undefined, "POST", "/users/bob/deactivate", { created_by_id: "ada" });
    expect((await at.until(() => true)).json).toMatchObject({
      user: { id: "bob" },
      created_by: { id: "ada" },
      created_by_id: "ada",
    });
  });

  test("presence events of connections are sent", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.set(hook(at.url, "user.presence.changed"));
    const { url, apiKey, secret } = app.provider;
    const query = new URLSearchParams({
      api_key: apiKey,
      "stream-auth-type": "jwt",
      authorization: signToken({ user_id: "bob" }, secret),
      json: '{"user_id":"bob"}',
    });
    const ws = new WebSocket(`${url.replace("http", "ws")}/connect?${query}`);
    closing.push(async () => ws.terminate());
    expect((await at.until(() => true)).json).toMatchObject({
      type: "user.presence.changed",
      user: { id: "bob", online: true },
    });
  });

  test("a failed call is repeated after 1, 5 and 25 s with the same id, then dropped with a warning", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.set(hook(at.url, "message.new"));
    at.answer = () => ({ status: 503 });
    await app.send("one");
    await at.until(() => at.received.length === 1);
    for (const [attempt, wait] of [
      [2, 1000],
      [3, 5000],
      [4, 25_000],
    ] as const) {
      // Waits until the result of the previous attempt is stored.
      while (queued(app)[0]?.attempts !== attempt - 1) await app.call(undefined, "GET", "/app");
      app.provider.advance(wait - 200);
      await app.call(undefined, "GET", "/app");
      expect(at.received.length).toBe(attempt - 1);
      app.provider.advance(200);
      await at.until(() => at.received.length === attempt);
    }
    while (queued(app).length > 0) await app.call(undefined, "GET", "/app");
    expect(at.received.map(({ headers }) => headers["x-webhook-attempt"])).toEqual(["1", "2", "3", "4"]);
    expect(new Set(at.received.map(({ headers }) => headers["x-webhook-id"])).size).toBe(1);
    expect(app.warnings).toEqual([expect.stringMatching(/^a webhook was given up after 4 attempts: 503/)]);
  });

  test("a redirect is not followed", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.set(hook(at.url, "message.new"));
    at.answer = () => ({ status: 302 });
    await app.send("one");
    await at.until(() => at.received.length === 1);
    while (queued(app)[0]?.attempts !== 1) await app.call(undefined, "GET", "/app");
    expect(at.received).toHaveLength(1);
  });

  test("waiting calls survive a restart", async () => {
    const data = mkdtempSync(path.join(tmpdir(), "parley-hooks-"));
    closing.push(async () => removeFolder(data));
    const at = await openListener();
    const app = await (await new App().start(data)).room();
    at.answer = () => ({ status: 500 });
    await app.set(hook(at.url, "message.new"));
    await app.send("before the end");
    await at.until(() => at.received.length === 1);
    while (queued(app)[0]?.attempts !== 1) await app.call(undefined, "GET", "/app");
    await app.provider.close();
    at.answer = () => ({});
    await app.start(data);
    app.provider.advance(1000);
    await at.until(() => at.received.length === 2);
    const second = at.received[1]!;
    expect(second.json.message.text).toBe("before the end");
    expect(second.headers["x-webhook-attempt"]).toBe("2");
  });

  test("a rolled back call calls no hook", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.set(hook(at.url));
    expect(() =>
      app.provider.transact((emit) => {
        emit.watchers("messaging:tea", { type: "channel.updated" });
        throw new Error("undone");
      }),
    ).toThrow("undone");
    expect(queued(app)).toEqual([]);
  });
});

/** The rows of the queue. */
const queued = (app: App): { attempts: number }[] =>
  app.provider.transact((_, db) => db.all<{ attempts: number }>("SELECT attempts FROM hook_queue"));

describe("before a message is sent", () => {
  test("the hook may change text, silent and custom fields, and gets message, user, channel and origin", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.set({ before_message_send_hook_url: `${at.url}/before` });
    at.answer = () => ({
      json: { message: { text: "tea is ready", silent: true, custom: { checked: 1, id: "x" } } },
    });
    const { message } = await app.send("t** is ready", { id: "m1" });
    expect(message).toMatchObject({
      id: "m1",
      text: "tea is ready",
      silent: true,
      checked: 1,
      type: "regular",
    });
    expect(at.received[0]!.json).toMatchObject({
      message: { text: "t** is ready" },
      user: { id: "ada" },
      channel: { cid: "messaging:tea" },
      request_info: { type: "client" },
    });
  });

  test("custom fields in the answer are flat, as everywhere, and what the provider keeps stays", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.set({ before_message_send_hook_url: `${at.url}/before` });
    at.answer = () => ({
      json: { message: { text: "t", custom1: 1, id: "x", reply_count: 7, user: { id: "bob" } } },
    });
    const { message } = await app.send("tea", { id: "m1", custom1: 0, custom2: 2 });
    expect(message).toMatchObject({
      id: "m1",
      text: "t",
      custom1: 1,
      custom2: 2,
      reply_count: 0,
      user: { id: "ada" },
    });
  });

  test.each([
    ["in the query", "?user_id=ada", {}, {}],
    ["in user", "", { user: { id: "ada" } }, {}],
    ["in user_id", "", { user: { id: "" }, user_id: "ada" }, {}],
    ["in user of the message", "", {}, { user: { id: "ada" } }],
    ["in user_id of the message", "", {}, { user: { id: "" }, user_id: "ada" }],
  ])("the hook gets the author when a server names it %s", async (_, query, more, written) => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.set({ before_message_send_hook_url: `${at.url}/before` });
    await app.call(undefined, "POST", `/channels/messaging/tea/message${query}`, {
      ...more,
      message: { text: "tea", ...written },
    });
    expect(at.received.map(({ json }) => json.user.id)).toEqual(["ada"]);
  });

  test("type error rejects: the sender gets the text, and nothing is stored", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.set({ before_message_send_hook_url: `${at.url}/before` });
    at.answer = () => ({ json: { message: { type: "error", text: "not here" } } });
    const { status, message } = await app.send("hello", { id: "m1" });
    expect([status, message.type, message.text]).toEqual([201, "error", "not here"]);
    expect((await app.call("ada", "GET", "/messages/m1")).code).toBe(16);
  });

  test.each([
    ["an answer without JSON", { text: "<html>" }],
    ["an error status", { status: 500, json: { message: { text: "changed" } } }],
    ["an answer with wrong types", { json: { message: { text: 5, attachments: "x", silent: "yes" } } }],
    ["no answer within a second", { never: true }],
  ])("after %s the message is stored unchanged", async (_, answer) => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.set({ before_message_send_hook_url: `${at.url}/before` });
    at.answer = () => answer;
    const { status, message } = await app.send("hello");
    expect([status, message.text, message.type]).toEqual([201, "hello", "regular"]);
    expect(at.received).toHaveLength(1);
  });

  test("the hook is not called for a message that is not allowed", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await app.set({ before_message_send_hook_url: `${at.url}/before` });
    const refused = await app.call("eve", "POST", "/channels/messaging/tea/message", {
      message: { text: "x" },
    });
    expect(refused.code).toBe(17);
    expect(at.received).toEqual([]);
  });
});

describe("custom commands", () => {
  const createTicketCommand = async (app: App): Promise<void> => {
    await app.call(undefined, "POST", "/commands", { name: "ticket", description: "Make a ticket" });
  };

  test("its URL is called with command and arguments, with {type} replaced, and may answer", async () => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await createTicketCommand(app);
    await app.set({ custom_action_handler_url: `${at.url}/run?type={type}` });
    at.answer = () => ({ json: { message: { text: "ticket 7 made" } } });
    const { message } = await app.send("/ticket broken kettle");
    expect(message.text).toBe("ticket 7 made");
    expect(at.received[0]!.path).toBe("/run?type=ticket");
    expect(at.received[0]!.json).toMatchObject({
      message: { text: "/ticket broken kettle", command: "ticket", args: "broken kettle" },
      user: { id: "ada" },
      form_data: {},
    });
    await app.send("just words");
    expect(at.received).toHaveLength(1);
  });

  test.each([
    [404, 44, 400],
    [500, 45, 400],
  ])("an answer of %d becomes code %d, and nothing is stored", async (given, code, status) => {
    const [app, at] = [await (await new App().start()).room(), await openListener()];
    await createTicketCommand(app);
    await app.set({ custom_action_handler_url: at.url });
    at.answer = () => ({ status: given });
    const answer = await app.send("/ticket x", { id: "m1" });
    expect([answer.code, answer.status]).toEqual([code, status]);
    expect((await app.call("ada", "GET", "/messages/m1")).code).toBe(16);
  });

  test("without a URL the command is refused with code 44, and what is no command is stored", async () => {
    const app = await (await new App().start()).room();
    await createTicketCommand(app);
    const refused = await app.send("/ticket x", { id: "m1" });
    expect([refused.status, refused.code]).toEqual([400, 44]);
    expect((await app.call("ada", "GET", "/messages/m1")).code).toBe(16);
    expect((await app.send("/tickets x")).message).toMatchObject({ type: "regular", text: "/tickets x" });
  });

  describe("an answer with buttons waits for its author", () => {
    const buttons = (...values: string[]): object[] => [
      {
        type: "ticket",
        text: "Which one?",
        actions: values.map((value) => ({ name: "action", text: value, type: "button", value })),
      },
    ];
    /** A message of ada that waits; the endpoint then answers as `next` says. */
    const waiting = async (next: object): Promise<{ app: App; at: Listener }> => {
      const [app, at] = [await (await new App().start()).room(), await openListener()];
      await createTicketCommand(app);
      await app.set({ custom_action_handler_url: at.url });
      at.answer = () => ({
        json: { message: { text: "a ticket?", attachments: buttons("submit", "cancel") } },
      });
      const { message } = await app.send("/ticket kettle", { id: "m1" });
      expect(message).toMatchObject({
        type: "ephemeral",
        text: "a ticket?",
        attachments: [{ type: "ticket" }],
      });
      expect((await app.call("ada", "GET", "/messages/m1")).code).toBe(16);
      at.answer = () => ({ json: next });
      return { app, at };
    };
    const press = (app: App, value: string, who = "ada"): Promise<Json> =>
      app.call(who, "POST", "/messages/m1/action", { form_data: { action: value } });

    test("the endpoint gets the message and the form, and its answer is sent", async () => {
      const { app, at } = await waiting({ message: { text: "ticket 7", ticket: 7 } });
      const { message } = await press(app, "submit");
      expect(at.received.at(-1)!.json).toMatchObject({
        message: { id: "m1", text: "a ticket?", command: "ticket", args: "kettle" },
        user: { id: "ada" },
        form_data: { action: "submit" },
      });
      expect(message).toMatchObject({ id: "m1", type: "regular", text: "ticket 7", ticket: 7 });
      expect(message.attachments[0].actions).toBeUndefined();
      expect((await app.call("bob", "GET", "/messages/m1")).message.text).toBe("ticket 7");
      expect((await press(app, "submit")).code).toBe(4);
    });

    test("further buttons keep it waiting", async () => {
      const { app } = await waiting({ message: { attachments: buttons("sure") } });
      const { message } = await press(app, "submit");
      expect(message).toMatchObject({ type: "ephemeral", attachments: [{ actions: [{ value: "sure" }] }] });
      expect((await app.call("ada", "GET", "/messages/m1")).code).toBe(16);
    });

    test("an answer without a message takes it back", async () => {
      const { app } = await waiting({});
      expect((await press(app, "cancel")).message).toBeUndefined();
      expect((await press(app, "cancel")).code).toBe(4);
    });

    test("only its author may press one, and nothing is asked for another", async () => {
      const { app, at } = await waiting({ message: { text: "x" } });
      const asked = at.received.length;
      expect((await press(app, "submit", "bob")).code).toBe(17);
      expect(at.received).toHaveLength(asked);
    });

    test("an endpoint that fails leaves it waiting", async () => {
      const { app, at } = await waiting({});
      at.answer = () => ({ status: 500 });
      expect((await press(app, "submit")).code).toBe(45);
      at.answer = () => ({ json: { message: { text: "now" } } });
      expect((await press(app, "submit")).message.text).toBe("now");
    });
  });
});

test("a URL outside this machine is stored, never called, and logged once", async () => {
  const [app, near, far] = [
    await (await new App().start()).room(),
    await openListener(),
    await openListener(),
  ];
  // This name leads to this machine, but is not one of the trusted loopback names.
  const outside = far.url.replace("127.0.0.1", "[::ffff:127.0.0.1]");
  const settings = {
    webhook_url: "https://hooks.example.org/in",
    before_message_send_hook_url: `${outside}/before`,
    event_hooks: [outside, near.url].map((url) => ({
      hook_type: "webhook",
      enabled: true,
      event_types: ["message.new"],
      webhook_url: `${url}/in`,
    })),
  };
  expect((await app.set(settings)).status).toBe(200);
  const shown = (await app.call(undefined, "GET", "/app")).app;
  expect([shown.webhook_url, shown.event_hooks.map((one: Json) => one.webhook_url)]).toEqual([
    settings.webhook_url,
    settings.event_hooks.map((one) => one.webhook_url),
  ]);
  for (const text of ["one", "two"]) expect((await app.send(text)).status).toBe(201);
  await near.until((posted) => posted.json.message.text === "two");
  expect(far.received).toEqual([]);
  const logged = app.warnings.filter((one) => one.includes("is stored but never called"));
  expect(logged).toHaveLength(2);
  expect(logged.join()).toMatch(/hooks\.example\.org.*|::ffff/);
});

test.each(["http://user:word@127.0.0.1/", "ftp://127.0.0.1/", "file:///etc/passwd", "nonsense"])(
  "%s is refused as a hook URL",
  async (url) => {
    const app = await new App().start();
    for (const key of ["webhook_url", "before_message_send_hook_url", "custom_action_handler_url"])
      expect(await app.set({ [key]: url })).toMatchObject({
        status: 400,
        code: 4,
        exception_fields: { [key]: expect.any(String) },
      });
    expect(await app.set(hook(url))).toMatchObject({
      code: 4,
      exception_fields: { "event_hooks.0.webhook_url": expect.any(String) },
    });
  },
);
