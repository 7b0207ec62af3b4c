/** Opens and closes connections of any transport: handshake, first frame, presence and its grace period. */
import { normalizeBody } from "../../wire/absent.ts";
import { handshake } from "../../wire/bodies/connect.ts";
import {
  CONNECTIONS_IN_ALL,
  CONNECTIONS_OF_ANONYMOUS,
  CONNECTIONS_PER_USER,
  PRESENCE_GRACE,
  LAST_ACTIVE_REFRESH,
} from "../../wire/constants.ts";
import type { OwnUser, User } from "../../wire/entities/user.ts";
import { timeFromMicros } from "../../wire/time.ts";
import { ApiProblem, type Caller } from "../base/handler.ts";
import { invalidField } from "../base/problems.ts";
import type { ProviderClock, ProviderTimer } from "../base/clock.ts";
import type { Domain } from "../base/ports.ts";
import type { Batch } from "../store/batch.ts";
import type { Database } from "../base/database.ts";
import type { Collector } from "./collector.ts";
import { ClientConnection, Packet, type Hub, type ClientLink } from "./hub.ts";
import { TokenExpiry } from "./token-expiry.ts";
import { isObject } from "../../wire/json-object.ts";

const ZERO_DATE = "0001-01-01T00:00:00Z";

interface SessionContext {
  hub: Hub;
  db: Database;
  domain: Pick<
    Domain,
    "connectDevice" | "connectUser" | "ownUser" | "account" | "touch" | "announcesWatching"
  >;
  batch: Batch;
  clock: ProviderClock;
  collector(): Collector;
  uuid(): string;
  onChange(): void;
  reportError(error: unknown): void;
}

export class Sessions {
  readonly #context: SessionContext;
  readonly #graceTimers = new Map<string, ProviderTimer>();
  #ticker: ProviderTimer | undefined;
  readonly #tokens: TokenExpiry;
  #closing = false;

  constructor(context: SessionContext) {
    this.#context = context;
    this.#tokens = new TokenExpiry(context.hub, context.clock);
    this.#tick();
  }

  /** Runs one transaction with events, as the HTTP server does for its calls. */
  #transact<T>(run: (emit: Collector) => T): Promise<T> {
    const emit = this.#context.collector();
    return this.#context.batch.run({
      run: () => run(emit),
      undo: () => emit.undo(),
      release: () => emit.flush(),
    });
  }

  /**
   * Registers the connection, merges the user and passes the first frame to `onFirstFrame` before any other event. Rejects with an
   * `ApiProblem`: 4 for a bad payload, 5 for another user's id, 9 (429) over 50 connections of one user or 900 in all.
   */
  async open(
    caller: Caller,
    payload: Record<string, unknown>,
    link: ClientLink,
    onFirstFrame: (connection: ClientConnection, frame: Packet) => void,
  ): Promise<ClientConnection> {
    if (caller.kind === "server") throw ApiProblem.notAllowed("a server token cannot open a connection");
    const anonymous = caller.kind === "anonymous";
    const userId = caller.userId!;
    normalizeBody(handshake, payload);
    const details = handshakeDetails(payload, userId, anonymous);
    const device = handshakeDevice(payload);
    const { hub, db, domain, clock } = this.#context;
    const connection = new ClientConnection(this.#context.uuid(), userId, anonymous, link, caller);
    const emit = this.#context.collector();
    await this.#context.batch.run({
      run: () => {
        if (hub.size >= CONNECTIONS_IN_ALL)
          throw ApiProblem.rateLimit(`there may be at most ${CONNECTIONS_IN_ALL} connections in all`);
        const most = anonymous ? CONNECTIONS_OF_ANONYMOUS : CONNECTIONS_PER_USER;
        if (hub.connectionsOf(userId).size >= most)
          throw ApiProblem.rateLimit(
            `${anonymous ? "anonymous people" : "a user"} may have at most ${most} connections`,
          );
        const wasOnline = anonymous || hub.online(userId);
        emit.register(connection);
        const now = clock.now();
        let me: OwnUser;
        if (anonymous) me = anonymousUser();
        else {
          domain.connectUser(db, emit, userId, details, now, { live: true, wasOnline });
          if (device) domain.connectDevice(db, userId, device, now);
          const user = wasOnline ? undefined : domain.touch(db, emit, userId, now);
          if (user && !domain.account(db, userId)?.invisible)
            emit.presence(userId, { type: "user.presence.changed", user }, connection);
          me = domain.ownUser(db, emit, userId, now);
        }
        const created_at = timeFromMicros(clock.now());
        return { type: "health.check", connection_id: connection.id, created_at, me };
      },
      undo: () => emit.undo(),
      release: (frame) => {
        this.#graceTimers.get(userId)?.cancel();
        this.#graceTimers.delete(userId);
        hub.inGracePeriod.delete(userId);
        onFirstFrame(connection, new Packet(JSON.stringify(frame)));
        emit.flush();
        this.#context.onChange();
        this.#tokens.add(connection.endsAt);
      },
    });
    return connection;
  }

  /** Replaces the connection's token times when the caller polls with a newer token. */
  renewToken(connection: ClientConnection, caller: Caller): void {
    if (caller.issuedAt === connection.issuedAt && caller.endsAt === connection.endsAt) return;
    connection.issuedAt = caller.issuedAt;
    connection.endsAt = caller.endsAt;
    this.#tokens.closeExpired();
  }

  /** Removes a closed connection: its watches end now, the user goes offline after the grace period. Safe to call twice. */
  onClosed(connection: ClientConnection): void {
    const { hub } = this.#context;
    if (!hub.close(connection)) return;
    this.#context.onChange();
    if (connection.anonymous || this.#closing) return;
    const { userId } = connection;
    const leftChannels = [...connection.watched].filter(
      (cid) => !hub.isWatching(userId, cid) && hub.watchersOf(cid).size > 0,
    );
    if (leftChannels.length)
      this.#transactInBackground((emit) => this.#emitWatchingStop(emit, userId, leftChannels));
    if (hub.connectionsOf(userId).size > 0) return;
    hub.inGracePeriod.add(userId);
    this.#graceTimers.set(
      userId,
      this.#context.clock.after(PRESENCE_GRACE, () => this.#wentOffline(userId)),
    );
  }

  #emitWatchingStop(emit: Collector, userId: string, cids: readonly string[]): void {
    const { db, domain, clock } = this.#context;
    const user: User | undefined = domain.touch(db, emit, userId, clock.now());
    for (const cid of cids.filter((cid) => domain.announcesWatching(db, userId, cid)))
      emit.watchers(cid, { type: "user.watching.stop", user, watcher_count: emit.watcherInfo(cid).count });
  }

  #wentOffline(userId: string): void {
    const { hub, db, domain, clock } = this.#context;
    this.#graceTimers.delete(userId);
    hub.inGracePeriod.delete(userId);
    if (hub.online(userId) || this.#closing) return;
    this.#transactInBackground((emit) => {
      const user = domain.touch(db, emit, userId, clock.now());
      if (user && !domain.account(db, userId)?.invisible)
        emit.presence(userId, { type: "user.presence.changed", user });
    });
  }

  #transactInBackground(work: (emit: Collector) => void): void {
    this.#transact(work).catch((error: unknown) => this.#context.reportError(error));
  }

  #tick(): void {
    const { hub, db, domain, clock } = this.#context;
    this.#ticker = clock.after(LAST_ACTIVE_REFRESH, () => {
      this.#tick();
      const users = [...hub.byUser.keys()].filter((userId) => domain.account(db, userId));
      if (users.length)
        this.#transactInBackground((emit) => {
          for (const userId of users) domain.touch(db, emit, userId, clock.now());
        });
    });
  }

  /** After the clock was moved: sends clients the new time in a health check (specification/wire.md §7), and closes connections with expired tokens. */
  onTimeMoved(): void {
    const { hub, clock } = this.#context;
    const created_at = timeFromMicros(clock.now());
    for (const connection of hub.all())
      connection.deliver(
        new Packet(JSON.stringify({ type: "health.check", connection_id: connection.id, created_at })),
      );
    // After the health checks, so that disconnected clients know the time for their next token.
    this.#tokens.closeExpired();
  }

  /** Closes every connection with the code and writes `last_active`; emits nothing from then on. */
  end(code: number): void {
    const { hub, db, domain, clock } = this.#context;
    const users = new Set<string>(hub.inGracePeriod);
    for (const connection of hub.all()) if (!connection.anonymous) users.add(connection.userId);
    this.#closing = true;
    this.#ticker?.cancel();
    this.#tokens.stop();
    for (const grace of this.#graceTimers.values()) grace.cancel();
    for (const connection of hub.all()) {
      connection.link.close(code);
      hub.close(connection);
    }
    if (users.size)
      void this.#transact((emit) => {
        for (const userId of users) domain.touch(db, emit, userId, clock.now());
      }).catch((error: unknown) => this.#context.reportError(error));
  }
}

/** The `user_details` of a handshake, checked against the token (specification/realtime.md §1). */
function handshakeDetails(
  payload: Record<string, unknown>,
  userId: string,
  anonymous: boolean,
): Record<string, unknown> {
  if (anonymous) return {};
  const { user_id: payloadUserId, user_details: userDetails } = payload;
  if (payloadUserId !== undefined && payloadUserId !== userId)
    throw ApiProblem.authentication("user_id of the handshake does not match the token");
  if (userDetails !== undefined && userDetails !== null && !isObject(userDetails))
    throw invalidField("user_details", "must be an object");
  const details = { ...(userDetails as Record<string, unknown> | null | undefined) };
  if (details.id !== undefined && details.id !== userId)
    throw ApiProblem.authentication("user_details.id does not match the token");
  return details;
}

/** The `device` of a handshake, which is registered before the first frame. */
function handshakeDevice(payload: Record<string, unknown>): Record<string, unknown> | undefined {
  const { device } = payload;
  if (device === undefined || device === null) return undefined;
  if (!isObject(device)) throw invalidField("device", "must be an object");
  if (Object.keys(device).length === 0) return undefined;
  return device;
}

/** The anonymous user, the same for everybody and never stored (specification/auth.md §6). */
function anonymousUser(): OwnUser {
  return {
    id: "!anon",
    role: "anonymous",
    created_at: ZERO_DATE,
    updated_at: ZERO_DATE,
    online: true,
    devices: [],
    mutes: [],
    channel_mutes: [],
    blocked_user_ids: [],
    total_unread_count: 0,
    unread_count: 0,
    unread_channels: 0,
    unread_threads: 0,
  };
}
