/** The HTTP server: one request from its first byte to its answer, in the protocol's order of checks. */
import http, {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { dropAbsent } from "../../wire/absent.ts";
import { bodyOf } from "../../wire/bodies/index.ts";
import { HEADER_LIMIT, HELLO_LIMIT, JSON_BODY_LIMIT, SOCKETS_IN_ALL } from "../../wire/constants.ts";
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
import { problemOf, type Faults, type InjectedFault } from "./faults.ts";
import type { Collector } from "../realtime/collector.ts";
import { pollJson, type LongPolls } from "../realtime/longpoll.ts";
import type { SocketServer } from "../realtime/socket.ts";
import type { Batch } from "../store/batch.ts";
import type { Database } from "../base/database.ts";
import type { RequestInfo } from "../../wire/entities/webhook.ts";
import { requireWrite, type Authenticator } from "./auth.ts";
import { writeBare } from "./bare-answer.ts";
import { drain, readBodyText } from "./body.ts";
import { durationSince, errorBody } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { platformOf, type RateLimits } from "./limits.ts";
import { answerLong, type LongContext } from "./long.ts";
import type { Gate } from "./origin.ts";
import { IDEMPOTENCY_HEADER, runOnce, idempotencyKeyOf } from "./idempotency.ts";
import { parseRequestUrl } from "./query.ts";
import { match } from "./router.ts";
import { RATE_LIMITED } from "../../wire/errors.ts";
import { actingUser } from "../base/acting-user.ts";

/** One answered request; never holds a token, a key or a query (specification/errors.md §6). */
export interface LogEntry {
  op: string;
  status: number;
  code?: number;
  requestId?: string;
  duration: string;
  /** What an unexpected exception said. */
  fault?: string;
}

/** Answers a path outside the protocol (`/_local/…`): lets a caller in by headers alone, then takes the body. */
export type AdminApi = (
  verb: string,
  request: IncomingMessage,
) => (body: Record<string, unknown>) => object | Promise<object>;

interface HttpContext {
  gate(): Gate;
  authenticate: Authenticator;
  handlers: Handlers;
  prefetches: Prefetches;
  outside: External;
  afterCommit: AfterCommit;
  limits: RateLimits;
  batch: Batch;
  db: Database;
  collector(request?: RequestInfo): Collector;
  committed(emit: Collector): void;
  files: Files;
  spool: SpoolFiles;
  faults: Faults;
  long: LongContext;
  /** What is answered instead of an error that says that the database is damaged. */
  damaged(error: unknown): ApiProblem | undefined;
  signer: Signer;
  polls: LongPolls;
  sockets: SocketServer;
  adminApi: AdminApi;
  now(): number;
  uuid(): string;
  log(entry: LogEntry): void;
  /** A client spoke: the idle watch starts anew. */
  touched(): void;
}

/** What is called: everything of the endpoint's row but `longPoll`, which waits. */
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

/** JSON text that is already written, put into an answer as it is. */
interface Written {
  status: number;
  /** Or its bytes. */
  json: string | Uint8Array;
}

const REQUEST_ID = /^[\w.:-]{1,128}$/;
const UPLOAD_TIMEOUT = 3_600_000;
/** What is answered without a token or a signature. */
const OPEN_PATHS = /^\/+(hi\/*$|files\/+gifs\/)/;

export function createHttpServer(context: HttpContext): Server {
  const server = http.createServer(
    {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: HELLO_LIMIT,
      requestTimeout: UPLOAD_TIMEOUT,
      keepAliveTimeout: 60_000,
      connectionsCheckingInterval: 5000,
      // Without a Host the gate refuses, in the words of the wire.
      requireHostHeader: false,
      // Java's own client offers HTTP/2 with every request: whoever offers that is answered in HTTP/1.1.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
    },
    (request, response) => void serve(context, request, response),
  );
  server.maxConnections = SOCKETS_IN_ALL;
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    upgrade(context, request, socket, head),
  );
  server.on("connect", (_request, socket: Duplex) =>
    writeBare(socket, ApiProblem.notFound("the method CONNECT is not allowed here", { status: 405 })),
  );
  server.on("checkExpectation", ({ socket }: IncomingMessage) =>
    writeBare(socket, ApiProblem.input("only 100-continue can be expected here", { status: 417 })),
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => refuseRaw(error, socket));
  return server;
}

/** A request the parser gave up on still gets the error body of the wire, never an empty answer. */
function refuseRaw(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const refusal =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ApiProblem.headersTooBig(`the headers may be at most ${HEADER_LIMIT} bytes`)
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ApiProblem.timedOut("the request took too long")
        : ApiProblem.input("the request is not valid HTTP");
  writeBare(socket, refusal);
}

function upgrade(context: HttpContext, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.on("error", () => socket.destroy());
  try {
    context.gate().check(request);
    const { pathname } = parseRequestUrl(request.url ?? "/");
    if (pathname.replace(/\/+/g, "/").replace(/\/$/, "") !== "/connect")
      throw ApiProblem.notFound("there is nothing to connect to at this path");
    context.touched();
    // A fault on the WebSocket can only cut or refuse: there is no answer yet to hold back.
    const injected = context.faults.take("GET", "/connect");
    if (injected?.drop) return void socket.destroy();
    const refusal = injected && problemOf(injected);
    if (refusal) throw refusal;
    context.sockets.accept(request, socket, head);
  } catch (error) {
    writeBare(socket, error instanceof ApiProblem ? error : new ApiProblem(-1, "internal system error"));
  }
}

async function serve(
  context: HttpContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const start = performance.now();
  const { pathname, query } = parseRequestUrl(request.url ?? "/");
  const given = request.headers["x-client-request-id"];
  const requestId = typeof given === "string" && REQUEST_ID.test(given) ? given : undefined;
  const headers: OutgoingHttpHeaders = requestId ? { "x-client-request-id": requestId } : {};
  const exchange: Exchange = { request, response, start, op: "Request", pathname, query, headers, requestId };
  let written: Written | undefined;
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
    // Whoever asks no more than whether somebody is here keeps nobody awake, and a page of somebody else's learns nothing.
    if (OPEN_PATHS.test(pathname)) {
      gate.checkOpen(request.headers);
      headers["Cross-Origin-Resource-Policy"] = "same-origin";
    } else context.touched();
    const injected = pathname.startsWith("/_local/")
      ? undefined
      : context.faults.take(request.method ?? "GET", pathname);
    if (injected) await applyFault(exchange, injected);
    written = await answer(context, exchange);
    if (injected?.drop === "answer") response.destroy();
  } catch (error) {
    fault = error;
    const body = errorBody(exchange.op, context.damaged(error) ?? error, start);
    written = { status: body.StatusCode, json: JSON.stringify(body) };
  }
  // The provider's own time, which may have been moved: clients without a connection learn it here.
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

/** What a fault does before the request is looked at: it waits, cuts the line, or refuses. */
async function applyFault(exchange: Exchange, injected: InjectedFault): Promise<void> {
  if (injected.delay !== undefined) await new Promise((go) => setTimeout(go, injected.delay).unref());
  if (injected.drop === "request") {
    exchange.response.destroy();
    throw new ApiProblem(-1, "the line was cut on purpose");
  }
  const refusal = problemOf(injected);
  if (refusal?.code === RATE_LIMITED) exchange.headers["Retry-After"] = 1;
  if (refusal) throw refusal;
}

function send({ request, response, headers }: Exchange, { status, json }: Written, failed: boolean): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  headers["Content-Type"] = "application/json";
  headers["X-Content-Type-Options"] = "nosniff";
  headers["Content-Length"] = Buffer.byteLength(json);
  const unread = failed && !request.complete;
  // Who is too slow for one body is not waited for with the next.
  if (status === 408) headers.Connection = "close";
  response.writeHead(status, headers);
  response.end(json);
  // The line stays open: closing it would cut the sender off before it reads why it was refused.
  if (unread) drain(request);
}

async function answer(context: HttpContext, exchange: Exchange): Promise<Written | undefined> {
  const method = exchange.request.method ?? "GET";
  const { pathname } = exchange;
  if (pathname.startsWith("/files/") && (method === "GET" || method === "HEAD"))
    return served(context.files, exchange, "GetFile");
  const spooled = context.spool.kindOf(method, pathname);
  if (spooled === "exports") return served(context.spool, exchange, "GetExport");
  if (spooled === "imports") return importFile(context, exchange);
  if (pathname.startsWith("/_local/")) return local(context, exchange, method);
  const found = match(method, pathname);
  if (found.kind === "unknown") throw ApiProblem.notFound("there is no such route");
  if (found.kind === "wrongMethod") {
    exchange.op = found.op;
    exchange.headers.Allow = found.allowed.join(", ");
    throw ApiProblem.notFound(`the method ${method} is not allowed here`, { status: 405 });
  }
  const { name, row } = found;
  exchange.op = row.op;
  const caller = row.open ? undefined : authenticate(context, exchange, name);
  limit(context, exchange, row, caller);
  if (caller && row.serverOnly && caller.kind !== "server")
    throw ApiProblem.notAllowed(row.serverWords ?? "only a server may do this");
  if (caller && !row.safe) requireWrite(caller, name);
  if (name === "longPoll") return poll(context, exchange, caller!);
  const json = await answerRoute(context, exchange, { ...found, name }, caller);
  return { status: row.method === "POST" ? 201 : 200, json };
}

/** A file, which writes its answer itself. */
async function served(from: Pick<Files, "serve">, exchange: Exchange, op: string): Promise<undefined> {
  const { request, response, pathname, query, headers } = exchange;
  exchange.op = op;
  await from.serve(request, response, pathname, query, headers as Record<string, string>);
}

async function importFile(context: HttpContext, exchange: Exchange): Promise<Written> {
  exchange.op = "UploadImport";
  await context.spool.receive(exchange.request, exchange.pathname, exchange.query);
  return { status: 200, json: finish(context, {}, exchange.start) };
}

/** The JSON of one route, for a caller who may call it. */
async function answerRoute(
  context: HttpContext,
  exchange: Exchange,
  { name, row, path }: Route,
  caller: Caller | undefined,
): Promise<string | Uint8Array> {
  const { request, query, start } = exchange;
  const from = requestInfo(request, caller);
  const emit = context.collector(from);
  const call: RouteCall = {
    request: from,
    name,
    op: row.op,
    path,
    query,
    body: {},
    caller: caller ?? { kind: "anonymous", userId: undefined, role: "anonymous" },
    connectionId: query.connection_id || undefined,
    requestId: exchange.requestId,
    db: context.db,
    emit,
    now: context.now,
    uuid: context.uuid,
    jobFiles: context.spool,
    uploads: context.files,
    external: context.outside,
    afterCommit: context.afterCommit,
  };
  const transact = <T>(run: () => T): Promise<T> =>
    context.batch.run({
      name: row.op,
      run,
      undo: () => emit.undo(),
      release: () => context.committed(emit),
    });
  if (isUpload(name)) {
    if (call.caller.kind === "server") call.caller.userId = query.user_id || undefined;
    return finish(context, await context.files.upload(call, request, transact), start);
  }
  if (row.method === "POST" || row.method === "PUT" || row.method === "PATCH")
    call.body = parseJson(await readBodyText(request));
  else if (row.payload) call.body = payloadOf(query.payload);
  dropAbsent(bodyOf(name), call.body);
  if (call.caller.kind === "server") call.caller.userId = actingUser(call.body, query);
  const handler = context.handlers[name];
  const prepared = context.prefetches[name]?.(call);
  if (prepared) call.prepared = await prepared;
  const run = (): string => finish(context, handler(call), start);
  if (context.long.domain.longRoutes.has(name)) return answerLong(context.long, call, start, transact, run);
  const key = idempotencyKeyOf(request.headers[IDEMPOTENCY_HEADER], row);
  return transact(() => runOnce(call, key, run));
}

/** Where a call comes from, as hooks are told. */
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

/** Written inside the transaction, so that an answer that cannot be written undoes its call. */
function finish(context: HttpContext, reply: object, start: number): string {
  return context.signer.refresh(JSON.stringify({ ...reply, duration: durationSince(start) }));
}

function payloadOf(payload: string | undefined): Record<string, unknown> {
  if (payload === undefined || payload.trim() === "") return {};
  if (Buffer.byteLength(payload) > JSON_BODY_LIMIT) throw ApiProblem.tooBig("the payload is too big");
  return parseJson(payload);
}

/** Credentials of a request: headers first, the query as the WebSocket and the long poll send them. */
export function credentialsOf(
  request: IncomingMessage,
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

function authenticate(
  context: HttpContext,
  exchange: Exchange,
  name: EndpointName,
): ReturnType<Authenticator> {
  const { request, query, pathname } = exchange;
  const given = credentialsOf(request, query, /^\/+longpoll\/*$/.test(pathname));
  return context.authenticate({
    ...given,
    administers: name === "getApp" || name === "updateApp",
    makesGuest: name === "createGuest",
  });
}

function limit(context: HttpContext, exchange: Exchange, row: EndpointRow, caller: Caller | undefined): void {
  const client = exchange.request.headers["x-stream-client"];
  const platform = platformOf(typeof client === "string" ? client : undefined, caller?.kind === "server");
  const budget = context.limits.count(row, platform, caller?.userId, context.now() / 1000);
  exchange.headers["X-RateLimit-Limit"] = budget.limit;
  exchange.headers["X-RateLimit-Remaining"] = budget.remaining;
  exchange.headers["X-RateLimit-Reset"] = budget.reset;
  if (!budget.refused) return;
  exchange.headers["Retry-After"] = budget.retryAfter;
  throw ApiProblem.rateLimit(`too many requests, try again in ${budget.retryAfter} s`);
}

async function poll(context: HttpContext, exchange: Exchange, caller: Caller): Promise<Written> {
  const { query, response, start } = exchange;
  const answer = await context.polls.handle(caller, query, () => parseJson(query.json ?? ""), response);
  return { status: 200, json: pollJson(answer, durationSince(start)) };
}

async function local(context: HttpContext, exchange: Exchange, method: string): Promise<Written> {
  exchange.op = "Local";
  if (method !== "POST") throw ApiProblem.notFound("local control takes POST only", { status: 405 });
  const verb = exchange.pathname.slice("/_local/".length).replace(/(?<!\/)\/+$/, "");
  const run = context.adminApi(verb, exchange.request);
  const reply = await run(parseJson(await readBodyText(exchange.request)));
  return { status: 200, json: finish(context, reply, exchange.start) };
}
