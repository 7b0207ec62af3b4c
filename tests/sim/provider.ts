/** The real provider without a socket: its router, authentication, handlers, batches, sessions and long-polls on the virtual clock. */
import { indexNewMessages } from "../../src/provider/domain/search/storage/schema.ts";
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import type { HttpReply, HttpRequest } from "../../src/core/base/ports.ts";
import { chat } from "../../src/provider/chat.ts";
import { ApiProblem, type RouteCall, type Caller } from "../../src/provider/base/handler.ts";
import { readApp } from "../../src/provider/store/app-settings.ts";
import { actingUser } from "../../src/provider/base/acting-user.ts";
import { createAuthenticator, type Authenticator } from "../../src/provider/http/auth.ts";
import { errorBody } from "../../src/provider/base/errors.ts";
import { IDEMPOTENCY_HEADER, runOnce, idempotencyKeyOf } from "../../src/provider/http/idempotency.ts";
import { parseRequestUrl } from "../../src/provider/http/request-url.ts";
import { match } from "../../src/wire/endpoints/match.ts";
import type { FindGone } from "../../src/provider/base/ports.ts";
import type { ProviderClock } from "../../src/provider/base/clock.ts";
import { Collector, type CollectorContext } from "../../src/provider/realtime/collector.ts";
import { Hub, type ClientConnection, type ClientLink, type Packet } from "../../src/provider/realtime/hub.ts";
import { LongPolls, pollJson } from "../../src/provider/realtime/longpoll.ts";
import { Sessions } from "../../src/provider/realtime/sessions.ts";
import { realtimeHandlers } from "../../src/provider/realtime/sync.ts";
import { Batch } from "../../src/provider/store/batch.ts";
import type { DatabaseSync } from "node:sqlite";
import { openDatabase, type OpenedDatabase } from "../../src/provider/store/open.ts";
import { transportMigrations } from "../../src/provider/store/transport.ts";
import type { EndpointName } from "../../src/wire/endpoints/index.ts";
import { signToken } from "../../src/wire/token.ts";
import type { Dice } from "../support/seeded.ts";
import type { VirtualClock } from "../support/virtual-clock.ts";

export const SIM_SECRET = "the secret of the simulated provider";
export const SIM_KEY = "simulated-key";

type SimHandlers = Partial<Record<EndpointName, (call: RouteCall) => object>>;

export const SCHEMA_PARTS = [
  { name: "transport", migrations: transportMigrations },
  {
    name: "domain",
    migrations: chat.migrations,
    registerFunctions: (raw: DatabaseSync) => chat.registerFunctions?.(raw),
  },
];

/** State that lives in one run of the process and is lost with it. */
interface Run {
  alive: boolean;
  hub: Hub;
  batch: Batch;
  sessions: Sessions;
  polls: LongPolls;
  /** WebSockets to notify when the process dies. */
  links: Set<SimSocket>;
}

/** The provider's end of one WebSocket. */
export interface SimSocket extends ClientLink {
  connection: ClientConnection | undefined;
  /** The provider's process died. */
  broke(): void;
}

export class SimProvider {
  readonly db: OpenedDatabase;
  readonly faults: string[] = [];
  readonly #clock: VirtualClock;
  readonly #dice: Dice;
  readonly #authenticate: Authenticator;
  #last = 0;
  #run: Run;

  /** Queues webhooks, where a test wants them. */
  readonly hook: CollectorContext["hook"];
  readonly uploads: RouteCall["uploads"];
  /** What readers of stored copies leave out. */
  readonly findGone: FindGone | undefined;
  readonly #handlers: SimHandlers;

  constructor(
    clock: VirtualClock,
    random: Dice,
    parts: Partial<Pick<SimProvider, "db" | "hook" | "uploads" | "findGone">> = {},
  ) {
    this.db = parts.db ?? openDatabase(":memory:", SCHEMA_PARTS);
    this.hook = parts.hook;
    this.uploads = parts.uploads;
    this.findGone = "findGone" in parts ? parts.findGone : chat.findGone;
    const { findGone: _own, ...others } = chat;
    this.#handlers = {
      ...realtimeHandlers({ ...others, ...(this.findGone && { findGone: this.findGone }) }),
      ...chat.handlers,
    };
    this.#clock = clock;
    this.#dice = random;
    this.#authenticate = createAuthenticator({
      apiKey: SIM_KEY,
      secret: SIM_SECRET,
      app: () => readApp(this.db),
      account: (userId) => chat.account(this.db, userId),
      erasedAt: (userId) => chat.erasedAt?.(this.db, userId),
      now: () => this.#now(),
    });
    this.#run = this.#boot();
  }

  #now(): number {
    return (this.#last = Math.max(this.#last + 1, Math.floor(this.#clock.now() * 1000)));
  }

  #boot(): Run {
    const hub = new Hub();
    const batch = new Batch(this.db, indexNewMessages);
    const run = { alive: true, hub, batch, links: new Set() } as unknown as Run;
    const clock: ProviderClock = {
      now: () => this.#now(),
      after: (ms, work) => {
        const timer = this.#clock.setTimeout(() => run.alive && work(), ms);
        return { cancel: () => this.#clock.clearTimeout(timer) };
      },
      advance: () => undefined,
      shift: () => undefined,
      offset: () => 0,
      steadyNow: () => 0,
    };
    run.sessions = new Sessions({
      hub,
      db: this.db,
      domain: chat,
      batch,
      clock,
      collector: () => this.#collector(run),
      uuid: () => this.#dice.uuid(),
      onChange: () => undefined,
      reportError: (error) => this.faults.push(String((error as Error)?.stack ?? error)),
    });
    run.polls = new LongPolls(run.sessions, clock);
    return run;
  }

  #collector(run: Run): Collector {
    return new Collector({
      hub: run.hub,
      db: this.db,
      domain: chat,
      now: () => this.#now(),
      refresh: (json) => json,
      ...(this.hook && { hook: this.hook }),
    });
  }

  /** Provider time, whole microseconds. */
  now(): number {
    return this.#now();
  }

  /** Runs one step of the scheduled work that is due; false when nothing is. */
  runStep(): boolean {
    const work = chat.due.find((each) => (each.next(this.db) ?? Infinity) <= this.#now());
    if (!work) return false;
    const emit = this.#collector(this.#run);
    const now = (): number => this.#now();
    const uuid = (): string => this.#dice.uuid();
    this.#run.batch.runNow({
      run: () => work.run({ db: this.db, emit, now, uuid, ...(this.uploads && { uploads: this.uploads }) }),
      undo: () => emit.undo(),
      release: () => emit.flush(),
    });
    return true;
  }

  /** Runs the scheduled work that is due, step by step. */
  runDue(): void {
    for (let steps = 0; steps < 2000; steps++) if (!this.runStep()) return;
    this.faults.push("scheduled work never ends");
  }

  /** One call with a token: of a user, or without one of a server. The answer, or its error with `StatusCode`. */
  async call(
    userId: string | undefined,
    method: string,
    path: string,
    body?: Record<string, unknown>,
    { key, token }: { key?: string; token?: string } = {},
  ): Promise<Record<string, unknown>> {
    const Authorization =
      token ?? (userId === undefined ? signToken({ server: true }, SIM_SECRET) : this.token(userId));
    const { text } = await this.handle({
      method,
      url: `http://sim:1${path}${path.includes("?") ? "&" : "?"}api_key=${SIM_KEY}`,
      headers: {
        Authorization,
        "stream-auth-type": "jwt",
        ...(key && { [IDEMPOTENCY_HEADER]: key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      timeout: 0,
      maxBytes: 1e8,
    });
    return JSON.parse(text) as Record<string, unknown>;
  }

  /** Every token issued: none may appear in a log. */
  readonly tokens = new Set<string>();

  /** Issues a token with its time of issue; it expires after `life` milliseconds. */
  token(userId: string, life?: number): string {
    const seconds = (ms: number): number => Math.floor(ms / 1000);
    const now = this.#clock.now();
    const claims = { user_id: userId, iat: now / 1000, ...(life && { exp: seconds(now + life) }) };
    const token = signToken(claims, SIM_SECRET);
    this.tokens.add(token);
    return token;
  }

  /** Revokes every token of this user that was issued before now, with the server's token. */
  async revoke(userId: string): Promise<void> {
    const revoke_tokens_issued_before = new Date(this.#clock.now()).toISOString();
    const { status, text } = await this.handle({
      method: "PATCH",
      url: `http://sim:1/users?api_key=${SIM_KEY}`,
      headers: { Authorization: signToken({ server: true }, SIM_SECRET), "stream-auth-type": "jwt" },
      body: JSON.stringify({ users: [{ id: userId, set: { revoke_tokens_issued_before } }] }),
      timeout: 0,
      maxBytes: 1e6,
    });
    if (status >= 300) this.faults.push(`revoking failed: ${text}`);
  }

  /** kill -9 and a new process on the same data: committed data stays, every WebSocket breaks. */
  restart(): void {
    const old = this.#run;
    old.alive = false;
    this.#run = this.#boot();
    for (const link of old.links) link.broke();
  }

  get run(): object {
    return this.#run;
  }

  /** Whether the process of that run is still alive. */
  lives(run: object): boolean {
    return run === this.#run;
  }

  /** Handles one request as the HTTP server would; `gone` takes a listener to call when the client hangs up. */
  async handle(request: HttpRequest, gone?: (hangUp: () => void) => void): Promise<HttpReply> {
    const run = this.#run;
    const url = new URL(request.url);
    const { pathname, query } = parseRequestUrl(url.pathname + url.search);
    let op = "Request";
    try {
      const found = match(request.method, pathname);
      if (found.kind !== "found") throw new ApiProblem(16, "there is no such route");
      const { name, row, path } = found;
      op = row.op;
      const caller: Caller = row.open
        ? { kind: "anonymous", userId: undefined, role: "anonymous" }
        : this.#authenticate({
            apiKey: query.api_key,
            authType: request.headers["stream-auth-type"],
            token: request.headers.Authorization,
            userId: query.user_id,
          });
      if (name === "longPoll") {
        const response = new EventEmitter();
        gone?.(() => response.emit("close"));
        const answer = await run.polls.handle(
          caller,
          query,
          () => JSON.parse(query.json ?? "{}") as Record<string, unknown>,
          response as unknown as ServerResponse,
        );
        return this.#reply(200, pollJson(answer, "0.10ms"));
      }
      const handler = this.#handlers[name];
      if (!handler) throw new Error(`the simulated provider does not have ${name}`);
      const emit = this.#collector(run);
      const body =
        typeof request.body === "string"
          ? (JSON.parse(request.body) as Record<string, unknown>)
          : row.payload && query.payload
            ? (JSON.parse(query.payload) as Record<string, unknown>)
            : {};
      const call: RouteCall = {
        name,
        op,
        path,
        query,
        body,
        caller,
        connectionId: query.connection_id || undefined,
        requestId: undefined,
        db: this.db,
        emit,
        now: () => this.#now(),
        uuid: () => this.#dice.uuid(),
        ...(this.uploads && { uploads: this.uploads }),
      };
      if (caller.kind === "server") call.caller.userId = actingUser(body, query);
      const key = idempotencyKeyOf(request.headers[IDEMPOTENCY_HEADER], row);
      const json = await run.batch.run({
        run: () =>
          runOnce(call, key, () => JSON.stringify({ ...handler(call), duration: "0.10ms" }), this.findGone),
        undo: () => emit.undo(),
        release: () => emit.flush(),
      });
      return this.#reply(row.method === "POST" ? 201 : 200, json);
    } catch (error) {
      if (!(error instanceof ApiProblem)) this.faults.push(String((error as Error)?.stack ?? error));
      const body = errorBody(op, error, performance.now());
      return this.#reply(body.StatusCode, JSON.stringify(body));
    }
  }

  #reply(status: number, text: string): HttpReply {
    const reset = String(Math.floor(this.#clock.now() / 60_000) * 60 + 60);
    return {
      status,
      headers: {
        "content-type": "application/json",
        "x-ratelimit-limit": "1000",
        "x-ratelimit-remaining": "900",
        "x-ratelimit-reset": reset,
        date: new Date(this.#clock.now()).toUTCString(),
      },
      text,
    };
  }

  /** The handshake of a WebSocket; its frames go to `link`. */
  async connect(url: string, link: SimSocket): Promise<void> {
    const run = this.#run;
    run.links.add(link);
    const { query } = parseRequestUrl(url.slice(url.indexOf("/connect")));
    try {
      const caller = this.#authenticate({
        apiKey: query.api_key,
        authType: query["stream-auth-type"],
        token: query.authorization,
        userId: query.user_id,
      });
      const payload = JSON.parse(query.json ?? "{}") as Record<string, unknown>;
      await run.sessions.open(caller, payload, link, (connection, frame) => {
        link.connection = connection;
        connection.begin(frame);
      });
    } catch (error) {
      link.close(1008, JSON.stringify({ error: errorBody("Connect", error, performance.now()) }));
    }
  }

  /** The provider notices that a WebSocket has ended. */
  ended(link: SimSocket): void {
    if (!this.#run.links.delete(link) || !link.connection) return;
    this.#run.sessions.onClosed(link.connection);
  }

  /** The provider's answer to a ping. */
  pong(link: SimSocket): void {
    if (!this.#run.links.has(link)) return;
    const at = this.#now();
    const created_at = `${new Date(Math.floor(at / 1000)).toISOString().slice(0, -1)}${String(at % 1000).padStart(3, "0")}Z`;
    link.send({
      text: JSON.stringify({ type: "health.check", connection_id: link.connection?.id, created_at }),
    } as Packet);
  }

  close(): void {
    this.#run.alive = false;
    this.db.close();
  }
}
