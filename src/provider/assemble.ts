/** Assembles a provider around a domain: one app, one loopback port, one data folder. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { AnyEvent } from "../wire/events.ts";
import type { External, Handlers } from "./base/handler.ts";
import type { Domain } from "./base/ports.ts";
import type { Files } from "./files/files.ts";
import { createSigner } from "./files/sign.ts";
import type { LogEntry } from "./http/server.ts";
import { createClock, type ProviderClock } from "./lifecycle/clock.ts";
import type { Verbs } from "./lifecycle/control.ts";
import { removeHolder, writeHolder } from "./lifecycle/holder.ts";
import {
  FILES,
  folderSecret,
  keyOf,
  movedClock,
  newSecret,
  privateFolder,
  removeAddress,
} from "./lifecycle/identity.ts";
import type { LinkOptions } from "./links/external.ts";
import type { Collector } from "./realtime/collector.ts";
import { Hub } from "./realtime/hub.ts";
import { RunningProvider } from "./running.ts";
import { readApp } from "./store/app-settings.ts";
import { Batch } from "./store/batch.ts";
import type { Database } from "./store/database.ts";
import { Failures } from "./store/failures.ts";
import { takeFolderLock } from "./store/lock.ts";
import { openDatabase, type OpenedDatabase } from "./store/open.ts";
import { transportMigrations } from "./store/transport.ts";
import type { ProviderBase } from "./provider-base.ts";

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
  const lock = takeFolderLock(path.join(folder, FILES.lock));
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
        registerFunctions: (raw) => domain.registerFunctions?.(raw),
        derived: domain.derived,
      },
    ]);
    if (db.movedAside) warn(setAside(db.movedAside));
    if (db.rebuilt) warn(`${db.rebuilt} was damaged and has been made anew; nothing is lost`);
    return new RunningProvider(baseOf(domain, options, { folder, memory, secret, warn, lock, db }));
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

/** What all parts of the provider stand on. */
function baseOf(
  domain: Domain,
  options: ProviderOptions,
  opened: Pick<ProviderBase, "folder" | "memory" | "secret" | "warn" | "lock" | "db">,
): ProviderBase {
  const { folder, memory, secret, warn, db } = opened;
  const clock = options.clock ?? createClock(memory ? 0 : movedClock(folder));
  const here: ProviderBase["here"] = { url: "", gate: undefined };
  return {
    ...opened,
    domain,
    options,
    apiKey: options.apiKey ?? keyOf(secret),
    clock,
    hub: new Hub(),
    here,
    failures: new Failures(db, warn),
    batch: new Batch(
      db,
      (settled) => domain.settle?.(settled),
      (what, ms) => options.slow?.(`${what} held everybody up for ${Math.round(ms)} ms`),
    ),
    signer: createSigner(
      secret,
      () => here.url,
      () => clock.now(),
      () => readApp(db).cdn_expiration_seconds,
    ),
  };
}
