/** A small domain and small clients for the provider's transport tests: real sockets, real SQLite, own tables. */
import { once } from "node:events";
import http from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { WebSocket } from "ws";
import { ApiProblem, type DomainHandlers, type RouteCall } from "../../src/provider/base/handler.ts";
import { readApp, clientSettings } from "../../src/provider/store/app-settings.ts";
import type { Domain } from "../../src/provider/base/ports.ts";
import { assembleProvider } from "../../src/provider/assemble.ts";
import type { Provider } from "../../src/provider/running.ts";
import type { ProviderOptions } from "../../src/provider/options.ts";
import type { Database } from "../../src/provider/base/database.ts";
import { timeFromMicros } from "../../src/wire/time.ts";
import { endpoints, type EndpointName } from "../../src/wire/endpoints/index.ts";
import { signToken } from "../../src/wire/token.ts";

interface PersonRow {
  id: string;
  name: string | null;
  banned: number;
  deactivated: number;
  deleted: number;
  invisible: number;
  revoked: number | null;
  last_active: number | null;
}

const person = (db: Database, id: string): PersonRow | undefined =>
  db.get<PersonRow>("SELECT * FROM person WHERE id = ?", id);

const writtenHandlers: Partial<Record<EndpointName, (call: RouteCall) => object>> = {
  /** Refuses after writing when asked to, so that the rollback can be tested. */
  sendMessage({ db, emit, body, path, caller, now }) {
    if (!body.message) throw new ApiProblem(4, "message is required");
    const { id, text } = body.message as { id: string; text: string };
    const cid = `${path.type}:${path.id}`;
    if (db.get("SELECT 1 FROM note WHERE id = ?", id))
      throw new ApiProblem(4, `message ${id} already exists`);
    db.run("INSERT INTO note (id, cid, text) VALUES (?, ?, ?)", id, cid, text);
    const message = { id, cid, text, user: { id: caller.userId }, created_at: timeFromMicros(now()) };
    emit.watchers(cid, { type: "message.new", message, message_id: id }, undefined, (userId) =>
      db.get("SELECT 1 FROM member WHERE cid = ? AND user_id = ?", cid, userId)
        ? { unread_count: 1 }
        : undefined,
    );
    emit.membersNotWatching(cid, (userId) => ({ type: "notification.message_new", message, for: userId }));
    if (text === "refuse") throw new ApiProblem(4, "refused after writing", { fields: { text: "no" } });
    if (text === "break") throw new TypeError("a bug with a secret detail");
    return { message };
  },
  getMessage({ db, path }) {
    const message = db.get("SELECT * FROM note WHERE id = ?", path.id!);
    if (!message) throw new ApiProblem(16, "no such message");
    return { message: { ...message } };
  },
  queryChannel({ emit, body, path, connectionId, caller }) {
    const cid = `${path.type}:${path.id}`;
    if (body.watch) {
      if (!connectionId || !emit.isOpen(connectionId, caller.userId ?? "!anon"))
        throw new ApiProblem(4, "watch and presence need the connection_id of an open connection");
      if (emit.watch(connectionId, cid))
        emit.watchers(cid, { type: "user.watching.start", watcher_count: emit.watcherInfo(cid).count });
    }
    if (body.presence) emit.subscribePresence(connectionId!, body.presence as string[]);
    return { path, watching: emit.watcherInfo(cid), body };
  },
  getApp: ({ db, caller }) => ({ app: caller.kind === "server" ? readApp(db) : clientSettings(readApp(db)) }),
  queryUsers: ({ body, caller }) => ({ users: [], payload: body, caller }),
  upsertUsers: ({ body, caller }) => ({ body, caller }),
  deleteMessage: () => ({ message: {} }),
};

/** Routes that the transport implements itself; all others that are not written above are refused. */
const TRANSPORT = new Set([
  "hi",
  "sync",
  "stopWatching",
  "getRateLimits",
  "deleteFile",
  "deleteImage",
  "deleteChannelFile",
  "deleteChannelImage",
]);
const refuse = (): never => {
  throw new ApiProblem(16, "the tiny domain has no such thing");
};

/** The answers of the tiny domain do not follow the protocol: its tests are about the transport only. */
export const tinyHandlers = {
  ...Object.fromEntries(
    Object.keys(endpoints)
      .filter((name) => !TRANSPORT.has(name))
      .map((name) => [name, refuse]),
  ),
  ...writtenHandlers,
} as unknown as DomainHandlers;

export const tiny: Domain = {
  migrations: [
    `CREATE TABLE person (id TEXT PRIMARY KEY, name TEXT, banned INTEGER DEFAULT 0, deactivated INTEGER DEFAULT 0,
       deleted INTEGER DEFAULT 0, invisible INTEGER DEFAULT 0, revoked INTEGER, last_active INTEGER) STRICT;
     CREATE TABLE note (id TEXT PRIMARY KEY, cid TEXT, text TEXT) STRICT;
     CREATE TABLE member (cid TEXT, user_id TEXT) STRICT;`,
  ],
  handlers: tinyHandlers,
  prefetches: {},
  due: [],
  longRoutes: new Set(),
  needsReadingThread: () => false,
  watchFor: () => {},
  connectUser(db, _emit, userId, details, now) {
    db.run(
      `INSERT INTO person (id, name, last_active) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET
       name = coalesce(excluded.name, name), last_active = excluded.last_active`,
      userId,
      typeof details.name === "string" ? details.name : null,
      now,
    );
    if (details.name === "refused") throw new ApiProblem(4, "this name is refused");
  },
  ownUser(db, emit, userId) {
    return { id: userId, name: person(db, userId)?.name ?? "", online: emit.online(userId) } as never;
  },
  account(db, userId) {
    const row = person(db, userId);
    return (
      row && {
        role: "user",
        banned: row.banned === 1,
        deactivated: row.deactivated === 1,
        deleted: row.deleted === 1,
        invisible: row.invisible === 1,
        revokedBefore: row.revoked ?? undefined,
      }
    );
  },
  blockedRecipient: () => undefined,
  blockedAuthor: () => undefined,
  connectDevice: () => {},
  touch(db, emit, userId, now) {
    db.run("UPDATE person SET last_active = ? WHERE id = ?", now, userId);
    return { id: userId, online: emit.online(userId) };
  },
  announcesWatching: (db, userId) => person(db, userId)?.invisible === 0,
  membersAmong: (db, cid, users) =>
    db
      .all<{ user_id: string }>("SELECT user_id FROM member WHERE cid = ?", cid)
      .map((row) => row.user_id)
      .filter((userId) => users.has(userId)),
  inaccessible: (_db, _userId, cids) => cids.filter((cid) => cid.endsWith("closed")),
  requireUpload(_call, cid) {
    if (cid.endsWith("closed")) throw new ApiProblem(17, "not here");
    if (cid.endsWith("dry")) throw new ApiProblem(19, "uploads are off");
  },
  startImport() {
    throw ApiProblem.featureOff("this domain has no imports");
  },
  canDeleteUpload: ({ caller }) => caller.userId === "moderator",
};

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into by every test in its own way
  json: any;
}

export interface RawRequest {
  method?: string;
  headers?: http.OutgoingHttpHeaders;
  body?: string | Buffer;
}

/** Sends one request exactly as given: only `Host` is added, and it can be replaced. */
export function httpRequest(
  url: string,
  { method = "GET", headers = {}, body }: RawRequest = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        let json: unknown;
        try {
          json = JSON.parse(text);
        } catch {
          json = undefined;
        }
        resolve({ status: response.statusCode!, headers: response.headers, text, json });
      });
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}

export class Socket {
  readonly ws: WebSocket;
  // oxlint-disable-next-line typescript/no-explicit-any -- frames are looked into by every test in its own way
  readonly frames: any[] = [];
  closed: { code: number } | undefined;
  private wake: (() => void)[] = [];

  constructor(url: string, options: WebSocket.ClientOptions = {}) {
    this.ws = new WebSocket(url, options);
    this.ws.on("message", (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString("utf8")));
      this.changed();
    });
    this.ws.on("error", () => {});
    this.ws.on("close", (code) => {
      this.closed = { code };
      this.changed();
    });
  }
  private changed(): void {
    for (const wake of this.wake.splice(0)) wake();
  }
  /** Waits until the condition holds; if it never does, the test's time limit ends the wait. */
  async until<T>(condition: (self: this) => T | undefined | false): Promise<T> {
    for (;;) {
      const value = condition(this);
      if (value) return value;
      await new Promise<void>((resolve) => this.wake.push(resolve));
    }
  }
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  event(type: string): Promise<any> {
    return this.until((self) => self.frames.find((frame) => frame.type === type));
  }
  async end(code = 1000): Promise<void> {
    if (this.ws.readyState === WebSocket.CLOSED) return;
    const closed = once(this.ws, "close");
    this.ws.close(code);
    await closed;
  }
}

export class Harness {
  readonly provider: Provider;
  readonly folder: string;

  private constructor(provider: Provider, folder: string) {
    this.provider = provider;
    this.folder = folder;
  }

  static async start(options: Partial<ProviderOptions> = {}, domain: Domain = tiny): Promise<Harness> {
    const folder = mkdtempSync(path.join(tmpdir(), "parley-transport-"));
    const provider = assembleProvider(domain, { data: path.join(folder, "data"), ...options });
    await provider.listen();
    return new Harness(provider, folder);
  }

  async stop(): Promise<void> {
    await this.provider.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  token(userId: string, claims: Record<string, unknown> = {}): string {
    return signToken({ user_id: userId, ...claims }, this.provider.secret);
  }
  get serverToken(): string {
    return signToken({ server: true }, this.provider.secret);
  }
  url(route: string, query: Record<string, string> = {}): string {
    const search = new URLSearchParams({ api_key: this.provider.apiKey, ...query });
    return `${this.provider.url}${route}?${search}`;
  }
  /** A call of the user, or of a server when `userId` is undefined. */
  call(
    userId: string | undefined,
    method: string,
    route: string,
    body?: unknown,
    query: Record<string, string> = {},
    headers: http.OutgoingHttpHeaders = {},
  ): Promise<Answer> {
    const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
    return httpRequest(this.url(route, query), {
      method,
      headers: {
        Authorization: userId === undefined ? this.serverToken : this.token(userId),
        "stream-auth-type": "jwt",
        ...(text === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
  }
  socketUrl(query: Record<string, string>): string {
    return this.url("/connect", query).replace("http:", "ws:");
  }
  /** Opens a socket without waiting for its first frame. */
  dial(userId: string, details: Record<string, unknown> = {}): Socket {
    return new Socket(
      this.socketUrl({
        json: JSON.stringify({ user_id: userId, user_details: { id: userId, ...details } }),
        authorization: this.token(userId),
        "stream-auth-type": "jwt",
      }),
    );
  }
  async connect(userId: string, details: Record<string, unknown> = {}): Promise<Socket & { id: string }> {
    const socket = this.dial(userId, details);
    const first = await socket.event("health.check");
    return Object.assign(socket, { id: first.connection_id as string });
  }
  send(userId: string, id: string, text = "hi", channel = "team/tea"): Promise<Answer> {
    return this.call(userId, "POST", `/channels/${channel}/message`, { message: { id, text } });
  }
  watch(userId: string, connectionId: string, channel = "team/tea", presence?: string[]): Promise<Answer> {
    const body = { watch: true, ...(presence ? { presence } : {}) };
    return this.call(userId, "POST", `/channels/${channel}/query`, body, { connection_id: connectionId });
  }
  join(cid: string, ...userIds: string[]): void {
    this.provider.transact((_emit, db) => {
      for (const userId of userIds) db.run("INSERT INTO member (cid, user_id) VALUES (?, ?)", cid, userId);
    });
  }
}
