/** Opens connections for the connected user: handshakes of both transports, the probe, and token renewal (specification/auth.md §4, §8, specification/realtime.md §2, §11). */
import { readToken } from "../../wire/token.ts";
import { LocalError } from "../../model/errors.ts";
import { NOT_CONNECTED, type Credential, type Tokens } from "../http/token.ts";
import { makeUrl, socketBase } from "../http/url.ts";
import type { EventReader } from "./connection-attempt.ts";
import type { ConnectionDeps } from "./connection.ts";
import { LongPollAttempt, type LongPollHandlers, type PollPosition } from "./longpoll.ts";
import type { ApiCall } from "../http/caller.ts";
import type { SocketPort } from "../base/ports.ts";
import type { StateMachine } from "../state/machine.ts";
import type { Session } from "./session.ts";
import { WebSocketAttempt } from "./websocket.ts";

const NO_SOCKET_URL = "Websocket base url not set";
const NO_CLIENT_ID = "clientID is not set";

/** Prepares an attempt of the current user; throws `LocalError` when the user has signed out meanwhile. */
async function prepareAttempt(
  { prepare, tokens }: Pick<DiallerDeps, "prepare" | "tokens">,
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

export interface DiallerDeps extends Pick<ConnectionDeps, "clock" | "random" | "log" | "mode" | "online"> {
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

export function createDialler(deps: DiallerDeps, session: Session, reader: EventReader): ConnectionDeps {
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
      call("hi").then(
        () => true,
        () => false,
      ),
    refreshable: () => tokens.refreshable,
    refresh: async () => {
      // The answer updates the provider's time, which the token source needs.
      await call("hi").catch(() => undefined);
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
