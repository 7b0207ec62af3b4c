/** Opens and closes connections whatever carries them: the handshake, the first frame, presence and its grace. */
import { dropAbsent } from "../../wire/absent.ts";
import { handshake } from "../../wire/bodies/connect.ts";
import {
  CONNECTIONS_IN_ALL,
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
import { TokenEnds } from "./token-ends.ts";
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
  /** Something opened or closed: the provider's idle watch. */
  changed(): void;
  failed(error: unknown): void;
}

export class Sessions {
  readonly #context: SessionContext;
  readonly #graces = new Map<string, ProviderTimer>();
  #ticker: ProviderTimer | undefined;
  readonly #tokens: TokenEnds;
  #ended = false;

  constructor(context: SessionContext) {
    this.#context = context;
    this.#tokens = new TokenEnds(context.hub, context.clock);
    this.#tick();
  }

  /** One database work with events around it, as the HTTP side does for its calls. */
  #work<T>(run: (emit: Collector) => T): Promise<T> {
    const emit = this.#context.collector();
    return this.#context.batch.run({
      run: () => run(emit),
      undo: () => emit.undo(),
      release: () => emit.flush(),
    });
  }

  /**
   * Registers the connection, merges the user and hands `first` the first frame before any other event. Rejects with a
   * `ApiProblem`: 4 for a bad payload, 5 for another user's id, 9 (429) over 50 connections of one user and over 900 of all.
   */
  async open(
    caller: Caller,
    payload: Record<string, unknown>,
    link: ClientLink,
    first: (connection: ClientConnection, frame: Packet) => void,
  ): Promise<ClientConnection> {
    if (caller.kind === "server") throw ApiProblem.notAllowed("a server token cannot open a connection");
    const anonymous = caller.kind === "anonymous";
    const userId = caller.userId!;
    dropAbsent(handshake, payload);
    const details = handshakeDetails(payload, userId, anonymous);
    const device = handshakeDevice(payload);
    const { hub, db, domain, clock } = this.#context;
    const connection = new ClientConnection(this.#context.uuid(), userId, anonymous, link, caller);
    const emit = this.#context.collector();
    await this.#context.batch.run({
      run: () => {
        if (hub.size >= CONNECTIONS_IN_ALL)
          throw ApiProblem.rateLimit(`there may be at most ${CONNECTIONS_IN_ALL} connections in all`);
        if (!anonymous && hub.of(userId).size >= CONNECTIONS_PER_USER)
          throw ApiProblem.rateLimit(`a user may have at most ${CONNECTIONS_PER_USER} connections`);
        const wasOnline = anonymous || hub.online(userId);
        emit.opening(connection);
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
        this.#graces.get(userId)?.cancel();
        this.#graces.delete(userId);
        hub.lingering.delete(userId);
        first(connection, new Packet(JSON.stringify(frame)));
        emit.flush();
        this.#context.changed();
        this.#tokens.expect(connection.endsAt);
      },
    });
    return connection;
  }

  /** The connection goes on with what this caller showed: a newer token takes the place of the first. */
  renewed(connection: ClientConnection, caller: Caller): void {
    if (caller.issuedAt === connection.issuedAt && caller.endsAt === connection.endsAt) return;
    connection.issuedAt = caller.issuedAt;
    connection.endsAt = caller.endsAt;
    this.#tokens.look();
  }

  /** The link is gone: watches end now, the user goes offline after the grace. Safe to call twice. */
  closed(connection: ClientConnection): void {
    const { hub } = this.#context;
    if (!hub.close(connection)) return;
    this.#context.changed();
    if (connection.anonymous || this.#ended) return;
    const { userId } = connection;
    const left = [...connection.watched].filter(
      (cid) => !hub.isWatching(userId, cid) && hub.watchersOf(cid).size > 0,
    );
    if (left.length) this.#run((emit) => this.#stopped(emit, userId, left));
    if (hub.of(userId).size > 0) return;
    hub.lingering.add(userId);
    this.#graces.set(
      userId,
      this.#context.clock.after(PRESENCE_GRACE, () => this.#wentOffline(userId)),
    );
  }

  #stopped(emit: Collector, userId: string, cids: readonly string[]): void {
    const { db, domain, clock } = this.#context;
    const user: User | undefined = domain.touch(db, emit, userId, clock.now());
    for (const cid of cids.filter((one) => domain.announcesWatching(db, userId, one)))
      emit.watchers(cid, { type: "user.watching.stop", user, watcher_count: emit.watching(cid).count });
  }

  #wentOffline(userId: string): void {
    const { hub, db, domain, clock } = this.#context;
    this.#graces.delete(userId);
    hub.lingering.delete(userId);
    if (hub.online(userId) || this.#ended) return;
    this.#run((emit) => {
      const user = domain.touch(db, emit, userId, clock.now());
      if (user && !domain.account(db, userId)?.invisible)
        emit.presence(userId, { type: "user.presence.changed", user });
    });
  }

  #run(work: (emit: Collector) => void): void {
    this.#work(work).catch((error: unknown) => this.#context.failed(error));
  }

  #tick(): void {
    const { hub, db, domain, clock } = this.#context;
    this.#ticker = clock.after(LAST_ACTIVE_REFRESH, () => {
      this.#tick();
      const users = [...hub.byUser.keys()].filter((userId) => domain.account(db, userId));
      if (users.length)
        this.#run((emit) => {
          for (const userId of users) domain.touch(db, emit, userId, clock.now());
        });
    });
  }

  /** The clock was moved: tokens may have ended, and clients learn what time it is from a health check (specification/wire.md §7). */
  timeMoved(): void {
    const { hub, clock } = this.#context;
    const created_at = timeFromMicros(clock.now());
    for (const connection of hub.all())
      connection.deliver(
        new Packet(JSON.stringify({ type: "health.check", connection_id: connection.id, created_at })),
      );
    // Who is ended now knows by then what time the next token has to be made for.
    this.#tokens.look();
  }

  /** Ends every connection with the code and writes who was last active; nothing is emitted any more. */
  end(code: number): void {
    const { hub, db, domain, clock } = this.#context;
    const users = new Set<string>(hub.lingering);
    for (const connection of hub.all()) if (!connection.anonymous) users.add(connection.userId);
    this.#ended = true;
    this.#ticker?.cancel();
    this.#tokens.stop();
    for (const grace of this.#graces.values()) grace.cancel();
    for (const connection of hub.all()) {
      connection.link.close(code);
      hub.close(connection);
    }
    if (users.size)
      void this.#work((emit) => {
        for (const userId of users) domain.touch(db, emit, userId, clock.now());
      }).catch((error: unknown) => this.#context.failed(error));
  }
}

/** The `user_details` of a handshake, checked against the token (specification/realtime.md §1). */
function handshakeDetails(
  payload: Record<string, unknown>,
  userId: string,
  anonymous: boolean,
): Record<string, unknown> {
  if (anonymous) return {};
  const { user_id: named, user_details: given } = payload;
  if (named !== undefined && named !== userId)
    throw ApiProblem.authentication("user_id of the handshake does not match the token");
  if (given !== undefined && given !== null && !isObject(given))
    throw invalidField("user_details", "must be an object");
  const details = { ...(given as Record<string, unknown> | null | undefined) };
  if (details.id !== undefined && details.id !== userId)
    throw ApiProblem.authentication("user_details.id does not match the token");
  return details;
}

/** `device` of a handshake: registered for the user before its first frame. */
function handshakeDevice(payload: Record<string, unknown>): Record<string, unknown> | undefined {
  const { device } = payload;
  if (device === undefined || device === null) return undefined;
  if (!isObject(device)) throw invalidField("device", "must be an object");
  if (Object.keys(device).length === 0) return undefined;
  return device;
}

/** The anonymous user is never stored and is the same for everybody (specification/auth.md §6). */
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
