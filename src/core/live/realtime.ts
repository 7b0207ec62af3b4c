/** The connected user: connectUser and disconnectUser, how attempts are opened, and what starts after one (specification/auth.md §4, specification/realtime.md §7). */
import { ANONYMOUS_ID } from "../../wire/ids.ts";
import type { QueryChannelsBody } from "../../wire/endpoints/index.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { timeToMs } from "../../wire/time.ts";
import type { OwnUser } from "../../wire/entities/user.ts";
import type { TokenSource } from "../base/api-types.ts";
import { LocalError, TransportError } from "../../model/errors.ts";
import { createEventReader } from "./connection-attempt.ts";
import { Connection } from "./connection.ts";
import type { ConnectionEvents } from "./connection-events.ts";
import { createDialler, type DiallerDeps } from "./dialler.ts";
import { Recovery } from "./recovery.ts";
import type { RecoveryDeps } from "./recovery-run.ts";
import { Session, type ConnectingUser, type ConnectingDevice } from "./session.ts";
import { watchSignIn, type SignInWatch } from "./sign-in.ts";

const DEVICE_TOO_LATE = "you can only set device before opening a websocket connection";

interface RealtimeDeps extends DiallerDeps {
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
  setUser(user: ConnectingUser, token: TokenSource): void;
  /**
   * Resolves with `me` of the first frame. Stays pending while the network fails: the link says why and goes on
   * trying. Rejects when the provider or a local check refuses; the user stays set, and it can be called again, for
   * another user too.
   */
  connectUser(user: ConnectingUser, token: TokenSource): Promise<OwnUser>;
  disconnectUser(): Promise<void>;
  /** Tries now; where the credentials were refused, with what the token source gives now. */
  reconnect(): void;
  /** A push device that is registered with the next handshake and all after it; throws `LocalError` while a connection is open or opening. */
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

/** What each happening of the link sets in motion. */
function linkEvents(
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
    hello({ me }) {
      tokens.markWorking(session.token);
      if (me) machine.apply({ kind: "me", me });
    },
    opened({ me }) {
      session.opened(me);
      void recovery.run(me === undefined);
      deps.opened();
    },
    changed(online) {
      if (!online) {
        recovery.stop();
        machine.apply({ kind: "stale" });
      }
      machine.dispatch([localEvent(deps, "connection.changed", { online })]);
    },
    transport: (mode) => machine.dispatch([localEvent(deps, "transport.changed", { mode })]),
    events: (batch) => recovery.take(batch),
    healthCheck(createdAt) {
      const at = createdAt === undefined ? Number.NaN : timeToMs(createdAt);
      if (Number.isFinite(at)) {
        machine.apply({ kind: "offset", ms: at - clock.now() });
        to.clockMoved();
      }
      recovery.seen(createdAt);
    },
    failed: (error) => session.failed(error),
    stopped(error) {
      session.failed(error);
      if (deps.tokenIsStored) to.awaitSignIn();
      deps.stopped();
    },
  };
}

/** The connection of a session, and what belongs to it. */
function assemble(
  deps: RealtimeDeps,
  session: Session,
): { connection: Connection; recovery: Recovery; signIn: SignInWatch } {
  const { call, tokens, machine, clock, random, log, openCid, listQuery, checkpoint } = deps;
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
    checkpoint,
    local,
  });
  const signIn = watchSignIn({
    clock,
    waits: () => connection.state().phase === "stopped",
    newer: tokens.fetchNewer,
    found: () => connection.nudge(),
  });
  const events = linkEvents(deps, session, recovery, {
    clockMoved: () => connection.clockMoved(),
    awaitSignIn: signIn.begin,
  });
  const connection = new Connection(createDialler(deps, session, reader), events);
  return { connection, recovery, signIn };
}

export function createRealtime(deps: RealtimeDeps): Realtime {
  const { tokens, machine, random, log } = deps;
  const session = new Session();
  const { connection, recovery, signIn } = assemble(deps, session);

  const begin = (user: ConnectingUser, token: TokenSource): Promise<OwnUser> => {
    if (session.waiting && connection.state().phase !== "stopped") {
      log.warn("connectUser was called twice for the same user");
      return session.waiting;
    }
    const { me } = machine.state();
    // An attempt after a refusal has succeeded meanwhile.
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
      session.check(user);
      tokens.set(user.id, user.id === ANONYMOUS_ID ? "" : token);
      session.user = { ...user };
    },
    connectUser(user, token) {
      try {
        session.check(user);
      } catch (error) {
        return Promise.reject(error);
      }
      return begin(user, token);
    },
    async disconnectUser() {
      const cancel = session.giveUp();
      await connection.disconnect();
      cancel?.(new TransportError("ERR_CANCELED", "cancelled"));
      recovery.end();
      signIn.stop();
      session.forget();
      tokens.clear();
    },
    reconnect() {
      if (connection.state().phase === "stopped") tokens.reload();
      connection.nudge();
    },
    setDevice(device) {
      const { phase } = connection.state();
      if (phase !== "idle" && phase !== "stopped") throw new LocalError(DEVICE_TOO_LATE);
      session.device = { ...device };
    },
    checkpoint: () => recovery.checkpoint(),
  };
}
