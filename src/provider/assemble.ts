/** Puts a provider together around a domain: one app on one loopback port with one data folder, from its lock to its last frame. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { CLOSE_GOING_AWAY } from "../wire/constants.ts";
import { ApiProblem } from "./base/handler.ts";
import { createOutside, type LinkOptions } from "./links/outside.ts";
import type { Handlers, External } from "./base/handler.ts";
import { Files } from "./files/files.ts";
import { createSigner } from "./files/sign.ts";
import { SpoolFiles } from "./files/spool.ts";
import { onceForEachHost } from "./hooks/address.ts";
import { createAsk } from "./hooks/ask.ts";
import { createPost } from "./hooks/post.ts";
import { enqueue } from "./hooks/queue.ts";
import { createSender } from "./hooks/sender.ts";
import { readApp } from "./store/app-settings.ts";
import { createAuthenticator } from "./http/auth.ts";
import { guestHandler } from "./http/guest.ts";
import { parseJson } from "./base/json.ts";
import { RateLimits, rateLimitsRoute } from "./http/limits.ts";
import { createGate } from "./http/origin.ts";
import type { Gate } from "./http/origin.ts";
import { parseTarget } from "./http/query.ts";
import { createHttpServer, credentialsOf } from "./http/server.ts";
import type { LogEntry } from "./http/server.ts";
import { createClock } from "./lifecycle/clock.ts";
import type { ProviderClock, Timer } from "./lifecycle/clock.ts";
import { createSideDoor } from "./lifecycle/control.ts";
import { coverage } from "./lifecycle/coverage.ts";
import { createScheduler } from "./lifecycle/due.ts";
import { Faults, faultVerb } from "./http/faults.ts";
import type { Verbs } from "./lifecycle/control.ts";
import { removeHolder, writeHolder } from "./lifecycle/holder.ts";
import { FILES, folderSecret, keyOf, newSecret, privateFolder } from "./lifecycle/identity.ts";
import {
  movedClock,
  rememberClock,
  rememberPort,
  rememberedPort,
  removeAddress,
  writeAddress,
} from "./lifecycle/identity.ts";
import { isSnapshotName, saveSnapshot } from "./lifecycle/snapshots.ts";
import type { Domain } from "./base/ports.ts";
import { Collector } from "./realtime/collector.ts";
import { Hub } from "./realtime/hub.ts";
import { trimLog } from "./realtime/log.ts";
import { LongPolls } from "./realtime/longpoll.ts";
import { Sessions } from "./realtime/sessions.ts";
import { createSocketServer } from "./realtime/socket.ts";
import { realtimeHandlers } from "./realtime/sync.ts";
import { Batch } from "./store/batch.ts";
import type { Database } from "./store/database.ts";
import { storageProblem } from "./store/trouble.ts";
import { takeLock } from "./store/lock.ts";
import { Readers } from "./reader/readers.ts";
import { openDatabase, readsBeside } from "./store/open.ts";
import type { OpenedDatabase } from "./store/open.ts";
import { transportMigrations } from "./store/transport.ts";
import type { AnyEvent } from "../wire/events.ts";
import type { RequestInfo } from "../wire/webhook.ts";
import { timeFromMicros } from "../wire/time.ts";

/** Without a client for this long a provider that was not told to stay ends. */
export const IDLE_LIMIT = 10 * 60_000;

export interface ProviderOptions {
  /** The data folder, or `":memory:"` for a provider that forgets. */
  data: string;
  /** 0 = the remembered port of the folder, else any free one. */
  port?: number;
  /** Default: the secret of the folder, made at its first start. */
  secret?: string;
  /** Default: derived from the secret. */
  apiKey?: string;
  clock?: ProviderClock;
  /** Origins of web pages that may speak to this provider; none by default. */
  allowOrigins?: readonly string[];
  /** Refuse over the limits; counting alone is the default. */
  rateLimits?: boolean;
  /** Keep running without clients. */
  stay?: boolean;
  /** Of the program, told to whoever finds the provider. */
  version?: string;
  /** Started for whoever needs it, not in somebody's foreground. */
  background?: boolean;
  /** More verbs for `POST /_local/…`. */
  verbs?: Verbs;
  /** One line an answered request; tokens, keys and texts are never in it. */
  log?(entry: LogEntry): void;
  /** Which pages are read for previews, and how. */
  links?: LinkOptions;
  /** Default: every text is its own translation. */
  translate?: External["translate"];
  /** Sentences for the operator: a damaged file moved aside, a failure in the background, and where it happened. */
  warn?(sentence: string, stack?: string): void;
  /** What held everybody up, and for how long: it depends on the machine, so it is no trouble of the provider's. */
  slow?(sentence: string): void;
}

/** Ten years in milliseconds: farther nobody needs to look. */
const LONGEST_MOVE = 315_360_000_000;

export class FolderBusy extends Error {
  constructor(folder: string) {
    super(`another provider is already running in ${folder}`);
    this.name = "FolderBusy";
  }
}

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
  /** From now on the provider does, or does not, end without clients. */
  stay(on: boolean): void;
  /** Tells the user's connections (everybody's when undefined) that their tokens were revoked, and closes them with 1008. */
  expel(userId: string | undefined): void;
  /** Runs synchronously in a transaction of its own; events go out after it, unless `quiet`. */
  transact<T>(run: (emit: Collector, db: Database) => T, quiet?: boolean): T;
  /** Broadcast events of channels after their commit. */
  onEvent(listener: (event: AnyEvent) => void): () => void;
  /** Events for servers only (code S of specification/events.md §2) after their commit. */
  onServerEvent(listener: (event: AnyEvent) => void): () => void;
  /** Moves provider time forward by `ms` and runs what became due on the way. */
  advance(ms: number): void;
  readonly handlers: Handlers;
  readonly files: Files;
}

/** Takes the folder's lock and opens its database; throws `FolderBusy` when another process has it. */
export function assembleProvider(domain: Domain, options: ProviderOptions): Provider {
  const { data } = options;
  const memory = data === ":memory:";
  const folder = memory ? mkdtempSync(path.join(tmpdir(), "parley-provider-")) : path.resolve(data);
  privateFolder(folder);
  const lock = takeLock(path.join(folder, FILES.lock));
  if (!lock) throw new FolderBusy(folder);
  const warn = options.warn ?? (() => {});
  const { version, background = false } = options;
  try {
    if (!memory) {
      writeHolder(folder, { background, version });
      // One that was killed left where it listened.
      removeAddress(folder);
    }
    const secret = options.secret ?? (memory ? newSecret() : folderSecret(folder));
    const db = openDatabase(memory ? ":memory:" : path.join(folder, FILES.database), [
      { name: "transport", migrations: transportMigrations },
      {
        name: "domain",
        migrations: domain.migrations,
        teach: (raw) => domain.registerFunctions?.(raw),
        derived: domain.derived,
      },
    ]);
    if (db.movedAside) warn(setAside(db.movedAside));
    if (db.rebuilt) warn(`${db.rebuilt} was damaged and has been made anew; nothing is lost`);
    return assemble(domain, options, { folder, memory, secret, warn, lock, db });
  } catch (error) {
    removeHolder(folder);
    lock.release();
    if (memory) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** What became of a damaged database, for people. */
function setAside({ file, saved }: NonNullable<OpenedDatabase["movedAside"]>): string {
  const lost = saved.broken.length
    ? `; not all of ${saved.broken.map((name) => name.replace(/_rows$/, "s")).join(", ")} could be read`
    : "";
  return `the provider's data was damaged; it was kept as ${file}, and ${saved.rows} rows of it go on in a new file${lost}`;
}

interface Opened {
  folder: string;
  memory: boolean;
  secret: string;
  warn(sentence: string, stack?: string): void;
  lock: { release(): void };
  db: ReturnType<typeof openDatabase>;
}

function assemble(domain: Domain, options: ProviderOptions, opened: Opened): Provider {
  const { folder, memory, secret, warn, lock, db } = opened;
  const apiKey = options.apiKey ?? keyOf(secret);
  const clock = options.clock ?? createClock(memory ? 0 : movedClock(folder));
  const hub = new Hub();
  let damageSaid: string | undefined;
  /** Damage is told once, and every call that meets it is refused with the sentence instead of a fault of ours. */
  const damaged = (error: unknown): ApiProblem | undefined => {
    const sentence = db.damaged(error);
    if (sentence === undefined) return storageProblem(error);
    if (damageSaid === undefined) warn(sentence);
    damageSaid = sentence;
    return new ApiProblem(-1, sentence);
  };
  const batch = new Batch(
    db,
    (settled) => domain.settle?.(settled),
    (what, ms) => options.slow?.(`${what} held everybody up for ${Math.round(ms)} ms`),
  );
  const listeners = new Set<(event: AnyEvent) => void>();
  const serverListeners = new Set<(event: AnyEvent) => void>();
  let url = "";
  let gate: Gate | undefined;
  let stays = options.stay ?? false;
  let idle: Timer | undefined;
  let closing: Promise<void> | undefined;
  /** Snapshots are saved one after the other, and the database stays open for them. */
  let saving: Promise<void> = Promise.resolve();
  const { promise: closed, resolve: ended } = Promise.withResolvers<void>();

  const failed = (error: unknown): void => {
    const refusal = damaged(error);
    if (refusal && refusal.message === damageSaid) return;
    warn("the provider failed in the background", String((error as Error)?.stack ?? error));
  };
  const signer = createSigner(
    secret,
    () => url,
    () => clock.now(),
    () => readApp(db).cdn_expiration_seconds,
  );
  const spool = new SpoolFiles(folder, signer);
  const hookOutside = onceForEachHost(warn);
  const collector = (request?: RequestInfo, quiet = false): Collector =>
    new Collector({
      hub,
      db,
      domain,
      now: () => clock.now(),
      refresh: (json) => signer.refresh(json),
      ...(quiet
        ? {}
        : {
            hook(event, at, emit) {
              const extras = (): Record<string, unknown> => domain.hookExtras?.(db, emit, event) ?? {};
              const written = (body: object): string => signer.refresh(JSON.stringify(body));
              // it looks in the next turn, when this one is committed or undone
              if (enqueue(db, { event, at, extras, request, written, outside: hookOutside })) sender.look();
            },
          }),
    });
  const post = createPost(apiKey, secret, hookOutside);
  const sender = createSender({
    db,
    clock,
    post,
    transact: (run) => batch.now({ run, undo: () => {}, release: () => {} }),
    warn,
  });
  const tell = (to: Set<(event: AnyEvent) => void>, events: AnyEvent[]): void => {
    for (const event of events)
      for (const listener of to) {
        try {
          listener(event);
        } catch (error) {
          failed(error);
        }
      }
  };
  const committed = (emit: Collector): void => {
    emit.flush();
    tell(listeners, emit.broadcasts);
    tell(serverListeners, emit.serverEvents);
    scheduler.look();
  };
  /** `name` is for the operator, when it held everybody up. */
  const transact = <T>(name: string, run: (emit: Collector, db: Database) => T, quiet = false): T => {
    const emit = collector(undefined, quiet);
    return batch.now({
      name,
      run: () => run(emit, db),
      undo: () => emit.undo(),
      release: () => {
        if (quiet) emit.discard();
        else committed(emit);
      },
    });
  };
  const scheduler = createScheduler({
    works: domain.due,
    db,
    clock,
    failed,
    step: (work) =>
      transact(work.name, (emit) =>
        work.run({
          db,
          emit,
          now: () => clock.now(),
          uuid: randomUUID,
          jobFiles: spool,
          uploads: files,
          failed,
        }),
      ),
  });
  const touched = (): void => {
    idle?.cancel();
    idle = undefined;
    if (stays || hub.size > 0 || closing) return;
    idle = clock.after(IDLE_LIMIT, () => void provider.close());
  };

  const files = new Files({
    folder: path.join(folder, FILES.uploads),
    db,
    domain,
    signer,
    uuid: randomUUID,
    now: () => clock.now(),
    failed,
  });
  const sessions = new Sessions({
    hub,
    db,
    domain,
    batch,
    clock,
    collector,
    uuid: randomUUID,
    changed: touched,
    failed,
  });
  const readers =
    memory || !readsBeside(db)
      ? undefined
      : new Readers(
          { file: path.join(folder, FILES.database), secret },
          () => clock.now(),
          () => [...hub.byUser.keys()].filter((userId) => hub.online(userId)),
        );
  const polls = new LongPolls(sessions, clock);
  const faults = new Faults();
  const authenticate = createAuthenticator({
    apiKey,
    secret,
    app: () => readApp(db),
    account: (userId) => domain.account(db, userId),
    now: () => clock.now(),
  });
  const sockets = createSocketServer({
    sessions,
    clock,
    failed,
    hello(request) {
      const { query } = parseTarget(request.url ?? "/");
      const given = credentialsOf(request, query, true);
      // The key is checked before the payload is read, the token inside the payload only when there is no other.
      let payload: Record<string, unknown> | undefined;
      if (!given.token && query.json !== undefined) {
        payload = parseJson(query.json);
        if (typeof payload.user_token === "string") given.token = payload.user_token;
      }
      const caller = authenticate(given);
      if (query.json === undefined)
        throw new ApiProblem(4, "json is missing", { fields: { json: "is required" } });
      return { caller, payload: payload ?? parseJson(query.json) };
    },
  });
  const limits = new RateLimits(options.rateLimits ?? false);
  const handlers: Handlers = {
    ...realtimeHandlers(domain),
    getRateLimits: rateLimitsRoute(limits),
    ...files.handlers(),
    ...domain.handlers,
    createGuest: guestHandler(domain.handlers.createGuest, secret, () => clock.now()),
  };
  const sideDoor = createSideDoor(secret, authenticate, {
    status: () => ({
      pid: process.pid,
      url,
      connections: hub.size,
      users: hub.byUser.size,
      stay: stays,
      ...(options.version === undefined ? {} : { version: options.version }),
      background: options.background ?? false,
    }),
    fault: (body) => {
      if (body.do !== "drop-ws") return faultVerb(faults, body);
      const links = [...hub.all()];
      for (const { link } of links) link.close(CLOSE_GOING_AWAY);
      return { dropped: links.length };
    },
    clock: (body) => {
      const { advance_ms: ms } = body;
      if (ms !== undefined) {
        if (!Number.isInteger(ms) || Number(ms) < 0 || Number(ms) > LONGEST_MOVE)
          throw new ApiProblem(4, "advance_ms must be milliseconds from 0 to ten years");
        provider.advance(Number(ms));
      }
      return { now: timeFromMicros(clock.now()), moved_ms: clock.moved() };
    },
    snapshot: (body) => {
      const { name } = body;
      if (typeof name !== "string" || !isSnapshotName(name))
        throw new ApiProblem(4, "name must be letters, digits, _ and -", {
          fields: { name: "is not a name" },
        });
      if (memory) throw new ApiProblem(4, "a provider in memory has no folder for snapshots");
      const saved = saving.then(() => saveSnapshot(folder, name, (file) => db.backup(file)));
      saving = saved.then(
        () => {},
        () => {},
      );
      return saved.then((snapshot) => ({ snapshot }));
    },
    coverage: () => ({ routes: coverage() }),
    stay: (body) => {
      provider.stay(body.on !== false);
      return { stay: stays };
    },
    stop: () => {
      // The answer leaves first.
      setImmediate(() => void provider.close());
      return {};
    },
    ...options.verbs,
  });
  const server = createHttpServer({
    gate: () => gate!,
    authenticate,
    handlers,
    prefetches: domain.prefetches,
    outside: {
      ...createOutside({
        links: options.links,
        translate: options.translate,
        now: () => clock.now() / 1000,
      }),
      ask: createAsk(post, randomUUID),
    },
    afterCommit(waited, run) {
      const later = (emit: Collector): Parameters<typeof run>[0] => ({
        db,
        emit,
        now: () => clock.now(),
        uuid: randomUUID,
      });
      waited
        .then((value) => {
          if (!closing) provider.transact((emit) => run(later(emit), value));
        })
        .catch(failed);
    },
    limits,
    batch,
    db,
    collector,
    committed,
    files,
    spool,
    faults,
    long: {
      readers,
      domain,
      base: () => url,
      apart: (call, run) => provider.transact((emit) => run({ ...call, emit })),
    },
    damaged,
    signer,
    polls,
    sockets,
    sideDoor,
    now: () => clock.now(),
    uuid: randomUUID,
    log: options.log ?? (() => {}),
    touched,
  });

  const bind = async (port: number): Promise<boolean> => {
    server.listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE" || port === 0) throw error;
      return false;
    }
  };

  const shutDown = async (code: number): Promise<void> => {
    idle?.cancel();
    scheduler.stop();
    sender.stop();
    if (!memory) removeAddress(folder);
    sessions.end(code);
    sockets.close();
    const done = server.listening ? once(server, "close") : undefined;
    server.close();
    server.closeIdleConnections();
    // What already runs may end; what hangs does not hold the folder.
    const cut = setTimeout(() => server.closeAllConnections(), 1500);
    await done;
    clearTimeout(cut);
    await saving;
    await readers?.close();
    batch.flush();
    db.close();
    removeHolder(folder);
    lock.release();
    if (memory) rmSync(folder, { recursive: true, force: true });
    ended();
  };

  const provider: Provider = {
    get url() {
      return url;
    },
    apiKey,
    secret,
    clock,
    hub,
    handlers,
    files,
    closed,
    async listen() {
      const wanted = options.port || (memory ? 0 : rememberedPort(folder));
      if (!(await bind(wanted))) {
        if (options.port) throw new Error(`port ${options.port} is in use`);
        await bind(0);
      }
      const { port } = server.address() as AddressInfo;
      url = `http://127.0.0.1:${port}`;
      gate = createGate(port, options.allowOrigins ?? []);
      if (!memory) {
        rememberPort(folder, port);
        writeAddress(folder, {
          url,
          pid: process.pid,
          api_key: apiKey,
          secret_file: path.join(folder, FILES.secret),
          ...(options.version === undefined ? {} : { version: options.version }),
        });
      }
      batch.now({ run: () => trimLog(db, clock.now()), undo: () => {}, release: () => {} });
      scheduler.look();
      sender.look();
      touched();
    },
    close: (code = CLOSE_GOING_AWAY) => (closing ??= shutDown(code)),
    stay(on) {
      stays = on;
      touched();
    },
    expel(userId) {
      provider.transact((emit) =>
        emit.expel(userId === undefined ? {} : { userId }, 40, "token was revoked"),
      );
    },
    transact: (run, quiet = false) => transact("work of its own", run, quiet),
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onServerEvent(listener) {
      serverListeners.add(listener);
      return () => serverListeners.delete(listener);
    },
    advance(ms) {
      db.together(() => scheduler.advance(ms));
      sender.look();
      sessions.timeMoved();
      // Time does not jump back when the provider is started again.
      if (!memory) rememberClock(folder, clock.moved());
      touched();
    },
  };
  return provider;
}
