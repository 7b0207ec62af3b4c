/** Creates a core with the ports of this process: HTTP, sockets, clock, disk and log. */
import { openLog } from "../config/log.ts";
import type { Settings } from "../config/settings.ts";
import type { CoreOptions, CorePorts } from "../core/client.ts";
import type { Core } from "../core/core.ts";
import type { HttpReply, HttpRequest, RequestPort, Socket, SocketPort } from "../core/base/ports.ts";
import { PORTAL, isPortal } from "../model/obstacles.ts";
import { failureFacts, TransportError } from "../model/transport.ts";
import { leavesOpen } from "../wire/errors.ts";
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

/** A core with the real world behind its ports. */
export async function makeCore(
  target: ConnectionTarget,
  how: OpenOptions,
  settings: Settings,
  options: MakerOptions,
  files: { state: string; cache: string },
  tries: Tries,
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
    how.forgetful
      ? import("../core/store/memory.ts").then(({ createMemoryStore }) => createMemoryStore(user))
      : import("../core/store/open-store.ts").then(({ openStore }) =>
          openStore({ ...files, ...(user ? { userId: user } : {}) }),
        ),
  ]);
  const plain = createGotRequest();
  const request = watchSends(target.proxy ? requestBy(target.proxy, plain) : plain, tries);
  const clock = createSystemClock();
  const ports: CorePorts = {
    request: counted(options.trace ? traced(request, options.trace) : request, options.asks),
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
  const sentence = setAside(store);
  if (sentence !== undefined) {
    ports.log.warn(sentence);
    options.notice?.(sentence);
    core.notify({ level: "warning", text: sentence, origin: "storage" });
  }
  return core;
}

/** What became of a damaged state.db, for people; a cache comes back by itself. */
function setAside({ movedTo, saved }: Partial<ReturnType<typeof openStore>>): string | undefined {
  if (movedTo === undefined) return undefined;
  const { messages = 0, drafts = 0 } = saved ?? {};
  return `state.db was damaged: it was kept as ${movedTo}; what is unsent (${messages}) and the drafts (${drafts}) that could be read go on`;
}

const isSend = ({ method, url }: HttpRequest): boolean =>
  method === "POST" && new URL(url).pathname.endsWith("/message");

/** What is remembered of the tries of a send. */
export interface Tries {
  maybeSent: boolean;
  /** The sends that have left and have no answer yet. */
  underway: Set<Promise<unknown>>;
  /** The run has given up: no send leaves any more. */
  over: boolean;
  /** Cuts the sends that are still underway. */
  cut: AbortController;
  /** Why the last send brought nothing, else the last request; in words, and what to do about it where that is known. */
  lost?: { because: string; hint?: string; ofSend: boolean } | undefined;
}

/** What is wrong with an answer that says nothing of what was asked. */
function lossOf({ status, text }: HttpReply): { because: string; hint?: string } | undefined {
  if (isPortal(status, text)) return { because: PORTAL.says, hint: PORTAL.todo };
  return leavesOpen(status) ? { because: `the provider answered HTTP ${status}` } : undefined;
}

/** Remembers a send that may have arrived although no answer came (specification/sending.md §3). */
function watchSends(request: RequestPort, tries: Tries): RequestPort {
  return async (what) => {
    const ofSend = isSend(what);
    if (tries.over && ofSend)
      throw new TransportError("ERR_CANCELED", "The run has given up", undefined, true);
    const signals = [what.signal, tries.cut.signal].filter((signal) => signal !== undefined);
    const asked = request(ofSend ? { ...what, signal: AbortSignal.any(signals) } : what);
    if (ofSend) tries.underway.add(asked);
    // That a lookup was answered says nothing of the send before it.
    const lose = (lost?: { because: string; hint?: string }): void => {
      if (ofSend || tries.lost?.ofSend !== true) tries.lost = lost && { ...lost, ofSend };
    };
    try {
      const reply = await asked;
      lose(lossOf(reply));
      // Taken, whatever the words of the answer, or nobody knows: only a clear refusal says that nothing was sent.
      if ((reply.status < 300 || leavesOpen(reply.status)) && ofSend) tries.maybeSent = true;
      return reply;
    } catch (error) {
      const { neverSent, reason, obstacle } = failureFacts(error);
      if (!tries.over) lose({ because: reason, ...(obstacle && { hint: obstacle.todo }) });
      if (what.method === "POST" && !neverSent) tries.maybeSent = true;
      throw error;
    } finally {
      tries.underway.delete(asked);
    }
  };
}

const counted = (request: RequestPort, asks: HostOptions["asks"]): RequestPort =>
  asks === undefined
    ? request
    : (what) => {
        asks();
        return request(what);
      };

/** What `--debug http` shows: never a key, a token or an authorization header. */
function traced(request: RequestPort, trace: (line: string) => void): RequestPort {
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

/** The WebSocket library is loaded at the first connection, not by one-shots that never make one. */
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
