/** The connected user: connectUser and disconnectUser, how attempts are dialled, and what an opening sets in motion (specification/auth.md §4, specification/realtime.md §7). */
import { ANONYMOUS_ID } from "../../wire/ids.ts";
import type { ConnectPayload, QueryChannelsBody } from "../../wire/endpoints/index.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { wellFormedJson } from "../../text/well-formed.ts";
import { timeToMs } from "../../wire/time.ts";
import type { OwnUser } from "../../wire/user.ts";
import type { TokenSource } from "../base/api-types.ts";
import { LocalError, TransportError } from "../../model/errors.ts";
import type { ApiCall } from "../http/caller.ts";
import { NOT_CONNECTED } from "../http/token.ts";
import { readToken } from "../../wire/token.ts";
import type { Tokens } from "../http/token.ts";
import { makeUrl, socketBase } from "../http/url.ts";
import type { Clock, Log, Random, SocketPort } from "../base/ports.ts";
import type { StateMachine } from "../state/machine.ts";
import { createEventReader } from "./connection-attempt.ts";
import { createConnection } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { openLongPoll } from "./longpoll.ts";
import type { Taken } from "./longpoll.ts";
import { Recovery } from "./recovery.ts";
import type { Mode } from "./transitions.ts";
import { watchSignIn } from "./sign-in.ts";
import { openWebSocket } from "./websocket.ts";

const NO_SOCKET_URL = "Websocket base url not set";
const NO_CLIENT_ID = "clientID is not set";
const CONNECTED_TWICE = "connectUser called twice without disconnect";
const DEVICE_TOO_LATE = "you can only set device before opening a websocket connection";
const USER_WITHOUT_ID = "The id field on the user is missing";

export interface RealtimeDeps {
  call: ApiCall;
  tokens: Tokens;
  machine: StateMachine;
  socket: SocketPort;
  clock: Clock;
  random: Random;
  log: Log;
  mode: Mode;
  apiKey: string;
  clientName: string;
  baseUrl(): string;
  /** Undefined = made from the base URL; an empty text is the mistake the specification names. */
  wsUrl(): string | undefined;
  online(): boolean;
  /** Runs before each attempt: an embedded provider that died is started again (specification/embedded-provider.md §1). */
  prepare?(): Promise<void>;
  openCid(): string | undefined;
  listQuery(): QueryChannelsBody | undefined;
  checkpoint?: string | undefined;
  /** The token source reads what a sign-in stores: while the token is refused it is looked at often. */
  tokenIsStored?: boolean;
  /** The link opened. */
  opened(): void;
  /** The link has stopped. */
  stopped(): void;
}

export interface Realtime {
  readonly connection: Connection;
  setUser(user: { id: string; name?: string }, token: TokenSource): void;
  /**
   * Resolves with `me` of the first frame. Stays pending while the network fails: the link says why and goes on
   * trying. Rejects when the provider or a local check refuses; the user stays set, and it can be called again, for
   * another user too.
   */
  connectUser(user: { id: string; name?: string }, token: TokenSource): Promise<OwnUser>;
  disconnectUser(): Promise<void>;
  /** Tries now; where the credentials were refused, with what the token source gives now. */
  reconnect(): void;
  /** A push device that is registered with the next handshake and all after it; throws `LocalError` while a connection is open or opening. */
  setDevice(device: Device): void;
  checkpoint(): string | undefined;
}

type User = { id: string; name?: string };
type Device = NonNullable<ConnectPayload["device"]>;

export function createRealtime(deps: RealtimeDeps): Realtime {
  const { call, tokens, machine, clock, random, log } = deps;
  let user: User | undefined;
  let device: Device | undefined;
  let clientId: string | undefined;
  const taken: Taken = {};
  /** The token of the last attempt. */
  let used = "";
  let pending:
    | { promise: Promise<OwnUser>; resolve(me: OwnUser): void; reject(error: Error): void; opened: boolean }
    | undefined;

  const local = (type: string, fields: Record<string, unknown> = {}): AnyEvent => {
    const time = new Date(clock.now() + machine.offset()).toISOString();
    return { type, created_at: time, received_at: new Date(clock.now()).toISOString(), ...fields };
  };
  const payload = (): string => {
    if (!user) throw new LocalError(NOT_CONNECTED);
    const handshake: ConnectPayload = {
      user_id: user.id,
      user_details: user,
      server_determines_connection_id: true,
      ...(device && { device }),
    };
    return wellFormedJson(handshake);
  };
  const reader = createEventReader(deps);
  const recovery = new Recovery({
    call,
    machine,
    clock,
    random,
    log,
    reader,
    openCid: deps.openCid,
    listQuery: deps.listQuery,
    checkpoint: deps.checkpoint,
    local,
  });
  const learn = (createdAt: string | undefined): void => {
    const at = createdAt === undefined ? Number.NaN : timeToMs(createdAt);
    if (Number.isFinite(at)) {
      machine.apply({ kind: "offset", ms: at - clock.now() });
      connection.clockMoved();
    }
    recovery.seen(createdAt);
  };

  /** The attempt is over for whoever waits for it; the user stays, so that a later one may succeed. */
  const failed = (error: Error): void => {
    if (!pending || pending.opened) return;
    pending.reject(error);
    pending = undefined;
  };
  const signIn = watchSignIn({
    clock,
    waits: () => connection.state().phase === "stopped",
    newer: tokens.newer,
    found: () => connection.nudge(),
  });

  const connection = createConnection(
    {
      clock,
      random,
      log,
      mode: deps.mode,
      online: deps.online,
      async dialWebSocket(handlers, timeout) {
        if (!user) throw new LocalError(NOT_CONNECTED);
        await deps.prepare?.();
        const base = deps.wsUrl() ?? socketBase(deps.baseUrl());
        if (base === "") throw new LocalError(NO_SOCKET_URL);
        if (!clientId) throw new LocalError(NO_CLIENT_ID);
        const { token, authType } = await tokens.credential();
        used = token;
        const url = makeUrl(base, "/connect", {
          json: payload(),
          api_key: deps.apiKey,
          authorization: token,
          "stream-auth-type": authType,
          "X-Stream-Client": deps.clientName,
          request_id: random.uuid(),
        });
        return openWebSocket({ socket: deps.socket, clock, reader }, { url, clientId, timeout }, handlers);
      },
      async dialLongPoll(handlers, session) {
        if (!user) throw new LocalError(NOT_CONNECTED);
        await deps.prepare?.();
        ({ token: used } = await tokens.credential());
        const start = { payload: payload(), ...(session !== undefined && { session }) };
        return openLongPoll({ call, clock, reader, taken }, start, handlers);
      },
      probe: () =>
        call("hi").then(
          () => true,
          () => false,
        ),
      refreshable: () => tokens.refreshable,
      refresh: async () => {
        // An answer tells the provider's time, for which a source may have to make the token.
        await call("hi").catch(() => undefined);
        await tokens.refresh(used);
      },
      renew: tokens.newer,
      tokenEnds() {
        const exp = tokens.refreshable ? readToken(tokens.current ?? used)?.claims.exp : undefined;
        return typeof exp === "number" ? exp * 1000 : undefined;
      },
      providerNow: () => clock.now() + machine.offset(),
    },
    {
      link: ({ retryAt, ...link }) =>
        machine.apply({
          kind: "link",
          link: { ...link, retryAt: retryAt === undefined ? undefined : retryAt + machine.offset() },
        }),
      hello(hello) {
        tokens.worked(used);
        if (hello.me) machine.apply({ kind: "me", me: hello.me });
      },
      opened(hello) {
        if (pending && !pending.opened) {
          pending.opened = true;
          if (hello.me) pending.resolve(hello.me);
          else pending.reject(new LocalError("the provider's first frame does not say who is connected"));
        }
        void recovery.run(hello.me === undefined);
        deps.opened();
      },
      changed(online) {
        if (!online) {
          recovery.stop();
          machine.apply({ kind: "stale" });
        }
        machine.dispatch([local("connection.changed", { online })]);
      },
      transport: (mode) => machine.dispatch([local("transport.changed", { mode })]),
      events: (batch) => recovery.take(batch),
      healthCheck: learn,
      failed,
      stopped(error) {
        failed(error);
        if (deps.tokenIsStored) signIn.begin();
        deps.stopped();
      },
    },
  );

  const forget = (): void => {
    signIn.stop();
    pending = undefined;
    user = undefined;
    clientId = undefined;
    used = "";
    tokens.clear();
  };
  const check = (next: User): void => {
    if (typeof next.id !== "string" || next.id === "") throw new LocalError(USER_WITHOUT_ID);
    if (user && pending && user.id !== next.id) throw new LocalError(CONNECTED_TWICE);
  };

  return {
    connection,
    setUser(next, token) {
      check(next);
      tokens.set(next.id, next.id === ANONYMOUS_ID ? "" : token);
      user = { ...next };
    },
    connectUser(next, token) {
      try {
        check(next);
      } catch (error) {
        return Promise.reject(error);
      }
      if (pending && connection.state().phase !== "stopped") {
        log.warn("connectUser was called twice for the same user");
        return pending.promise;
      }
      const { me } = machine.state();
      // An attempt after a refusal has succeeded meanwhile.
      if (connection.connectionId() !== undefined && me?.id === next.id) return Promise.resolve(me);
      tokens.set(next.id, token);
      user = { ...next };
      clientId = `${next.id}--${random.uuid()}`;
      const { promise, resolve, reject } = Promise.withResolvers<OwnUser>();
      promise.catch(() => undefined);
      pending = { promise, resolve, reject, opened: false };
      connection.connect();
      return promise;
    },
    async disconnectUser() {
      const waiting = pending?.opened === false ? pending : undefined;
      pending = undefined;
      await connection.disconnect();
      waiting?.reject(new TransportError("ERR_CANCELED", "cancelled"));
      recovery.stop();
      forget();
    },
    reconnect() {
      if (connection.state().phase === "stopped") tokens.again();
      connection.nudge();
    },
    setDevice(next) {
      const { phase } = connection.state();
      if (phase !== "idle" && phase !== "stopped") throw new LocalError(DEVICE_TOO_LATE);
      device = { ...next };
    },
    checkpoint: () => recovery.checkpoint(),
  };
}
