/** A provider and a plain client for it: fetch, `ws` and tokens signed by hand, with no code of the program's own client. */
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import tls from "node:tls";
import { WebSocket } from "ws";
import { createProvider, type Provider } from "../../src/provider/provider.ts";
import { makeAuthority } from "../support/certificates.ts";
import { startTlsFront } from "../support/tls-front.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into by every test in its own way
export type Json = any;

export interface Answer {
  status: number;
  contentType: string | null;
  allow: string | null;
  json: Json;
}

/** The caller: a user id, a server, nobody (no token), an anonymous session, or a user whose token is signed with another secret. */
export type Caller =
  | "ada"
  | "bob"
  | "cyd"
  | "dan"
  | "mod"
  | "server"
  | "nobody"
  | "anonymous"
  | "forger"
  | `own-${string}`;

export interface RequestInput {
  query?: Record<string, unknown>;
  body?: unknown;
  /** Raw body, sent instead of `body`. */
  text?: string;
  form?: FormData;
  /** API key; defaults to the provider's own. */
  key?: string | null;
  /** Headers besides those of every request. */
  headers?: Record<string, string>;
}

/** RFC 7519 by hand: header and claims in base64url, HMAC-SHA256 over both. */
export function jwt(claims: object, secret: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const head = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${head}.${createHmac("sha256", secret).update(head).digest("base64url")}`;
}

/** An open WebSocket and every frame received on it. */
export class TestSocket {
  readonly frames: Json[] = [];
  closed: number | undefined;
  readonly ws: WebSocket;
  #wake: (() => void)[] = [];

  constructor(url: string) {
    this.ws = new WebSocket(url);
    const changed = (): void => this.#wake.splice(0).forEach((wake) => wake());
    this.ws.on("message", (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString("utf8")));
      changed();
    });
    this.ws.on("error", () => {});
    this.ws.on("close", (code: number) => {
      this.closed = code;
      changed();
    });
  }

  /** Waits for a frame or the close; if it never comes, the test's time limit ends the wait. */
  async until<T>(condition: () => T | undefined | false): Promise<T> {
    for (;;) {
      const found = condition();
      if (found) return found;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  get id(): string {
    return this.frames[0].connection_id as string;
  }

  /** Waits until everything sent so far has arrived: the pong comes after it. */
  async settled(): Promise<void> {
    const pongs = (): number => this.frames.slice(1).filter(({ type }) => type === "health.check").length;
    const before = pongs();
    this.ws.send('[{"type":"health.check"}]');
    await this.until(() => pongs() > before);
  }

  /** The events since the first frame, without pongs. */
  events(): Json[] {
    return this.frames.slice(1).filter(({ type }) => type !== "health.check");
  }

  async end(): Promise<void> {
    if (this.closed !== undefined) return;
    const gone = once(this.ws, "close");
    this.ws.close(1000);
    await gone;
  }
}

/** Waits until everything sent so far has arrived on each line. */
export async function settle(lines: Readonly<Record<string, TestSocket>>): Promise<void> {
  await Promise.all(Object.values(lines).map((socket) => socket.settled()));
}

/** The event types that each line received. */
export const eventTypes = (lines: Readonly<Record<string, TestSocket>>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(lines).map(([who, socket]) => [who, socket.events().map(({ type }) => type as string)]),
  );

/** The tested provider: a hosted one of PARLEY_CONTRACT_URL, _KEY and _SECRET, else an embedded one, behind TLS with PARLEY_CONTRACT_TLS. */
interface ProviderAddress {
  readonly url: string;
  readonly apiKey: string;
  readonly secret: string;
}

const { PARLEY_CONTRACT_URL, PARLEY_CONTRACT_KEY, PARLEY_CONTRACT_SECRET } = process.env;
export const hosted: ProviderAddress | undefined =
  PARLEY_CONTRACT_URL && PARLEY_CONTRACT_KEY && PARLEY_CONTRACT_SECRET
    ? {
        url: PARLEY_CONTRACT_URL.replace(/\/+$/, ""),
        apiKey: PARLEY_CONTRACT_KEY,
        secret: PARLEY_CONTRACT_SECRET,
      }
    : undefined;

/** Thrown when a test needs the embedded provider itself, to move its clock for example; skipped for a hosted one. */
export class EmbeddedOnly extends Error {}

/** Web pages for previews: no test uses the network (OG-3). */
const LINKS = {
  offline: true,
  pages: {
    "https://tea.example/": `<html><head><title>Tea</title><meta property="og:title" content="Tea">
      <meta property="og:description" content="All about tea"><meta property="og:site_name" content="Tea House">
      <meta property="og:image" content="/i.png"></head><body></body></html>`,
    "https://empty.example/": "<html><head></head><body>nothing</body></html>",
  },
};

/** The built-in channel types (specification/channels.md §1). */
const TYPES = ["messaging", "team", "livestream", "commerce", "gaming"];

/** Makes the provider reachable over https and wss; nothing else changes. */
async function behindTls(provider: Provider): Promise<{ address: ProviderAddress; close(): Promise<void> }> {
  const authority = makeAuthority();
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), authority.pem]);
  const tlsFront = await startTlsFront(authority.issue(["localhost"]), () => provider.url);
  const { apiKey, secret } = provider;
  return {
    address: { url: tlsFront.url, apiKey, secret },
    async close() {
      await tlsFront.close();
      authority.remove();
    },
  };
}

export class World {
  readonly address: ProviderAddress;
  readonly lines: TestSocket[] = [];
  /** Prefix of room names, new in every run: a hosted provider still has the rooms of earlier runs. */
  readonly run = hosted ? `${randomUUID().slice(0, 8)}-` : "";
  #provider: Provider | undefined;
  readonly #closeFront: (() => Promise<void>) | undefined;
  #rooms = 0;

  private constructor(address: ProviderAddress, provider?: Provider, closeFront?: () => Promise<void>) {
    this.address = address;
    this.#provider = provider;
    this.#closeFront = closeFront;
  }

  /** The embedded provider; throws `EmbeddedOnly` for a hosted one. */
  get provider(): Provider {
    if (!this.#provider) throw new EmbeddedOnly("this needs the embedded provider");
    return this.#provider;
  }

  /** A provider in memory, or in the folder `data`, with the users ada, bob, cyd, dan (a member of no room) and mod, a moderator of the app. */
  static async start(data = ":memory:"): Promise<World> {
    const provider = hosted ? undefined : createProvider({ data, stay: true, links: LINKS });
    await provider?.listen();
    const tlsFront = provider && process.env.PARLEY_CONTRACT_TLS ? await behindTls(provider) : undefined;
    const world = new World(hosted ?? tlsFront?.address ?? provider!, provider, tlsFront?.close);
    const ids = ["ada", "bob", "cyd", "dan", "mod"];
    const users = Object.fromEntries(
      ids.map((id) => [id, { id, name: id.toUpperCase(), ...(id === "mod" ? { role: "moderator" } : {}) }]),
    );
    const make = (): Promise<Json> => world.ok("server", "POST", "/users", { body: { users } });
    await make();
    if (hosted) {
      await world.deleteLeftovers(ids);
      await make();
    }
    return world;
  }

  /** Deletes what the previous test file left: the users with all their data, and custom channel types, commands and blocklists. */
  private async deleteLeftovers(ids: string[]): Promise<void> {
    const all = { user: "hard", messages: "hard", conversations: "hard" };
    const { task_id: id } = await this.ok("server", "POST", "/users/delete", {
      body: { user_ids: ids, ...all },
    });
    while (!/completed|failed/.test((await this.ok("server", "GET", `/tasks/${id}`)).status))
      await new Promise((next) => setTimeout(next, 100));
    const { channel_types: types } = await this.ok("server", "GET", "/channeltypes");
    const { commands } = await this.ok("server", "GET", "/commands");
    const { blocklists } = await this.ok("server", "GET", "/blocklists");
    const named = (list: Json[]): string[] => list.map(({ name }) => name as string);
    const made = {
      channeltypes: Object.keys(types).filter((name) => !TYPES.includes(name)),
      commands: named(commands),
      blocklists: named(blocklists).filter((name) => !name.startsWith("profanity_")),
    };
    // Refusals are ignored, such as for a type that still has channels.
    for (const [kind, names] of Object.entries(made))
      for (const name of names) await this.call("server", "DELETE", `/${kind}/${name}`);
  }

  /** Calls the listener with events of code S; does nothing for a hosted provider, which sends them to webhooks only. */
  onServerEvent(listener: (event: Json) => void): () => void {
    return this.#provider?.onServerEvent(listener) ?? (() => {});
  }

  async stop(): Promise<void> {
    for (const socket of this.lines) await socket.end();
    await this.#closeFront?.();
    await this.#provider?.close();
  }

  /** The provider's time in milliseconds; the embedded provider's clock can have been moved. */
  now(): number {
    return this.#provider ? this.#provider.clock.now() / 1000 : Date.now();
  }

  token(who: Caller): string | undefined {
    const { secret } = this.address;
    if (who === "nobody" || who === "anonymous") return undefined;
    if (who === "server") return jwt({ server: true }, secret);
    if (who === "forger") return jwt({ user_id: "ada" }, "another secret");
    return jwt({ user_id: who }, secret);
  }

  url(route: string, { query = {}, key = this.address.apiKey }: RequestInput = {}): string {
    const search = new URLSearchParams(key === null ? {} : { api_key: key });
    for (const [name, value] of Object.entries(query))
      search.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
    return `${this.address.url}${route}?${search}`;
  }

  async call(who: Caller, method: string, route: string, input: RequestInput = {}): Promise<Answer> {
    const token = this.token(who);
    const body =
      input.form ?? input.text ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
    const response = await fetch(this.url(route, input), {
      method,
      headers: {
        "stream-auth-type": who === "anonymous" ? who : "jwt",
        ...(token === undefined ? {} : { Authorization: token }),
        ...(body !== undefined && !input.form ? { "Content-Type": "application/json" } : {}),
        ...input.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: response.status,
      contentType: response.headers.get("content-type"),
      allow: response.headers.get("allow"),
      json: await response.json(),
    };
  }

  /** Calls for preparation, which must succeed. */
  async ok(who: Caller, method: string, route: string, input: RequestInput = {}): Promise<Json> {
    const answer = await this.call(who, method, route, input);
    if (answer.status >= 300) throw new Error(`${method} ${route}: ${JSON.stringify(answer.json)}`);
    return answer.json;
  }

  dial(
    payload: unknown,
    more: Record<string, string> = {},
    key: string | null = this.address.apiKey,
  ): TestSocket {
    const query = {
      json: typeof payload === "string" ? payload : JSON.stringify(payload),
      "stream-auth-type": "jwt",
      ...more,
    };
    const socket = new TestSocket(this.url("/connect", { query, key }).replace(/^http/, "ws"));
    this.lines.push(socket);
    return socket;
  }

  async connect(who: Caller): Promise<TestSocket> {
    const socket = this.dial(
      { user_id: who, user_details: { id: who } },
      { authorization: this.token(who)! },
    );
    await socket.until(() => socket.frames[0]);
    return socket;
  }

  /** A new channel of ada with the members ada, bob and cyd, and one message of ada. */
  async room(data: Record<string, unknown> = {}, type = "messaging"): Promise<Room> {
    const id = `room-${this.run}${++this.#rooms}`;
    const route = `/channels/${type}/${id}`;
    await this.ok("ada", "POST", `${route}/query`, {
      body: { data: { members: ["ada", "bob", "cyd"], ...data } },
    });
    const message = await this.say("ada", route, { text: "tea?" });
    return { world: this, type, id, cid: `${type}:${id}`, route, message, extra: {} };
  }

  async say(who: Caller, route: string, message: Record<string, unknown>): Promise<string> {
    const id = `${who}-${randomUUID()}`;
    await this.ok(who, "POST", `${route}/message`, { body: { message: { id, ...message } } });
    return id;
  }
}

/** The room that a case works with. */
export interface Room {
  world: World;
  type: string;
  id: string;
  cid: string;
  /** Path of the channel, such as `/channels/messaging/room-1`. */
  route: string;
  /** Id of ada's message. */
  message: string;
  /** The result of the case's `prepare`. */
  extra: Json;
}
