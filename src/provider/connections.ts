/** The connections of a provider: WebSockets, long polls, and the reading threads. */
import type { IncomingMessage } from "node:http";
import type { Caller } from "./base/handler.ts";
import { invalidField } from "./base/problems.ts";
import { parseJson } from "./base/json.ts";
import { type Authenticator, createAuthenticator } from "./http/auth.ts";
import { parseRequestUrl } from "./http/request-url.ts";
import { credentialsOf } from "./http/server.ts";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { ProviderBase } from "./provider-base.ts";
import { writeRawError } from "./http/raw-error.ts";
import type { IdleWatch } from "./lifecycle/idle.ts";
import { DATA_FILES } from "./lifecycle/identity.ts";
import { Readers } from "./reader/readers.ts";
import { LongPolls } from "./realtime/longpoll.ts";
import { Sessions } from "./realtime/sessions.ts";
import { createSocketServer, type SocketServer } from "./realtime/socket.ts";
import { readApp } from "./store/app-settings.ts";
import { usesWriteAheadLog } from "./store/open.ts";
import type { WriteSide } from "./write-side.ts";

interface Handshake {
  caller: Caller;
  payload: Record<string, unknown>;
}

/** The token is taken from the payload only when the request carries no other. */
function readHandshake(authenticate: Authenticator, request: IncomingMessage): Handshake {
  const { query } = parseRequestUrl(request.url ?? "/");
  const credentials = credentialsOf(request, query, true);
  let payload: Record<string, unknown> | undefined;
  if (!credentials.token && query.json !== undefined) {
    payload = parseJson(query.json);
    if (typeof payload.user_token === "string") credentials.token = payload.user_token;
  }
  const caller = authenticate(credentials);
  if (query.json === undefined) throw invalidField("json", "is required", "json is missing");
  return { caller, payload: payload ?? parseJson(query.json) };
}

export interface Connections {
  readonly authenticate: Authenticator;
  readonly sessions: Sessions;
  readonly sockets: SocketServer;
  readonly polls: LongPolls;
  /** Absent when the database is in memory. */
  readonly readers: Readers | undefined;
}

export function createConnections(base: ProviderBase, { commits }: WriteSide, idle: IdleWatch): Connections {
  const { domain, apiKey, secret, db, batch, clock, hub, failures } = base;
  const reportError = failures.inBackground;
  const authenticate = createAuthenticator({
    apiKey,
    secret,
    app: () => readApp(db),
    account: (userId) => domain.account(db, userId),
    erasedAt: (userId) => domain.erasedAt?.(db, userId),
    now: () => clock.now(),
  });
  const sessions = new Sessions({
    hub,
    db,
    domain,
    batch,
    clock,
    collector: commits.collector,
    uuid: randomUUID,
    onChange: idle.restart,
    reportError,
  });
  const sockets = createSocketServer({
    sessions,
    clock,
    reportError,
    readHandshake: (request) => readHandshake(authenticate, request),
    refuse: writeRawError,
  });
  return {
    authenticate,
    sessions,
    sockets,
    polls: new LongPolls(sessions, clock),
    readers: readersOf(base),
  };
}

/** Run from sources, the thread's code is a file beside this one; in the bundle it is a separate entry. */
function threadFile(): URL {
  const beside = new URL("./reading-thread.ts", import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL("../reader.js", import.meta.url);
}

function readersOf({ memory, folder, secret, db, clock, hub }: ProviderBase): Readers | undefined {
  if (memory || !usesWriteAheadLog(db)) return undefined;
  return new Readers(
    threadFile(),
    { file: path.join(folder, DATA_FILES.database), secret },
    () => clock.now(),
    () => [...hub.byUser.keys()].filter((userId) => hub.online(userId)),
  );
}
