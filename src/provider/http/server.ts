/** The HTTP server: handles each request in the protocol's order of checks. */
import http, {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { normalizeBody } from "../../wire/absent.ts";
import { bodyOf } from "../../wire/bodies/index.ts";
import {
  BODY_TIME,
  HEADER_LIMIT,
  HELLO_LIMIT,
  JSON_BODY_LIMIT,
  SOCKETS_IN_ALL,
} from "../../wire/constants.ts";
import { DRY_RUN_EXPECTED, DRY_RUN_HEADER, type CallBefore } from "../../wire/dry-run.ts";
import type { EndpointName, EndpointRow } from "../../wire/endpoints/index.ts";
import {
  ApiProblem,
  isUpload,
  type AfterCommit,
  type RouteCall,
  type Caller,
  type Handlers,
  type External,
  type Prefetches,
} from "../base/handler.ts";
import type { Files } from "../files/files.ts";
import type { Signer } from "../files/sign.ts";
import type { SpoolFiles } from "../files/spool.ts";
import { faultProblem, type Faults, type InjectedFault } from "./faults.ts";
import type { Collector } from "../realtime/collector.ts";
import { pollJson, type LongPolls } from "../realtime/longpoll.ts";
import type { SocketServer } from "../realtime/socket.ts";
import type { Batch } from "../store/batch.ts";
import type { Database } from "../base/database.ts";
import type { RequestInfo } from "../../wire/entities/webhook.ts";
import { requireWrite, type Authenticated, type Authenticator } from "./auth.ts";
import { writeRawError } from "./raw-error.ts";
import { drain, readBodyText } from "./body.ts";
import { durationSince, errorBody } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { cpuTime } from "../store/budget.ts";
import { BEFORE_MS, dryRunOf, parseText, readDryRun, runBefore } from "./dry-run.ts";
import { platformOf, type RateLimits } from "./limits.ts";
import { answerLong, type LongContext } from "./long-reads.ts";
import type { Gate } from "./origin.ts";
import { IDEMPOTENCY_HEADER, runOnce, idempotencyKeyOf } from "./idempotency.ts";
import { parseRequestUrl } from "./request-url.ts";
import { match } from "../../wire/endpoints/match.ts";
import { RATE_LIMITED } from "../../wire/errors.ts";
import { actingUser } from "../base/acting-user.ts";

/** One answered request; never contains a token, a key or a query (specification/errors.md §6). */
export interface LogEntry {
  op: string;
  status: number;
  code?: number;
  requestId?: string;
  duration: string;
  /** Stack of an unexpected exception. */
  fault?: string;
}

/** Answers a path outside the protocol (`/_local/…`): first authenticates by the headers alone, then runs with the body. */
export type AdminApi = (
  verb: string,
  request: IncomingMessage,
) => (body: Record<string, unknown>) => object | Promise<object>;

interface HttpContext {
  gate(): Gate;
  authenticate: Authenticator;
  handlers: Handlers;
  prefetches: Prefetches;
  external: External;
  afterCommit: AfterCommit;
  limits: RateLimits;
  batch: Batch;
  db: Database;
  collector(request?: RequestInfo): Collector;
  deliver(emit: Collector): void;
  files: Files;
  spool: SpoolFiles;
  faults: Faults;
  long: LongContext;
  /** The problem to answer with when the error means that the database is damaged. */
  damageProblem(error: unknown): ApiProblem | undefined;
  signer: Signer;
  polls: LongPolls;
  sockets: SocketServer;
  adminApi: AdminApi;
  now(): number;
  uuid(): string;
  log(entry: LogEntry): void;
  /** Restarts the idle timer, because a client made a request. */
  onActivity(): void;
}

/** The matched route: any but `longPoll`, which has no handler. */
interface Route {
  name: Exclude<EndpointName, "longPoll">;
  row: EndpointRow;
  path: Record<string, string>;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  start: number;
  op: string;
  pathname: string;
  query: Record<string, string>;
  headers: OutgoingHttpHeaders;
  requestId: string | undefined;
}

interface SerializedAnswer {
  status: number;
  json: string | Uint8Array;
}

const REQUEST_ID = /^[\w.:-]{1,128}$/;
const UPLOAD_TIMEOUT = 3_600_000;
/** How long a sender that is too slow, or sends too much at once, has to read the answer, ms. */
const CUT_AFTER = 2000;
/** Paths that need no token or signature. */
const OPEN_PATHS = /^\/+(hi\/*$|files\/+gifs\/)/;

export function createHttpServer(context: HttpContext): Server {
  const server = http.createServer(
    {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: HELLO_LIMIT,
      requestTimeout: UPLOAD_TIMEOUT,
      keepAliveTimeout: 60_000,
      connectionsCheckingInterval: 5000,
      // The gate refuses a missing Host with an error body of the wire.
      requireHostHeader: false,
      // Java's HTTP client offers HTTP/2 with every request; such an offer is ignored and answered in HTTP/1.1.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
    },
    (request, response) => void serve(context, request, response),
  );
  server.maxConnections = SOCKETS_IN_ALL;
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    upgrade(context, request, socket, head),
  );
  server.on("connect", (_request, socket: Duplex) =>
    writeRawError(socket, ApiProblem.notFound("the method CONNECT is not allowed here", { status: 405 })),
  );
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers.expect === DRY_RUN_EXPECTED && request.headers[DRY_RUN_HEADER] !== undefined)
      return void serve(context, request, response);
    const words = `only 100-continue can be expected here, and ${DRY_RUN_EXPECTED} of a dry run`;
    writeRawError(request.socket, ApiProblem.input(words, { status: 417 }));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => refuseRaw(error, socket));
  return server;
}

/** Answers a request that the HTTP parser rejected with an error body of the wire. */
function refuseRaw(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const refusal =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ApiProblem.headersTooBig(`the headers may be at most ${HEADER_LIMIT} bytes`)
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ApiProblem.timedOut("the request took too long")
        : ApiProblem.input("the request is not valid HTTP");
  writeRawError(socket, refusal);
}

function upgrade(context: HttpContext, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.on("error", () => socket.destroy());
  try {
    context.gate().check(request);
    const { pathname } = parseRequestUrl(request.url ?? "/");
    if (pathname.replace(/\/+/g, "/").replace(/\/$/, "") !== "/connect")
      throw ApiProblem.notFound("there is nothing to connect to at this path");
    context.onActivity();
    // A fault on the WebSocket can only cut or refuse: there is no answer to delay.
    const injected = context.faults.take("GET", "/connect");
    if (injected?.drop) return void socket.destroy();
    const refusal = injected && faultProblem(injected);
    if (refusal) throw refusal;
    context.sockets.accept(request, socket, head);
  } catch (error) {
    writeRawError(socket, error instanceof ApiProblem ? error : new ApiProblem(-1, "internal system error"));
  }
}

async function serve(
  context: HttpContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const start = performance.now();
  const { pathname, query } = parseRequestUrl(request.url ?? "/");
  const sentId = request.headers["x-client-request-id"];
  const requestId = typeof sentId === "string" && REQUEST_ID.test(sentId) ? sentId : undefined;
  const headers: OutgoingHttpHeaders = requestId ? { "x-client-request-id": requestId } : {};
  const exchange: Exchange = { request, response, start, op: "Request", pathname, query, headers, requestId };
  let written: SerializedAnswer | undefined;
  let fault: unknown;
  try {
    const gate = context.gate();
    gate.check(request);
    const cors = request.headers.origin === undefined ? undefined : gate.cors(request.headers);
    if (cors) Object.assign(headers, cors);
    if (request.method === "OPTIONS" && cors) {
      response.writeHead(204, headers).end();
      return;
    }
    // A mere liveness check does not keep the provider awake, and pages of other sites must not read the answer.
    if (OPEN_PATHS.test(pathname)) {
      gate.checkOpen(request.headers);
      headers["Cross-Origin-Resource-Policy"] = "same-origin";
    } else context.onActivity();
    const isSpared = pathname.startsWith("/_local/") || dryRunOf(request.headers) !== undefined;
    const injected = isSpared ? undefined : context.faults.take(request.method ?? "GET", pathname);
    if (injected) await applyFault(exchange, injected);
    written = await dispatch(context, exchange);
    if (injected?.drop === "answer") response.destroy();
  } catch (error) {
    fault = error;
    const body = errorBody(exchange.op, context.damageProblem(error) ?? error, start);
    written = { status: body.StatusCode, json: JSON.stringify(body) };
  }
  // Provider time, which may have been moved: clients without a connection read it from this header.
  headers.Date = new Date(context.now() / 1000).toUTCString();
  if (written) send(exchange, written, fault !== undefined);
  const refusal = fault instanceof ApiProblem ? fault : undefined;
  context.log({
    op: exchange.op,
    status: written?.status ?? response.statusCode,
    ...(fault === undefined ? {} : { code: refusal?.code ?? -1 }),
    ...(requestId ? { requestId } : {}),
    duration: durationSince(start),
    ...(fault !== undefined && !refusal ? { fault: String((fault as Error)?.stack ?? fault) } : {}),
  });
}

/** Applies a fault before the request is handled: delays it, cuts the connection, or refuses. */
async function applyFault(exchange: Exchange, injected: InjectedFault): Promise<void> {
  if (injected.delay !== undefined)
    await new Promise((resolve) => setTimeout(resolve, injected.delay).unref());
  if (injected.drop === "request") {
    exchange.response.destroy();
    throw new ApiProblem(-1, "the line was cut on purpose");
  }
  const refusal = faultProblem(injected);
  if (refusal?.code === RATE_LIMITED) exchange.headers["Retry-After"] = 1;
  if (refusal) throw refusal;
}

function send(
  { request, response, headers }: Exchange,
  { status, json }: SerializedAnswer,
  error: boolean,
): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  headers["Content-Type"] = "application/json";
  headers["X-Content-Type-Options"] = "nosniff";
  headers["Content-Length"] = Buffer.byteLength(json);
  const bodyUnread = error && !request.complete;
  // A sender that was too slow for one body gets no second try on this connection.
  if (status === 408) headers.Connection = "close";
  response.writeHead(status, headers);
  response.end(json);
  // The connection stays open: closing it would cut the sender off before it reads the answer.
  if (bodyUnread) drain(request, status === 408 || status === 429 ? CUT_AFTER : BODY_TIME);
}

async function dispatch(context: HttpContext, exchange: Exchange): Promise<SerializedAnswer | undefined> {
  const method = exchange.request.method ?? "GET";
  const { pathname } = exchange;
  if (pathname.startsWith("/files/") && (method === "GET" || method === "HEAD"))
    return serveFile(context.files, exchange, "GetFile");
  const spooled = context.spool.kindOf(method, pathname);
  if (spooled === "exports") return serveFile(context.spool, exchange, "GetExport");
  if (spooled === "imports") return importFile(context, exchange);
  if (pathname.startsWith("/_local/")) return answerLocal(context, exchange, method);
  const route = match(method, pathname);
  if (route.kind === "unknown") throw ApiProblem.notFound("there is no such route");
  if (route.kind === "wrongMethod") {
    exchange.op = route.op;
    exchange.headers.Allow = route.allowed.join(", ");
    throw ApiProblem.notFound(`the method ${method} is not allowed here`, { status: 405 });
  }
  const { name, row } = route;
  exchange.op = row.op;
  const credentials = credentialsOf(exchange.request, exchange.query, name === "longPoll");
  const caller = row.open ? undefined : authenticate(context, credentials, name);
  countCall(context, exchange, row, caller);
  if (caller) requireAllowed(route, caller);
  if (name === "longPoll") return answerLongPoll(context, exchange, caller!);
  const json = await answerRoute(context, exchange, { ...route, name }, caller);
  return { status: row.method === "POST" ? 201 : 200, json };
}

/** Throws code 17 for a user's call of a route for servers, and for a write of somebody who may only read. */
function requireAllowed(
  { name, row }: Omit<Route, "name"> & { name: EndpointName },
  caller: Authenticated,
): void {
  if (row.serverOnly && caller.kind !== "server")
    throw ApiProblem.notAllowed(row.serverOnlyMessage ?? "only a server may do this");
  if (!row.safe) requireWrite(caller, name);
}

async function serveFile(from: Pick<Files, "serve">, exchange: Exchange, op: string): Promise<undefined> {
  const { request, response, pathname, query, headers } = exchange;
  exchange.op = op;
  await from.serve(request, response, pathname, query, headers as Record<string, string>);
}

async function importFile(context: HttpContext, exchange: Exchange): Promise<SerializedAnswer> {
  exchange.op = "UploadImport";
  await context.spool.receive(exchange.request, exchange.pathname, exchange.query);
  return { status: 200, json: serialize(context, {}, exchange.start) };
}

/** What a call of a route is made from. */
interface RouteInput {
  query: Record<string, string>;
  caller: Caller | undefined;
  emit: Collector;
  /** A dry run asks no other server and leaves no work for later. */
  dry: boolean;
}

/** The context of a call; its body is read later. */
function callOf(
  context: HttpContext,
  { request, requestId }: Exchange,
  { name, row, path }: Route,
  { query, caller, emit, dry }: RouteInput,
): RouteCall {
  return {
    request: requestInfo(request, caller),
    name,
    op: row.op,
    path,
    query,
    body: {},
    caller: caller ?? { kind: "anonymous", userId: undefined, role: "anonymous" },
    connectionId: query.connection_id || undefined,
    requestId,
    db: context.db,
    emit,
    now: context.now,
    uuid: context.uuid,
    jobFiles: context.spool,
    uploads: context.files,
    ...(dry ? {} : { external: context.external, afterCommit: context.afterCommit }),
  };
}

/** Gives a call its body, and a server's call the user it acts for. */
function takeBody(call: RouteCall, body: Record<string, unknown>): void {
  call.body = body;
  normalizeBody(bodyOf(call.name), call.body);
  if (call.caller.kind === "server") call.caller.userId = actingUser(call.body, call.query);
}

const hasBody = ({ method }: EndpointRow): boolean => method !== "GET" && method !== "DELETE";

/** Runs one route for an authenticated caller; returns the JSON of the reply. */
async function answerRoute(
  context: HttpContext,
  exchange: Exchange,
  route: Route,
  caller: Caller | undefined,
): Promise<string | Uint8Array> {
  const { request, query, start } = exchange;
  const { name, row } = route;
  const dry = row.safe ? undefined : dryRunOf(request.headers);
  const emit = context.collector(requestInfo(request, caller));
  const call = callOf(context, exchange, route, { query, caller, emit, dry: dry !== undefined });
  const sent = dry === "after" ? await readDryRun(request) : undefined;
  const transact = <T>(run: () => T): Promise<T> =>
    context.batch.run({
      name: row.op,
      run() {
        const until = cpuTime() + BEFORE_MS;
        for (const before of sent?.before ?? [])
          if (cpuTime() < until) repeatBefore(context, exchange, before, emit);
        return run();
      },
      undo: () => emit.undo(),
      ...(dry ? { dry: true } : { release: () => context.deliver(emit) }),
    });
  if (isUpload(name)) {
    if (call.caller.kind === "server") call.caller.userId = query.user_id || undefined;
    const { files } = context;
    const reply = dry
      ? await files.tryUpload(call, sent ? parseText(sent.body) : request, transact)
      : await files.upload(call, request, transact);
    return serialize(context, reply, start);
  }
  if (hasBody(row)) takeBody(call, sent ? parseText(sent.body) : parseJson(await readBodyText(request)));
  else takeBody(call, row.payload ? payloadOf(query.payload) : {});
  const handler = context.handlers[name];
  const prepared = context.prefetches[name]?.(call);
  if (prepared) call.prepared = await prepared;
  const run = (): string => {
    const reply: object = handler(call);
    return serialize(context, dry ? withTask(context, call, reply) : reply, start);
  };
  if (context.long.domain.longRoutes.has(name)) return answerLong(context.long, call, start, transact, run);
  const key = idempotencyKeyOf(request.headers[IDEMPOTENCY_HEADER], row);
  return transact(() => runOnce(call, key, run, context.long.domain.findGone));
}

/** The reply of a dry run with the task that it would start. */
function withTask({ long }: HttpContext, call: RouteCall, reply: object & { task_id?: unknown }): object {
  const task = typeof reply.task_id === "string" ? long.domain.tryTask?.(call, reply.task_id) : undefined;
  return task ? { ...reply, task } : reply;
}

/** Repeats a call that a dry run is based on, with the checks of a real one. */
function repeatBefore(context: HttpContext, exchange: Exchange, before: CallBefore, emit: Collector): void {
  runBefore(context.db, () => {
    const { pathname, query } = parseRequestUrl(before.url);
    const route = match(before.method, pathname);
    if (route.kind !== "found" || isUpload(route.name) || route.name === "longPoll") return;
    const { name, row } = route;
    const credentials = credentialsOf({ headers: before.headers }, query, false);
    const caller = row.open ? undefined : authenticate(context, credentials, name);
    if (caller) requireAllowed(route, caller);
    const call = callOf(context, exchange, { ...route, name }, { query, caller, emit, dry: true });
    takeBody(call, hasBody(row) ? parseText(before.body) : {});
    context.handlers[name](call);
  });
}

function requestInfo({ headers, socket }: IncomingMessage, caller: Caller | undefined): RequestInfo {
  const text = (name: string): string => String(headers[name] ?? "").slice(0, 512);
  return {
    type: caller?.kind === "server" ? "server" : "client",
    ip: socket.remoteAddress ?? "",
    user_agent: text("user-agent"),
    sdk: text("x-stream-client"),
    ext: text("x-stream-ext"),
  };
}

/** Serializes a reply; done inside the transaction, so that a failure undoes the call. */
function serialize(context: HttpContext, reply: object, start: number): string {
  return context.signer.refresh(JSON.stringify({ ...reply, duration: durationSince(start) }));
}

function payloadOf(payload: string | undefined): Record<string, unknown> {
  if (payload === undefined || payload.trim() === "") return {};
  if (Buffer.byteLength(payload) > JSON_BODY_LIMIT) throw ApiProblem.tooBig("the payload is too big");
  return parseJson(payload);
}

/** Credentials of a request: from the headers, and with `inQuery` from the query, where the WebSocket and the long poll send them. */
export function credentialsOf(
  request: Pick<IncomingMessage, "headers">,
  query: Record<string, string>,
  inQuery: boolean,
): Parameters<Authenticator>[0] {
  const { headers } = request;
  const authType = headers["stream-auth-type"] ?? (inQuery ? query["stream-auth-type"] : undefined);
  const header = headers.authorization?.replace(/^Bearer\s+/i, "").trim();
  return {
    apiKey: query.api_key,
    authType: typeof authType === "string" ? authType : undefined,
    token: (inQuery ? query.authorization : undefined) || header,
    userId: query.user_id || undefined,
  };
}

const authenticate = (
  context: HttpContext,
  credentials: Parameters<Authenticator>[0],
  name: EndpointName,
): Authenticated =>
  context.authenticate({
    ...credentials,
    worksWhileSuspended: name === "getApp" || name === "updateApp",
    createsGuest: name === "createGuest",
  });

function countCall(
  context: HttpContext,
  exchange: Exchange,
  row: EndpointRow,
  caller: Caller | undefined,
): void {
  const client = exchange.request.headers["x-stream-client"];
  const platform = platformOf(typeof client === "string" ? client : undefined, caller?.kind === "server");
  const dry = !row.safe && dryRunOf(exchange.request.headers) !== undefined;
  const budget = context.limits.count(row, platform, caller?.userId, context.now() / 1000, dry);
  exchange.headers["X-RateLimit-Limit"] = budget.limit;
  exchange.headers["X-RateLimit-Remaining"] = budget.remaining;
  exchange.headers["X-RateLimit-Reset"] = budget.reset;
  if (!budget.refused) return;
  exchange.headers["Retry-After"] = budget.retryAfter;
  throw ApiProblem.rateLimit(`too many requests, try again in ${budget.retryAfter} s`);
}

async function answerLongPoll(
  context: HttpContext,
  exchange: Exchange,
  caller: Caller,
): Promise<SerializedAnswer> {
  const { query, response, start } = exchange;
  const answer = await context.polls.handle(caller, query, () => parseJson(query.json ?? ""), response);
  return { status: 200, json: pollJson(answer, durationSince(start)) };
}

async function answerLocal(
  context: HttpContext,
  exchange: Exchange,
  method: string,
): Promise<SerializedAnswer> {
  exchange.op = "Local";
  if (method !== "POST") throw ApiProblem.notFound("local control takes POST only", { status: 405 });
  const verb = exchange.pathname.slice("/_local/".length).replace(/(?<!\/)\/+$/, "");
  const run = context.adminApi(verb, exchange.request);
  const reply = await run(parseJson(await readBodyText(exchange.request)));
  return { status: 200, json: serialize(context, reply, exchange.start) };
}
