/** Creates a core with real ports: HTTP, sockets, clock, disk and log. */
import { openLog } from "../config/log.ts";
import type { Settings } from "../config/settings.ts";
import type { CoreOptions, CorePorts } from "../core/client.ts";
import type { Core } from "../core/core.ts";
import type { HttpReply, HttpRequest, RequestPort, Socket, SocketPort } from "../core/base/ports.ts";
import { PORTAL, isPortal } from "../model/obstacles.ts";
import { failureFacts, TransportError } from "../model/transport.ts";
import { DRY_RUN_HEADER } from "../wire/dry-run.ts";
import { isOutcomeUnknown } from "../wire/errors.ts";
import type { HostOptions, OpenOptions } from "./host.ts";
import { requestThroughProxy } from "./network.ts";
import type { openStore } from "../core/store/open-store.ts";
import type { ConnectionTarget } from "./connection-target.ts";

type CoreHostOptions = HostOptions & { uploadStall?: number };

function coreOptions(
  target: ConnectionTarget,
  options: OpenOptions,
  settings: Settings,
  { version, uploadStall }: CoreHostOptions,
): CoreOptions {
  const { baseUrl, apiKey, secret, tokenIsStored, clockOffset, prepare, ensureReachable } = target;
  return {
    baseUrl,
    apiKey,
    secret,
    tokenIsStored,
    clockOffset,
    prepare,
    ensureReachable,
    transport: options.transport ?? settings.transport,
    typing: settings.typing,
    drafts: settings["drafts.sync"],
    linkPreviews: settings.linkPreviews,
    locations: settings.locations,
    ...(settings["messages.longest"] > 0 && { maxTextLength: settings["messages.longest"] }),
    clientName: `parley-${version}`,
    isLoopback: target.loopback,
    calls: options.calls,
    uploadStall,
    sendWait: options.sendWait,
  };
}

export async function makeCore(
  target: ConnectionTarget,
  options: OpenOptions,
  settings: Settings,
  hostOptions: CoreHostOptions,
  files: { state: string; cache: string },
  attempts: SendAttempts,
): Promise<Core> {
  const user = options.server ? undefined : target.user.id || undefined;
  const [
    { createCore },
    { createGotRequest },
    { createSystemClock, systemOnline },
    { createSystemRandom },
    store,
  ] = await Promise.all([
    import("../core/client.ts"),
    import("../core/adapters/got-request.ts"),
    import("../core/adapters/system-clock.ts"),
    import("../core/adapters/system-random.ts"),
    options.inMemory
      ? import("../core/store/memory-store.ts").then(({ createMemoryStore }) => createMemoryStore(user))
      : import("../core/store/open-store.ts").then(({ openStore }) =>
          openStore({ ...files, ...(user ? { userId: user } : {}) }),
        ),
  ]);
  const direct = observed(target.ports?.request ?? createGotRequest(), options.onAnswer);
  const request = trackSends(target.proxy ? requestThroughProxy(target.proxy, direct) : direct, attempts);
  const clock = createSystemClock();
  const ports: CorePorts = {
    request: countRequests(
      hostOptions.trace ? traceRequests(request, hostOptions.trace) : request,
      hostOptions.onRequest,
    ),
    socket: target.ports?.socket ?? lazySocket(),
    store,
    clock,
    random: createSystemRandom(),
    log: openLog(hostOptions.env, settings.log),
    online: systemOnline,
    async openFile(file) {
      const { openUpload } = await import("../core/adapters/upload-body.ts");
      return openUpload((await options.fileOf?.(file)) ?? file);
    },
  };
  const core = createCore(coreOptions(target, options, settings, hostOptions), ports);
  for (const notice of storeNotices(store, files)) {
    ports.log.warn(notice);
    hostOptions.notice?.(notice);
    core.notify({ level: "warning", text: notice, origin: "storage" });
  }
  return core;
}

const observed = (request: RequestPort, onAnswer: OpenOptions["onAnswer"]): RequestPort =>
  onAnswer
    ? async (options) => {
        const answer = await request(options);
        onAnswer(answer.headers);
        return answer;
      }
    : request;

/** What was wrong with the files of the store; a damaged cache needs no notice, since it is filled again. */
function storeNotices(
  { movedTo, saved, wasEmpty, cacheProblem }: Partial<ReturnType<typeof openStore>>,
  { state }: { state: string },
): string[] {
  const { messages = 0, drafts = 0 } = saved ?? {};
  return [
    ...(movedTo === undefined
      ? []
      : [
          `state.db was damaged and moved to ${movedTo}; recovered ${messages} unsent messages and ${drafts} drafts`,
        ]),
    ...(wasEmpty ? [`${state} was empty: unsent messages and drafts that it held are lost`] : []),
    ...(cacheProblem === undefined ? [] : [`the cache is kept in memory for this run: ${cacheProblem}`]),
  ];
}

const isDryRun = ({ headers }: HttpRequest): boolean => headers[DRY_RUN_HEADER] !== undefined;

const isSendRequest = ({ method, url }: HttpRequest): boolean =>
  method === "POST" && new URL(url).pathname.endsWith("/message");

export interface SendAttempts {
  maybeSent: boolean;
  /** The attempts without an answer so far. */
  inFlight: Set<Promise<unknown>>;
  /** The run has given up: no further attempt is made. */
  hasGivenUp: boolean;
  abort: AbortController;
  /** Why the last send (or else the last request) got no answer, and a hint if there is one. */
  lastFailure?: { because: string; hint?: string; isSend: boolean } | undefined;
}

/** The reason why an answer does not tell the outcome of a request, if it does not. */
function replyFailure({ status, text }: HttpReply): { because: string; hint?: string } | undefined {
  if (isPortal(status, text)) return { because: PORTAL.reason, hint: PORTAL.hint };
  return isOutcomeUnknown(status) ? { because: `the provider answered HTTP ${status}` } : undefined;
}

/** Tracks sends that may have arrived although no answer came (specification/sending.md §3). */
function trackSends(request: RequestPort, attempts: SendAttempts): RequestPort {
  return async (options) => {
    if (isDryRun(options)) return request(options);
    const isSend = isSendRequest(options);
    if (attempts.hasGivenUp && isSend)
      throw new TransportError("ERR_CANCELED", "The run has given up", undefined, true);
    const signals = [options.signal, attempts.abort.signal].filter((signal) => signal !== undefined);
    const pending = request(isSend ? { ...options, signal: AbortSignal.any(signals) } : options);
    if (isSend) attempts.inFlight.add(pending);
    // The answer of a later lookup does not replace the failure of the send.
    const noteFailure = (failure?: { because: string; hint?: string }): void => {
      if (isSend || attempts.lastFailure?.isSend !== true)
        attempts.lastFailure = failure && { ...failure, isSend };
    };
    try {
      const reply = await pending;
      noteFailure(replyFailure(reply));
      // Only a clear refusal proves that nothing was sent.
      if ((reply.status < 300 || isOutcomeUnknown(reply.status)) && isSend) attempts.maybeSent = true;
      return reply;
    } catch (error) {
      const { neverSent, reason, obstacle } = failureFacts(error);
      if (!attempts.hasGivenUp) noteFailure({ because: reason, ...(obstacle && { hint: obstacle.hint }) });
      if (options.method === "POST" && !neverSent) attempts.maybeSent = true;
      throw error;
    } finally {
      attempts.inFlight.delete(pending);
    }
  };
}

const countRequests = (request: RequestPort, onRequest: HostOptions["onRequest"]): RequestPort =>
  onRequest === undefined
    ? request
    : (options) => {
        onRequest();
        return request(options);
      };

/** Traces requests for `--debug http`, without keys, tokens and authorization headers. */
function traceRequests(request: RequestPort, trace: (line: string) => void): RequestPort {
  return async (options) => {
    const url = options.url.replace(/([?&](?:api_key|authorization|token|user_token|json)=)[^&]*/gi, "$1***");
    const headers = Object.entries(options.headers)
      .map(
        ([name, value]) => `${name}: ${/authorization|cookie|key|token|secret/i.test(name) ? "***" : value}`,
      )
      .join("; ");
    trace(`> ${options.method} ${url} (${headers})`);
    const startedAt = performance.now();
    try {
      const reply = await request(options);
      trace(
        `< ${reply.status} ${Math.round(performance.now() - startedAt)} ms, ${reply.text.length} characters`,
      );
      return reply;
    } catch (error) {
      trace(
        `< ${(error as Error).name}: ${(error as Error).message.replace(/api_key=[^&\s]*/g, "api_key=***")}`,
      );
      throw error;
    }
  };
}

/** Loads the WebSocket library at the first connection, since most commands never open one. */
function lazySocket(): SocketPort {
  let createSocket: SocketPort | undefined;
  return (url, handlers) => {
    if (createSocket) return createSocket(url, handlers);
    let socket: Socket | undefined;
    let ended = false;
    void import("../core/adapters/ws-socket.ts").then(({ createWsSocket }) => {
      createSocket = createWsSocket();
      if (!ended) socket = createSocket(url, handlers);
    });
    const end = (close: (socket: Socket) => void, code: number, reason: string): void => {
      if (socket) return close(socket);
      if (ended) return;
      ended = true;
      handlers.close(code, reason);
    };
    return {
      send: (text) => socket?.send(text),
      close: (code, reason) => end((socket) => socket.close(code, reason), code, reason ?? ""),
      terminate: () => end((socket) => socket.terminate(), 1006, ""),
    };
  };
}
