/** The connected user, and how connections are opened for them: handshakes of both transports, the probe, and token renewal (specification/auth.md §4, §8, specification/realtime.md §2, §11). */
import type { ConnectPayload } from "../../wire/endpoints/index.ts";
import type { OwnUser } from "../../wire/entities/user.ts";
import { LocalError } from "../../model/errors.ts";
import { wellFormedJson } from "../../text/well-formed.ts";
import { NOT_CONNECTED, type Credential, type Tokens } from "../http/token.ts";
import { readToken } from "../../wire/token.ts";
import { makeUrl, socketBase } from "../http/url.ts";
import type { EventReader } from "./attempts.ts";
import type { ConnectionDeps } from "./connection.ts";
import { LongPollAttempt, type LongPollHandlers, type PollPosition } from "./longpoll.ts";
import type { ApiCall } from "../base/api-types.ts";
import type { SocketPort } from "../base/ports.ts";
import type { StateMachine } from "../state/machine.ts";
import { reach } from "./reach.ts";
import { WebSocketAttempt } from "./websocket.ts";

const CONNECTED_TWICE = "connectUser called twice without disconnect";
const USER_WITHOUT_ID = "The id field on the user is missing";

export type ConnectingUser = { id: string; name?: string };
export type ConnectingDevice = NonNullable<ConnectPayload["device"]>;

export class Session {
  user: ConnectingUser | undefined;
  device: ConnectingDevice | undefined;
  /** Sent with pings: `<user id>--<uuid>`. */
  clientId: string | undefined;
  /** The token of the last attempt. */
  token = "";
  #waiting: (PromiseWithResolvers<OwnUser> & { opened: boolean }) | undefined;

  /** Throws `LocalError` unless this user may connect now. */
  requireAllowed(next: ConnectingUser): void {
    if (typeof next.id !== "string" || next.id === "") throw new LocalError(USER_WITHOUT_ID);
    if (this.user && this.#waiting && this.user.id !== next.id) throw new LocalError(CONNECTED_TWICE);
  }

  /** The handshake as JSON; throws `LocalError` when no user is set. */
  handshake(): string {
    const { user, device } = this;
    if (!user) throw new LocalError(NOT_CONNECTED);
    const payload: ConnectPayload = {
      user_id: user.id,
      user_details: user,
      server_determines_connection_id: true,
      ...(device && { device }),
    };
    return wellFormedJson(payload);
  }

  /** The promise that connectUser returned, until its connection ends. */
  get waiting(): Promise<OwnUser> | undefined {
    return this.#waiting?.promise;
  }

  wait(): Promise<OwnUser> {
    const waiting = { ...Promise.withResolvers<OwnUser>(), opened: false };
    waiting.promise.catch(() => undefined);
    this.#waiting = waiting;
    return waiting.promise;
  }

  opened(me: OwnUser | undefined): void {
    const waiting = this.#waiting;
    if (!waiting || waiting.opened) return;
    waiting.opened = true;
    if (me) waiting.resolve(me);
    else waiting.reject(new LocalError("the provider's first frame does not say who is connected"));
  }

  /** Rejects a pending connectUser; the user stays set, so that a later attempt may succeed. */
  failed(error: Error): void {
    if (!this.#waiting || this.#waiting.opened) return;
    this.#waiting.reject(error);
    this.#waiting = undefined;
  }

  /** Clears a pending connectUser; returns its reject function if it is still unanswered. */
  cancel(): ((error: Error) => void) | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting?.opened === false ? waiting.reject : undefined;
  }

  reset(): void {
    this.#waiting = undefined;
    this.user = undefined;
    this.clientId = undefined;
    this.token = "";
  }
}

const NO_SOCKET_URL = "Websocket base url not set";
const NO_CLIENT_ID = "clientID is not set";

/** Prepares an attempt of the current user; throws `LocalError` when the user has signed out meanwhile. */
async function prepareAttempt(
  { prepare, tokens }: Pick<ConnectorDeps, "prepare" | "tokens">,
  session: Session,
): Promise<Credential & { clientId: string }> {
  const { user, clientId } = session;
  if (!user) throw new LocalError(NOT_CONNECTED);
  if (!clientId) throw new LocalError(NO_CLIENT_ID);
  const requireSame = (): void => {
    if (session.clientId !== clientId) throw new LocalError(NOT_CONNECTED);
  };
  await prepare?.();
  requireSame();
  const credential = await tokens.credential();
  requireSame();
  session.token = credential.token;
  return { ...credential, clientId };
}

export interface ConnectorDeps extends Pick<ConnectionDeps, "clock" | "random" | "log" | "mode" | "online"> {
  call: ApiCall;
  tokens: Tokens;
  machine: StateMachine;
  socket: SocketPort;
  apiKey: string;
  clientName: string;
  baseUrl(): string;
  /** Undefined = derived from the base URL; an empty string is the error of the specification. */
  wsUrl(): string | undefined;
  /** Runs before each attempt: restarts an embedded provider that has ended (specification/embedded-provider.md §1). */
  prepare?(): Promise<void>;
}

export function createConnector(deps: ConnectorDeps, session: Session, reader: EventReader): ConnectionDeps {
  const { call, tokens, machine, clock, random, log, mode, online } = deps;
  const position: PollPosition = {};

  async function dialWebSocket(handlers: LongPollHandlers, timeout: number) {
    const { clientId, token, authType } = await prepareAttempt(deps, session);
    const base = deps.wsUrl() ?? socketBase(deps.baseUrl());
    if (base === "") throw new LocalError(NO_SOCKET_URL);
    const url = makeUrl(base, "/connect", {
      json: session.handshake(),
      api_key: deps.apiKey,
      authorization: token,
      "stream-auth-type": authType,
      "X-Stream-Client": deps.clientName,
      request_id: random.uuid(),
    });
    const dial = { url, clientId, timeout };
    return new WebSocketAttempt({ socket: deps.socket, clock, reader }, dial, handlers);
  }

  async function dialLongPoll(handlers: LongPollHandlers, resumed: string | undefined) {
    await prepareAttempt(deps, session);
    const start = { payload: session.handshake(), ...(resumed !== undefined && { session: resumed }) };
    return new LongPollAttempt({ call, clock, reader, position: position }, start, handlers);
  }

  return {
    clock,
    random,
    log,
    mode,
    online,
    dialWebSocket,
    dialLongPoll,
    probe: () =>
      reach(call).then(
        () => true,
        () => false,
      ),
    refreshable: () => tokens.refreshable,
    refresh: async () => {
      // The answer updates the provider's time, which the token source needs.
      await reach(call).catch(() => undefined);
      await tokens.refresh(session.token);
    },
    renew: tokens.fetchNewer,
    tokenExpiry() {
      const exp = tokens.refreshable ? readToken(tokens.current ?? session.token)?.claims.exp : undefined;
      return typeof exp === "number" ? exp * 1000 : undefined;
    },
    providerNow: () => clock.now() + machine.offset(),
  };
}
