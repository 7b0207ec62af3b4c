/** Handles `connectUser` and `disconnectUser`: joins the connection, its session and the recovery after each opening (specification/auth.md §4, specification/realtime.md §7). */
import { ANONYMOUS_ID } from "../../wire/ids.ts";
import type { QueryChannelsBody } from "../../wire/endpoints/index.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { timeToMs } from "../../wire/time.ts";
import type { OwnUser } from "../../wire/entities/user.ts";
import type { TokenSource } from "../base/api-types.ts";
import { LocalError, TransportError } from "../../model/errors.ts";
import type { Oddities } from "../http/oddities.ts";
import { createEventReader, type Hello } from "./attempts.ts";
import { Connection, type ConnectionEvents } from "./connection.ts";
import {
  createConnector,
  type ConnectorDeps,
  Session,
  type ConnectingUser,
  type ConnectingDevice,
} from "./connector.ts";
import { Recovery } from "./recovery.ts";
import type { RecoveryDeps } from "./recovery-attempt.ts";
import { watchSignIn, type SignInWatch } from "./token-watch.ts";

const DEVICE_TOO_LATE = "you can only set device before opening a websocket connection";

interface RealtimeDeps extends ConnectorDeps {
  oddities: Oddities;
  openCid(): string | undefined;
  listQuery(): QueryChannelsBody | undefined;
  listing: NonNullable<RecoveryDeps["listing"]>;
  checkpoint?: string | undefined;
  /** The token source reads a token that a sign-in stores: poll it while the current token is refused. */
  tokenIsStored?: boolean;
  opened(): void;
  stopped(): void;
}

export interface Realtime {
  readonly connection: Connection;
  setUser(user: ConnectingUser, token: TokenSource): void;
  /**
   * Resolves with `me` of the first frame. Stays pending while the network fails, which the link state shows, and keeps
   * trying. Rejects when the provider or a local check refuses; the user stays set, and it can be called again, also for
   * another user.
   */
  connectUser(user: ConnectingUser, token: TokenSource): Promise<OwnUser>;
  disconnectUser(): Promise<void>;
  /** Tries to connect now; after refused credentials with a newly loaded token. */
  reconnect(): void;
  /** The push device to register with each handshake; throws `LocalError` while a connection is open or opening. */
  setDevice(device: ConnectingDevice): void;
  checkpoint(): string | undefined;
}

/** A local event, with provider time. */
function localEvent(
  { clock, machine }: RealtimeDeps,
  type: string,
  fields: Record<string, unknown> = {},
): AnyEvent {
  const time = new Date(clock.now() + machine.offset()).toISOString();
  return { type, created_at: time, received_at: new Date(clock.now()).toISOString(), ...fields };
}

/** Hides loaded channels that another device hid meanwhile: answers leave them out, like those that are gone. */
function hideMeanwhile(deps: RealtimeDeps, { me, createdAt }: Hello): void {
  const held = deps.machine.state().channels;
  const named: unknown = me?.latest_hidden_channels;
  const cids = Array.isArray(named) ? named.filter((cid) => held.get(cid as string)?.hidden === false) : [];
  // With the time of the first frame: what changed later is in its own event.
  const at = createdAt === undefined ? {} : { created_at: createdAt };
  deps.machine.dispatch(
    cids.map((cid) => localEvent(deps, "channel.hidden", { cid, ...at })),
    true,
  );
}

/** Applies the events of the connection to the state, the session and the recovery. */
function connectionEvents(
  deps: RealtimeDeps,
  session: Session,
  recovery: Recovery,
  to: { clockMoved(): void; awaitSignIn(): void },
): ConnectionEvents {
  const { tokens, machine, clock } = deps;
  return {
    link: ({ retryAt, ...link }) =>
      machine.apply({
        kind: "link",
        link: { ...link, retryAt: retryAt === undefined ? undefined : retryAt + machine.offset() },
      }),
    hello(first) {
      tokens.markWorking(session.token);
      const me = ownUserOf(first, session);
      if (me) machine.apply({ kind: "me", me });
      hideMeanwhile(deps, first);
    },
    opened(first) {
      const me = ownUserOf(first, session);
      session.opened(me);
      void recovery.run(me === undefined);
      deps.opened();
    },
    onlineChanged(online) {
      if (!online) {
        recovery.stop();
        machine.apply({ kind: "stale" });
      }
      machine.dispatch([localEvent(deps, "connection.changed", { online })]);
    },
    transport: (mode) => machine.dispatch([localEvent(deps, "transport.changed", { mode })]),
    events: (batch) => recovery.onEvents(batch),
    healthCheck(createdAt) {
      const at = createdAt === undefined ? Number.NaN : timeToMs(createdAt);
      if (Number.isFinite(at)) {
        machine.apply({ kind: "offset", ms: at - clock.now() });
        to.clockMoved();
      }
      recovery.onProviderTime(createdAt);
    },
    failed: (error) => session.failed(error),
    stopped(error) {
      session.failed(error);
      if (deps.tokenIsStored) to.awaitSignIn();
      deps.stopped();
    },
  };
}

/** Who is connected; a first frame that does not say so, or not readably, is of the user who connected. */
const ownUserOf = ({ me, resumed }: Hello, { user }: Session): OwnUser | undefined =>
  me ?? (resumed || !user ? undefined : ({ id: user.id } as OwnUser));

function assemble(
  deps: RealtimeDeps,
  session: Session,
): { connection: Connection; recovery: Recovery; signIn: SignInWatch } {
  const { call, tokens, machine, clock, random, log, openCid, listQuery, listing, checkpoint } = deps;
  const reader = createEventReader(deps);
  const local: RecoveryDeps["local"] = (type, fields) => localEvent(deps, type, fields);
  const recovery = new Recovery({
    call,
    machine,
    clock,
    random,
    log,
    reader,
    openCid,
    listQuery,
    listing,
    checkpoint,
    local,
  });
  const signIn = watchSignIn({
    clock,
    isWaiting: () => connection.state().phase === "stopped",
    fetchNewer: tokens.fetchNewer,
    found: () => connection.retryNow(),
  });
  const events = connectionEvents(deps, session, recovery, {
    clockMoved: () => connection.clockChanged(),
    awaitSignIn: signIn.begin,
  });
  const connection = new Connection(createConnector(deps, session, reader), events);
  return { connection, recovery, signIn };
}

export function createRealtime(deps: RealtimeDeps): Realtime {
  const { tokens, machine, random, log } = deps;
  const session = new Session();
  const { connection, recovery, signIn } = assemble(deps, session);

  const connect = (user: ConnectingUser, token: TokenSource): Promise<OwnUser> => {
    if (session.waiting && connection.state().phase !== "stopped") {
      log.warn("connectUser was called twice for the same user");
      return session.waiting;
    }
    const { me } = machine.state();
    // A retry after a refusal has succeeded meanwhile.
    if (connection.connectionId() !== undefined && me?.id === user.id) return Promise.resolve(me);
    tokens.set(user.id, token);
    session.user = { ...user };
    session.clientId = `${user.id}--${random.uuid()}`;
    const opened = session.wait();
    connection.connect();
    return opened;
  };

  return {
    connection,
    setUser(user, token) {
      session.requireAllowed(user);
      tokens.set(user.id, user.id === ANONYMOUS_ID ? "" : token);
      session.user = { ...user };
    },
    connectUser(user, token) {
      try {
        session.requireAllowed(user);
      } catch (error) {
        return Promise.reject(error);
      }
      return connect(user, token);
    },
    async disconnectUser() {
      const cancel = session.cancel();
      await connection.disconnect();
      cancel?.(new TransportError("ERR_CANCELED", "cancelled"));
      recovery.reset();
      signIn.stop();
      session.reset();
      tokens.clear();
    },
    reconnect() {
      if (connection.state().phase === "stopped") tokens.reload();
      connection.retryNow();
    },
    setDevice(device) {
      const { phase } = connection.state();
      if (phase !== "idle" && phase !== "stopped") throw new LocalError(DEVICE_TOO_LATE);
      session.device = { ...device };
    },
    checkpoint: () => recovery.checkpoint(),
  };
}
