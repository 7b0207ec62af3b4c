/** Parley's client core for other programs: `import { createClient } from "parley-chat/core"`; unstable until version 1.0. */
import { createGotRequest } from "./adapters/got-request.ts";
import { createSystemClock, systemOnline } from "./adapters/system-clock.ts";
import { createSystemRandom } from "./adapters/system-random.ts";
import { openUpload } from "./adapters/upload-body.ts";
import { createWsSocket } from "./adapters/ws-socket.ts";
import type { Log } from "./base/ports.ts";
import { createCore, type Client, type CoreOptions } from "./client.ts";
import { createMemoryStore } from "./store/memory.ts";
import { openStore } from "./store/open-store.ts";

export { ApiError, LocalError, TransportError } from "../model/errors.ts";
export { SignInNeeded } from "./http/token.ts";
export { StoreFailure } from "../model/files/storage.ts";
export type { ChannelEntry, HeldMessage, MessageSet, Notice, State, ThreadRef } from "../model/state.ts";
export type { EndpointName } from "../wire/endpoints/index.ts";
export type { AnyEvent } from "../wire/events.ts";
export type { Channel, Member } from "../wire/entities/channel.ts";
export type { Message } from "../wire/entities/message.ts";
export type { User } from "../wire/entities/user.ts";
export type { Log } from "./base/ports.ts";
export type { Client, CoreOptions } from "./client.ts";
export type { CallArgs, OutgoingMessage, SendOutcome, Steps, TokenSource, Upload } from "./core.ts";

/** As `CoreOptions`; what has a default may be left out. */
export interface ClientOptions extends Omit<CoreOptions, "transport" | "clientName"> {
  /** `websocket` (default), `longpoll`, or `auto`: the socket first, polling where it cannot be had. */
  transport?: CoreOptions["transport"];
  /** Name and version, for the provider's log; default `parley-core`. */
  clientName?: string;
  /**
   * Paths of two SQLite files: what must not be lost (unsent messages, drafts), and what can be fetched again. Their
   * folders are made, for the owner alone. Absent = in memory: nothing outlives the process. One user a pair of files.
   */
  store?: { state: string; cache: string; userId?: string };
  /** Gets what may be of use when something goes wrong, never a token or a text; absent = nobody. */
  log?: Log;
}

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Unstable: until version 1.0 any release may rename, change or drop what is exported here. docs/example-client.mjs shows
 * it at work.
 *
 * A client on this machine's clock, network and disk. It does nothing until it is told to: `connectUser` opens the live
 * connection, `setUser` is enough for single calls.
 *
 * Calls reject with `ApiError` (the provider said no: `status`, `code`), `TransportError` (no usable answer: `code`,
 * `neverSent`, `retryable`), `SignInNeeded` (no user is set, or the token is another's) or `LocalError` (refused before
 * any request). Throws `StoreFailure` when the state file
 * cannot be opened. `close()` ends its timers, sockets and files; what was not sent stays in the state file.
 */
export function createClient(options: ClientOptions): Client {
  const { store, log = SILENT, transport = "websocket", clientName = "parley-core", ...rest } = options;
  return createCore(
    { ...rest, transport, clientName },
    {
      request: createGotRequest(),
      socket: createWsSocket(),
      store: store ? openStore(store) : createMemoryStore(),
      clock: createSystemClock(),
      random: createSystemRandom(),
      log,
      online: systemOnline,
      openFile: openUpload,
    },
  );
}
