/** Assembles a provider around a domain: one app, one loopback port, one data folder. */
import { apiKeyOf } from "../model/files/local-key.ts";
import { rmSync } from "node:fs";
import path from "node:path";
import type { Domain } from "./base/ports.ts";
import { createSigner } from "./files/sign.ts";
import { createClock } from "./base/clock.ts";
import { removeHolder, writeHolder } from "./lifecycle/holder.ts";
import {
  DATA_FILES,
  folderSecret,
  readClockOffset,
  newSecret,
  privateFolder,
  removeAddress,
} from "./lifecycle/identity.ts";
import { Hub } from "./realtime/hub.ts";
import { RunningProvider, type Provider } from "./running.ts";
import { readApp } from "./store/app-settings.ts";
import { Batch } from "./store/batch.ts";
import { Failures } from "./store/failures.ts";
import { takeFolderLock } from "../model/files/folder-lock.ts";
import { makeTemporaryFolder } from "../model/files/temporary-folder.ts";
import { openDatabase, type OpenedDatabase } from "./store/open.ts";
import { transportMigrations } from "./store/transport.ts";
import type { ProviderBase } from "./provider-base.ts";
import type { ProviderOptions } from "./options.ts";

export class FolderBusy extends Error {
  constructor(folder: string) {
    super(`another provider is already running in ${folder}`);
    this.name = "FolderBusy";
  }
}

/** Takes the folder's lock and opens its database; throws `FolderBusy` when another process has it. */
export function assembleProvider(domain: Domain, options: ProviderOptions): Provider {
  const { data } = options;
  const memory = data === ":memory:";
  const folder = memory ? makeTemporaryFolder() : path.resolve(data);
  privateFolder(folder);
  const lock = takeFolderLock(path.join(folder, DATA_FILES.lock));
  if (!lock) throw new FolderBusy(folder);
  const warn = options.warn ?? (() => {});
  const { version, background = false } = options;
  try {
    if (!memory) {
      writeHolder(folder, { background, version });
      // A provider that was killed leaves its address file behind.
      removeAddress(folder);
    }
    const secret = options.secret ?? (memory ? newSecret() : folderSecret(folder));
    const db = openDatabase(memory ? ":memory:" : path.join(folder, DATA_FILES.database), [
      { name: "transport", migrations: transportMigrations },
      {
        name: "domain",
        migrations: domain.migrations,
        registerFunctions: (raw) => domain.registerFunctions?.(raw),
        derived: domain.derived,
      },
    ]);
    if (db.movedAside) warn(recoveryWarning(db.movedAside));
    if (db.wasEmpty)
      warn(`the file of the provider's data, ${DATA_FILES.database}, was empty; a new one has been begun`);
    if (db.rebuilt) warn(`${db.rebuilt} was damaged and has been rebuilt; nothing is lost`);
    return new RunningProvider(createBase(domain, options, { folder, memory, secret, warn, lock, db }));
  } catch (error) {
    removeHolder(folder);
    lock.release();
    if (memory) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Warns the operator that a damaged database was moved aside, and which tables lost rows. */
function recoveryWarning({ file, salvaged }: NonNullable<OpenedDatabase["movedAside"]>): string {
  const unreadable = salvaged.incomplete.length
    ? `; not all of ${salvaged.incomplete.map((name) => name.replace(/_rows$/, "s")).join(", ")} could be read`
    : "";
  return `the provider's data was damaged; the damaged file is now ${file}, and ${salvaged.rows} rows were copied to a new one${unreadable}`;
}

function createBase(
  domain: Domain,
  options: ProviderOptions,
  opened: Pick<ProviderBase, "folder" | "memory" | "secret" | "warn" | "lock" | "db">,
): ProviderBase {
  const { folder, memory, secret, warn, db } = opened;
  const clock = options.clock ?? createClock(memory ? 0 : readClockOffset(folder));
  const address: ProviderBase["address"] = { url: "", gate: undefined };
  return {
    ...opened,
    domain,
    options,
    apiKey: options.apiKey ?? apiKeyOf(secret),
    clock,
    hub: new Hub(),
    address,
    failures: new Failures(db, warn),
    batch: new Batch(
      db,
      (settled) => domain.beforeCommit?.(settled),
      (what, ms) => {
        // Before the provider listens, while the demo is seeded, nobody waits for it.
        if (address.url !== "")
          options.onSlowCommit?.(`${what} blocked every other call for ${Math.round(ms)} ms`);
      },
    ),
    signer: createSigner(
      secret,
      () => address.url,
      () => clock.now(),
      () => readApp(db).cdn_expiration_seconds,
    ),
  };
}
