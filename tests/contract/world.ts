/** A foreign client before a provider of its own: plain fetch, `ws` and tokens signed by hand; nothing of the program's client. */
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

/** Who calls: a user id, a server, nobody (no token), an anonymous session, or somebody with a token of another secret. */
export type Who =
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

export interface Asked {
  query?: Record<string, unknown>;
  body?: unknown;
  /** Sent as it is instead of `body`. */
  text?: string;
  form?: FormData;
  /** Without it the provider's own key. */
  key?: string | null;
}

/** RFC 7519 by hand: header and claims in base64url, HMAC-SHA256 over both. */
export function jwt(claims: object, secret: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const head = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${head}.${createHmac("sha256", secret).update(head).digest("base64url")}`;
}

/** One open WebSocket with every frame it got. */
export class Line {
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

  /** Waits for a frame or the end; a wait for nothing runs into the time limit of its test. */
  async until<T>(look: () => T | undefined | false): Promise<T> {
    for (;;) {
      const found = look();
      if (found) return found;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  get id(): string {
    return this.frames[0].connection_id as string;
  }

  /** Everything sent so far has arrived: a ping is answered behind it. */
  async settled(): Promise<void> {
    const pongs = (): number => this.frames.slice(1).filter(({ type }) => type === "health.check").length;
    const before = pongs();
    this.ws.send('[{"type":"health.check"}]');
    await this.until(() => pongs() > before);
  }

  /** The events since the first frame, answers to pings left out. */
  told(): Json[] {
    return this.frames.slice(1).filter(({ type }) => type !== "health.check");
  }

  async end(): Promise<void> {
    if (this.closed !== undefined) return;
    const gone = once(this.ws, "close");
    this.ws.close(1000);
    await gone;
  }
}

/** Everything sent so far has arrived on each line. */
export async function settle(lines: Readonly<Record<string, Line>>): Promise<void> {
  await Promise.all(Object.values(lines).map((line) => line.settled()));
}

/** The names of the events that each line was told. */
export const typesTold = (lines: Readonly<Record<string, Line>>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(lines).map(([who, line]) => [who, line.told().map(({ type }) => type as string)]),
  );

/** Where the contract is held against: PARLEY_CONTRACT_URL, _KEY and _SECRET name a hosted provider; else one is made, behind TLS with PARLEY_CONTRACT_TLS. */
interface Place {
  readonly url: string;
  readonly apiKey: string;
  readonly secret: string;
}

const { PARLEY_CONTRACT_URL, PARLEY_CONTRACT_KEY, PARLEY_CONTRACT_SECRET } = process.env;
export const hosted: Place | undefined =
  PARLEY_CONTRACT_URL && PARLEY_CONTRACT_KEY && PARLEY_CONTRACT_SECRET
    ? {
        url: PARLEY_CONTRACT_URL.replace(/\/+$/, ""),
        apiKey: PARLEY_CONTRACT_KEY,
        secret: PARLEY_CONTRACT_SECRET,
      }
    : undefined;

/** Thrown where a test reaches into the provider (moves its clock): before a hosted one it is skipped. */
export class EmbeddedOnly extends Error {}

/** Pages that stand for the web: nothing here asks a network (OG-3). */
const LINKS = {
  offline: true,
  pages: {
    "https://tea.example/": `<html><head><title>Tea</title><meta property="og:title" content="Tea">
      <meta property="og:description" content="All about tea"><meta property="og:site_name" content="Tea House">
      <meta property="og:image" content="/i.png"></head><body></body></html>`,
    "https://empty.example/": "<html><head></head><body>nothing</body></html>",
  },
};

/** The built-in types of channels (specification/channels.md §1). */
const TYPES = ["messaging", "team", "livestream", "commerce", "gaming"];

/** The provider as it is reached over https and wss; everything else about it stays. */
async function behindTls(provider: Provider): Promise<{ place: Place; close(): Promise<void> }> {
  const authority = makeAuthority();
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), authority.pem]);
  const front = await startTlsFront(authority.issue(["localhost"]), () => provider.url);
  const { apiKey, secret } = provider;
  return {
    place: { url: front.url, apiKey, secret },
    async close() {
      await front.close();
      authority.remove();
    },
  };
}

export class World {
  readonly place: Place;
  readonly lines: Line[] = [];
  /** Names of rooms are new with every run: a hosted provider remembers the last one's. */
  readonly run = hosted ? `${randomUUID().slice(0, 8)}-` : "";
  #provider: Provider | undefined;
  readonly #closeFront: (() => Promise<void>) | undefined;
  #rooms = 0;

  private constructor(place: Place, provider?: Provider, closeFront?: () => Promise<void>) {
    this.place = place;
    this.#provider = provider;
    this.#closeFront = closeFront;
  }

  /** The embedded provider; throws `EmbeddedOnly` before a hosted one. */
  get provider(): Provider {
    if (!this.#provider) throw new EmbeddedOnly("this needs the embedded provider");
    return this.#provider;
  }

  /** A provider in memory with ada, bob, cyd, dan (of no room) and mod, a moderator of the app. */
  static async start(): Promise<World> {
    const provider = hosted ? undefined : createProvider({ data: ":memory:", stay: true, links: LINKS });
    await provider?.listen();
    const front = provider && process.env.PARLEY_CONTRACT_TLS ? await behindTls(provider) : undefined;
    const world = new World(hosted ?? front?.place ?? provider!, provider, front?.close);
    const ids = ["ada", "bob", "cyd", "dan", "mod"];
    const users = Object.fromEntries(
      ids.map((id) => [id, { id, name: id.toUpperCase(), ...(id === "mod" ? { role: "moderator" } : {}) }]),
    );
    const make = (): Promise<Json> => world.ok("server", "POST", "/users", { body: { users } });
    await make();
    if (hosted) {
      await world.forget(ids);
      await make();
    }
    return world;
  }

  /** Removes people and all that is theirs: mutes, blocks, devices and channels of the last file. */
  private async forget(ids: string[]): Promise<void> {
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
    // A refusal does not matter, such as that of a type that still has channels.
    for (const [kind, names] of Object.entries(made))
      for (const name of names) await this.call("server", "DELETE", `/${kind}/${name}`);
  }

  /** Events with code S while they are told; a hosted provider tells them to webhooks, which do not reach here. */
  hearServers(listener: (event: Json) => void): () => void {
    return this.#provider?.onServerEvent(listener) ?? (() => {});
  }

  async stop(): Promise<void> {
    for (const line of this.lines) await line.end();
    await this.#closeFront?.();
    await this.#provider?.close();
  }

  /** The provider's time in milliseconds: the embedded one's clock can have been moved. */
  now(): number {
    return this.#provider ? this.#provider.clock.now() / 1000 : Date.now();
  }

  token(who: Who): string | undefined {
    const { secret } = this.place;
    if (who === "nobody" || who === "anonymous") return undefined;
    if (who === "server") return jwt({ server: true }, secret);
    if (who === "forger") return jwt({ user_id: "ada" }, "another secret");
    return jwt({ user_id: who }, secret);
  }

  url(route: string, { query = {}, key = this.place.apiKey }: Asked = {}): string {
    const search = new URLSearchParams(key === null ? {} : { api_key: key });
    for (const [name, value] of Object.entries(query))
      search.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
    return `${this.place.url}${route}?${search}`;
  }

  async call(who: Who, method: string, route: string, asked: Asked = {}): Promise<Answer> {
    const token = this.token(who);
    const body =
      asked.form ?? asked.text ?? (asked.body === undefined ? undefined : JSON.stringify(asked.body));
    const response = await fetch(this.url(route, asked), {
      method,
      headers: {
        "stream-auth-type": who === "anonymous" ? who : "jwt",
        ...(token === undefined ? {} : { Authorization: token }),
        ...(body !== undefined && !asked.form ? { "Content-Type": "application/json" } : {}),
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

  /** A call that prepares a case: it must succeed. */
  async ok(who: Who, method: string, route: string, asked: Asked = {}): Promise<Json> {
    const answer = await this.call(who, method, route, asked);
    if (answer.status >= 300) throw new Error(`${method} ${route}: ${JSON.stringify(answer.json)}`);
    return answer.json;
  }

  dial(payload: unknown, more: Record<string, string> = {}, key: string | null = this.place.apiKey): Line {
    const query = {
      json: typeof payload === "string" ? payload : JSON.stringify(payload),
      "stream-auth-type": "jwt",
      ...more,
    };
    const line = new Line(this.url("/connect", { query, key }).replace(/^http/, "ws"));
    this.lines.push(line);
    return line;
  }

  async connect(who: Who): Promise<Line> {
    const line = this.dial({ user_id: who, user_details: { id: who } }, { authorization: this.token(who)! });
    await line.until(() => line.frames[0]);
    return line;
  }

  /** A channel made by ada with ada, bob and cyd, and one message of ada. */
  async room(data: Record<string, unknown> = {}, type = "messaging"): Promise<Room> {
    const id = `room-${this.run}${++this.#rooms}`;
    const route = `/channels/${type}/${id}`;
    await this.ok("ada", "POST", `${route}/query`, {
      body: { data: { members: ["ada", "bob", "cyd"], ...data } },
    });
    const message = await this.say("ada", route, { text: "tea?" });
    return { world: this, type, id, cid: `${type}:${id}`, route, message, extra: {} };
  }

  async say(who: Who, route: string, message: Record<string, unknown>): Promise<string> {
    const id = `${who}-${randomUUID()}`;
    await this.ok(who, "POST", `${route}/message`, { body: { message: { id, ...message } } });
    return id;
  }
}

/** What a case has to work with. */
export interface Room {
  world: World;
  type: string;
  id: string;
  cid: string;
  /** `/channels/messaging/room-1` */
  route: string;
  /** Id of ada's message. */
  message: string;
  /** What the case's `given` left. */
  extra: Json;
}
