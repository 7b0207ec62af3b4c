/** Parley's client core for other programs: `import { createClient } from "parley-chat/core"`; unstable until version 1.0. */
import { createGotRequest } from "./adapters/got-request.ts";
import { createSystemClock, systemOnline } from "./adapters/system-clock.ts";
import { createSystemRandom } from "./adapters/system-random.ts";
import { openUpload } from "./adapters/upload-body.ts";
import { createWsSocket } from "./adapters/ws-socket.ts";
import type { Log } from "./base/ports.ts";
import { createCore, type CoreOptions } from "./client.ts";
import type { Core } from "./core.ts";
import { createMemoryStore } from "./store/memory-store.ts";
import { openStore } from "./store/open-store.ts";

export { ApiError, LocalError, TransportError } from "../model/errors.ts";
export { SignInNeeded } from "./http/token.ts";
export { StoreFailure } from "../model/files/storage.ts";
export type { ChannelEntry, ClientMessage, MessageSet, Notice, State, ThreadRef } from "../model/state.ts";
export type { EndpointName } from "../wire/endpoints/index.ts";
export type { AnyEvent } from "../wire/events.ts";
export type { Channel, Member } from "../wire/entities/channel.ts";
export type { Message } from "../wire/entities/message.ts";
export type { User } from "../wire/entities/user.ts";
export type { Log } from "./base/ports.ts";
export type { CoreOptions } from "./client.ts";
export type {
  Core as Client,
  CallArgs,
  OutgoingMessage,
  SendOutcome,
  Steps,
  TokenSource,
  Upload,
} from "./core.ts";

/** `CoreOptions` with defaults for the transport and the client name. */
export interface ClientOptions extends Omit<CoreOptions, "transport" | "clientName"> {
  /** `websocket` (default), `longpoll`, or `auto`: the socket first, long-polling where no socket can be opened. */
  transport?: CoreOptions["transport"];
  /** Name and version, for the provider's log; default `parley-core`. */
  clientName?: string;
  /**
   * Paths of two SQLite files: `state` for data that must not be lost (unsent messages, drafts), `cache` for data that can
   * be fetched again. Missing folders are created, readable by their owner only. Absent = in memory, lost when the process
   * ends. Each user needs their own pair of files.
   */
  store?: { state: string; cache: string; userId?: string };
  /** Receives diagnostics, never a token or the text of a message; absent = no log. */
  log?: Log;
}

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Unstable: until version 1.0 any release may rename, change or drop what is exported here. See docs/example-client.mjs
 * for an example.
 *
 * A client that uses the clock, network and disk of this machine. It does nothing by itself: `connectUser` opens the live
 * connection, `setUser` is enough for single calls.
 *
 * Calls reject with `ApiError` (the provider refused: `status`, `code`), `TransportError` (no usable answer: `code`,
 * `neverSent`, `retryable`), `SignInNeeded` (no user is set, or the token belongs to another user) or `LocalError`
 * (refused before any request). Throws `StoreFailure` when the state file cannot be opened. `close()` releases timers,
 * sockets and files; unsent messages stay in the state file.
 */
export function createClient(options: ClientOptions): Core {
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
