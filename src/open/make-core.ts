/** Creates a core with real ports: HTTP, sockets, clock, disk and log. */
import { openLog } from "../config/log.ts";
import type { Settings } from "../config/settings.ts";
import type { CoreOptions, CorePorts } from "../core/client.ts";
import type { Core } from "../core/core.ts";
import type { HttpReply, HttpRequest, RequestPort, Socket, SocketPort } from "../core/base/ports.ts";
import { PORTAL, isPortal } from "../model/obstacles.ts";
import { failureFacts, TransportError } from "../model/transport.ts";
import { isOutcomeUnknown } from "../wire/errors.ts";
import type { HostOptions, OpenOptions } from "./host.ts";
import { requestBy } from "./network.ts";
import type { openStore } from "../core/store/open-store.ts";
import type { ConnectionTarget } from "./connection-target.ts";

type MakerOptions = HostOptions & { uploadStall?: number };

function coreOptions(
  target: ConnectionTarget,
  how: OpenOptions,
  settings: Settings,
  { version, uploadStall }: MakerOptions,
): CoreOptions {
  return {
    baseUrl: target.baseUrl,
    apiKey: target.apiKey,
    transport: settings.transport,
    typing: settings.typing,
    drafts: settings["drafts.sync"],
    clientName: `parley-${version}`,
    isLoopback: target.loopback,
    ...(target.clockOffset ? { clockOffset: target.clockOffset } : {}),
    ...(target.secret === undefined ? {} : { secret: target.secret }),
    ...(target.tokenIsStored ? { tokenIsStored: true } : {}),
    ...(target.prepare ? { prepare: target.prepare } : {}),
    ...(target.ensureReachable ? { ensureReachable: target.ensureReachable } : {}),
    ...(how.calls ? { calls: how.calls } : {}),
    ...(uploadStall === undefined ? {} : { uploadStall }),
    ...(how.sendWait ? { sendWait: how.sendWait } : {}),
  };
}

export async function makeCore(
  target: ConnectionTarget,
  how: OpenOptions,
  settings: Settings,
  options: MakerOptions,
  files: { state: string; cache: string },
  attempts: SendAttempts,
): Promise<Core> {
  const user = how.server ? undefined : target.user.id || undefined;
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
    how.inMemory
      ? import("../core/store/memory-store.ts").then(({ createMemoryStore }) => createMemoryStore(user))
      : import("../core/store/open-store.ts").then(({ openStore }) =>
          openStore({ ...files, ...(user ? { userId: user } : {}) }),
        ),
  ]);
  const direct = createGotRequest();
  const request = watchSends(target.proxy ? requestBy(target.proxy, direct) : direct, attempts);
  const clock = createSystemClock();
  const ports: CorePorts = {
    request: countRequests(
      options.trace ? traceRequests(request, options.trace) : request,
      options.onRequest,
    ),
    socket: lazySocket(),
    store,
    clock,
    random: createSystemRandom(),
    log: openLog(options.env, settings.log),
    online: systemOnline,
    async openFile(file) {
      const { openUpload } = await import("../core/adapters/upload-body.ts");
      return openUpload((await how.fileOf?.(file)) ?? file);
    },
  };
  const core = createCore(coreOptions(target, how, settings, options), ports);
  const sentence = damageNotice(store);
  if (sentence !== undefined) {
    ports.log.warn(sentence);
    options.notice?.(sentence);
    core.notify({ level: "warning", text: sentence, origin: "storage" });
  }
  return core;
}

/** The notice about a damaged state.db; a damaged cache needs none, since it is filled again. */
function damageNotice({ movedTo, saved }: Partial<ReturnType<typeof openStore>>): string | undefined {
  if (movedTo === undefined) return undefined;
  const { messages = 0, drafts = 0 } = saved ?? {};
  return `state.db was damaged and moved to ${movedTo}; recovered ${messages} unsent messages and ${drafts} drafts`;
}

const isSend = ({ method, url }: HttpRequest): boolean =>
  method === "POST" && new URL(url).pathname.endsWith("/message");

export interface SendAttempts {
  maybeSent: boolean;
  /** The attempts without an answer so far. */
  inFlight: Set<Promise<unknown>>;
  /** The run has given up: no further attempt is made. */
  hasGivenUp: boolean;
  abort: AbortController;
  /** Why the last send (or else the last request) got no answer, and a hint if there is one. */
  lost?: { because: string; hint?: string; ofSend: boolean } | undefined;
}

/** The reason why an answer does not tell the outcome of a request, if it does not. */
function failureOfReply({ status, text }: HttpReply): { because: string; hint?: string } | undefined {
  if (isPortal(status, text)) return { because: PORTAL.reason, hint: PORTAL.hint };
  return isOutcomeUnknown(status) ? { because: `the provider answered HTTP ${status}` } : undefined;
}

/** Tracks sends that may have arrived although no answer came (specification/sending.md §3). */
function watchSends(request: RequestPort, attempts: SendAttempts): RequestPort {
  return async (options) => {
    const ofSend = isSend(options);
    if (attempts.hasGivenUp && ofSend)
      throw new TransportError("ERR_CANCELED", "The run has given up", undefined, true);
    const signals = [options.signal, attempts.abort.signal].filter((signal) => signal !== undefined);
    const pending = request(ofSend ? { ...options, signal: AbortSignal.any(signals) } : options);
    if (ofSend) attempts.inFlight.add(pending);
    // The answer of a later lookup does not replace the failure of the send.
    const noteFailure = (failure?: { because: string; hint?: string }): void => {
      if (ofSend || attempts.lost?.ofSend !== true) attempts.lost = failure && { ...failure, ofSend };
    };
    try {
      const reply = await pending;
      noteFailure(failureOfReply(reply));
      // Only a clear refusal proves that nothing was sent.
      if ((reply.status < 300 || isOutcomeUnknown(reply.status)) && ofSend) attempts.maybeSent = true;
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

const countRequests = (request: RequestPort, asks: HostOptions["onRequest"]): RequestPort =>
  asks === undefined
    ? request
    : (what) => {
        asks();
        return request(what);
      };

/** Traces requests for `--debug http`, without keys, tokens and authorization headers. */
function traceRequests(request: RequestPort, trace: (line: string) => void): RequestPort {
  return async (what) => {
    const url = what.url.replace(/([?&](?:api_key|authorization|token|user_token|json)=)[^&]*/gi, "$1***");
    const headers = Object.entries(what.headers)
      .map(
        ([name, value]) => `${name}: ${/authorization|cookie|key|token|secret/i.test(name) ? "***" : value}`,
      )
      .join("; ");
    trace(`> ${what.method} ${url} (${headers})`);
    const began = performance.now();
    try {
      const reply = await request(what);
      trace(`< ${reply.status} ${Math.round(performance.now() - began)} ms, ${reply.text.length} characters`);
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
  let make: SocketPort | undefined;
  return (url, handlers) => {
    if (make) return make(url, handlers);
    let inner: Socket | undefined;
    let ended = false;
    void import("../core/adapters/ws-socket.ts").then(({ createWsSocket }) => {
      make = createWsSocket();
      if (!ended) inner = make(url, handlers);
    });
    const end = (close: (socket: Socket) => void, code: number, reason: string): void => {
      if (inner) return close(inner);
      if (ended) return;
      ended = true;
      handlers.close(code, reason);
    };
    return {
      send: (text) => inner?.send(text),
      close: (code, reason) => end((socket) => socket.close(code, reason), code, reason ?? ""),
      terminate: () => end((socket) => socket.terminate(), 1006, ""),
    };
  };
}
