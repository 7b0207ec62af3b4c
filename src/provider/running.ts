/** A running provider: listens, ends, moves its clock, and answers its control interface. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { CLOSE_GOING_AWAY } from "../wire/constants.ts";
import type { AnyEvent } from "../wire/events.ts";
import type { AfterCommit, Handlers } from "./base/handler.ts";
import { createConnections, type Connections } from "./connections.ts";
import type { Files } from "./files/files.ts";
import type { ProviderBase } from "./provider-base.ts";
import { Faults } from "./http/faults.ts";
import { guestHandler } from "./http/guest.ts";
import { RateLimits, rateLimitsRoute } from "./http/limits.ts";
import { createGate } from "./http/origin.ts";
import { createHttpServer, type AdminApi } from "./http/server.ts";
import type { ProviderClock } from "./base/clock.ts";
import { createAdminApi } from "./lifecycle/control.ts";
import { removeHolder, writeHolder } from "./lifecycle/holder.ts";
import {
  DATA_FILES,
  writeClockOffset,
  writePort,
  readPort,
  removeAddress,
  writeAddress,
} from "./lifecycle/identity.ts";
import { IdleWatch } from "./lifecycle/idle.ts";
import { SnapshotQueue } from "./lifecycle/snapshots.ts";
import { controlVerbs } from "./lifecycle/verbs.ts";
import { createExternal } from "./links/external.ts";
import type { Collector } from "./realtime/collector.ts";
import type { Hub } from "./realtime/hub.ts";
import { trimLog } from "./realtime/log.ts";
import { realtimeHandlers } from "./realtime/sync.ts";
import type { Database } from "./base/database.ts";
import { createWriteSide, type WriteSide } from "./write-side.ts";

export interface Provider {
  /** `http://127.0.0.1:<port>`; empty before `listen`. */
  readonly url: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly clock: ProviderClock;
  readonly hub: Hub;
  /** Opens the port and writes `provider.json`. */
  listen(): Promise<void>;
  /** Ends every connection with the code (1001 by default), waits for running calls and closes the files. */
  close(code?: number): Promise<void>;
  /** Resolves once the provider has closed, whoever closed it. */
  readonly closed: Promise<void>;
  /** Whether the provider keeps running without clients. */
  stay(on: boolean): void;
  /** Runs synchronously in a separate transaction; its events are sent after the commit, unless `quiet`. */
  transact<T>(run: (emit: Collector, db: Database) => T, quiet?: boolean): T;
  /** Subscribes to the broadcast events of channels, after their commit. */
  onEvent(listener: (event: AnyEvent) => void): () => void;
  /** Subscribes to the events for servers only (code S of specification/events.md §2), after their commit. */
  onServerEvent(listener: (event: AnyEvent) => void): () => void;
  /** Moves provider time forward by `ms` and runs the work that became due on the way. */
  advance(ms: number): void;
  readonly handlers: Handlers;
  readonly files: Files;
}

/** How often it looks whether the files by which clients find it are still there, milliseconds. */
const LOOK_FOR_FILES_MS = 2000;

/** Requests still running when the provider closes may take this long, milliseconds; then their connections are cut. */
const CLOSE_LIMIT_MS = 1500;

export class RunningProvider implements Provider {
  readonly handlers: Handlers;
  readonly #base: ProviderBase;
  readonly #writeSide: WriteSide;
  readonly #connections: Connections;
  readonly #server: Server;
  readonly #idle: IdleWatch;
  readonly #limits: RateLimits;
  readonly #faults = new Faults();
  /** Absent in memory: there is no folder to store them in. */
  readonly #snapshots: SnapshotQueue | undefined;
  readonly #closed = Promise.withResolvers<void>();
  #closing: Promise<void> | undefined;
  #filesWatch: NodeJS.Timeout | undefined;

  constructor(base: ProviderBase) {
    const { options, clock, hub, memory, folder, db } = base;
    this.#base = base;
    this.#writeSide = createWriteSide(base);
    this.#idle = new IdleWatch(
      { clock, busy: () => hub.size > 0 || this.#closing !== undefined, end: () => void this.close() },
      options.stay ?? false,
    );
    this.#connections = createConnections(base, this.#writeSide, this.#idle);
    this.#limits = new RateLimits(options.rateLimits ?? false);
    this.#snapshots = memory ? undefined : new SnapshotQueue(folder, (file) => db.backup(file));
    this.handlers = this.#createHandlers();
    this.#server = this.#createServer();
  }

  get url(): string {
    return this.#base.address.url;
  }
  get apiKey(): string {
    return this.#base.apiKey;
  }
  get secret(): string {
    return this.#base.secret;
  }
  get clock(): ProviderClock {
    return this.#base.clock;
  }
  get hub(): Hub {
    return this.#base.hub;
  }
  get files(): Files {
    return this.#writeSide.files;
  }
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  #createHandlers(): Handlers {
    const { domain, secret, clock } = this.#base;
    return {
      ...realtimeHandlers(domain),
      getRateLimits: rateLimitsRoute(this.#limits),
      ...this.files.handlers(),
      ...domain.handlers,
      createGuest: guestHandler(domain.handlers.createGuest, secret, () => clock.now()),
    };
  }

  #adminApi(): AdminApi {
    const { secret, hub, clock, address, options } = this.#base;
    const verbs = controlVerbs({
      hub,
      clock,
      faults: this.#faults,
      idle: this.#idle,
      snapshots: this.#snapshots,
      version: options.version,
      background: options.background ?? false,
      url: () => address.url,
      advance: (ms) => this.advance(ms),
      hasErased: () => this.#writeSide.checkpoints.settle(),
      startImport: this.#writeSide.startImport,
      close: () => void this.close(),
    });
    return createAdminApi(secret, this.#connections.authenticate, { ...verbs, ...options.verbs });
  }

  #createServer(): Server {
    const { domain, options, batch, db, clock, signer, failures, address } = this.#base;
    const { commits, webhooks, files, spool } = this.#writeSide;
    const { authenticate, sockets, polls, readers } = this.#connections;
    const { links, translate } = options;
    return createHttpServer({
      gate: () => address.gate!,
      authenticate,
      handlers: this.handlers,
      prefetches: domain.prefetches,
      external: {
        ...createExternal({ links, translate, now: () => clock.now() / 1000 }),
        callHook: webhooks.callHook,
      },
      afterCommit: this.#afterCommit,
      limits: this.#limits,
      batch,
      db,
      collector: commits.collector,
      deliver: commits.release,
      files,
      spool,
      faults: this.#faults,
      long: {
        readers,
        domain,
        base: () => address.url,
        inOwnTransaction: (call, run) => this.transact((emit) => run({ ...call, emit })),
      },
      damageProblem: (error) => failures.problemOf(error),
      signer,
      polls,
      sockets,
      adminApi: this.#adminApi(),
      now: () => clock.now(),
      uuid: randomUUID,
      log: options.log ?? (() => {}),
      onActivity: this.#idle.restart,
    });
  }

  readonly #afterCommit: AfterCommit = (promise, run) => {
    const { db, clock, failures } = this.#base;
    promise
      .then((value) => {
        if (this.#closing) return;
        this.transact((emit) => run({ db, emit, now: () => clock.now(), uuid: randomUUID }, value));
      })
      .catch(failures.inBackground);
  };

  async #bind(port: number): Promise<boolean> {
    this.#server.listen(port, "127.0.0.1");
    try {
      await once(this.#server, "listening");
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE" || port === 0) throw error;
      return false;
    }
  }

  async listen(): Promise<void> {
    const { options, memory, folder, address, batch, db, clock } = this.#base;
    if (!(await this.#bind(options.port || (memory ? 0 : readPort(folder))))) {
      if (options.port)
        throw Object.assign(new Error(`port ${options.port} is in use`), { code: "EADDRINUSE" });
      await this.#bind(0);
    }
    const { port } = this.#server.address() as AddressInfo;
    address.url = `http://127.0.0.1:${port}`;
    address.gate = createGate(port, options.allowOrigins ?? []);
    if (!memory) {
      this.#announce(port);
      this.#filesWatch = setInterval(() => this.#restoreFiles(port), LOOK_FOR_FILES_MS).unref();
    }
    batch.runNow({ run: () => trimLog(db, clock.now()) });
    this.#writeSide.scheduler.wake();
    this.#writeSide.webhooks.sender.wake();
    this.#writeSide.checkpoints.wake();
    this.#idle.restart();
  }

  /** Writes the address file for clients, and the port for the next start. */
  #announce(port: number): void {
    const { folder, apiKey, options, address } = this.#base;
    writePort(folder, port);
    writeAddress(folder, {
      url: address.url,
      pid: process.pid,
      api_key: apiKey,
      secret_file: path.join(folder, DATA_FILES.secret),
      ...(options.version === undefined ? {} : { version: options.version }),
    });
  }

  /** Without these files no client finds it, and no other provider can take the folder: somebody may have removed them. */
  #restoreFiles(port: number): void {
    const { folder, options } = this.#base;
    const isGone = (file: string): boolean => !existsSync(path.join(folder, file));
    try {
      if (isGone(DATA_FILES.address)) this.#announce(port);
      if (isGone(DATA_FILES.holder))
        writeHolder(folder, { background: options.background ?? false, version: options.version });
    } catch {
      // The folder is gone, or its disk is full: it is tried again.
    }
  }

  close(code: number = CLOSE_GOING_AWAY): Promise<void> {
    return (this.#closing ??= this.#end(code));
  }

  async #end(code: number): Promise<void> {
    const { memory, folder, batch, db, lock } = this.#base;
    const { scheduler, checkpoints, webhooks } = this.#writeSide;
    const { sessions, sockets, readers } = this.#connections;
    clearInterval(this.#filesWatch);
    this.#idle.stop();
    scheduler.stop();
    checkpoints.stop();
    webhooks.sender.stop();
    if (!memory) removeAddress(folder);
    sessions.end(code);
    sockets.close();
    await this.#closeServer();
    await this.#snapshots?.done();
    await readers?.close();
    batch.flush();
    db.close();
    removeHolder(folder);
    lock.release();
    if (memory) rmSync(folder, { recursive: true, force: true });
    this.#closed.resolve();
  }

  async #closeServer(): Promise<void> {
    const server = this.#server;
    const done = server.listening ? once(server, "close") : undefined;
    server.close();
    server.closeIdleConnections();
    const forceClose = setTimeout(() => server.closeAllConnections(), CLOSE_LIMIT_MS);
    await done;
    clearTimeout(forceClose);
  }

  stay(on: boolean): void {
    this.#idle.stay(on);
  }

  transact<T>(run: (emit: Collector, db: Database) => T, quiet = false): T {
    return this.#writeSide.commits.transact("background work", run, quiet);
  }

  onEvent(listener: (event: AnyEvent) => void): () => void {
    return this.#writeSide.commits.onEvent(listener);
  }

  onServerEvent(listener: (event: AnyEvent) => void): () => void {
    return this.#writeSide.commits.onServerEvent(listener);
  }

  advance(ms: number): void {
    const { db, clock, memory, folder } = this.#base;
    db.withoutSync(() => this.#writeSide.scheduler.advance(ms));
    this.#writeSide.webhooks.sender.wake();
    this.#connections.sessions.onTimeMoved();
    // Stored, so that time does not jump back at the next start.
    if (!memory) writeClockOffset(folder, clock.offset());
    this.#idle.restart();
  }
}
