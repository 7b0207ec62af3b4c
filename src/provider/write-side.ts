/** The writing half of a provider: transactions and their events, files, hooks, and scheduled work. */
import { randomUUID } from "node:crypto";
import path from "node:path";
import type { ImportTask } from "../wire/entities/import.ts";
import type { ImportOrder } from "./base/ports.ts";
import { Files } from "./files/files.ts";
import { SpoolFiles } from "./files/spool.ts";
import type { ProviderBase } from "./provider-base.ts";
import { createWebhooks, type Webhooks } from "./hooks/webhooks.ts";
import { Scheduler } from "./lifecycle/scheduler.ts";
import { DATA_FILES } from "./lifecycle/identity.ts";
import { Checkpoints } from "./store/checkpoint.ts";
import { Commits } from "./realtime/commits.ts";

export interface WriteSide {
  readonly commits: Commits;
  readonly webhooks: Webhooks;
  readonly scheduler: Scheduler;
  readonly checkpoints: Checkpoints;
  readonly files: Files;
  readonly spool: SpoolFiles;
  /** See `Domain.startImport`. */
  startImport(order: ImportOrder): ImportTask;
}

export function createWriteSide(base: ProviderBase): WriteSide {
  const { domain, folder, apiKey, secret, db, batch, clock, hub, signer, failures, warn } = base;
  const now = (): number => clock.now();
  const reportError = failures.inBackground;
  const refresh = (json: string): string => signer.refresh(json);
  const webhooks = createWebhooks({ apiKey, secret, db, domain, batch, clock, refresh, warn });
  const commits = new Commits({
    hub,
    db,
    domain,
    batch,
    now,
    refresh,
    reportError,
    hookFor: (request) => webhooks.recorderFor(request),
    onCommit: () => {
      scheduler.wake();
      checkpoints.wake();
    },
  });
  const checkpoints = new Checkpoints({ db, clock, transact: (run) => batch.runNow({ run }), reportError });
  const spool = new SpoolFiles(folder, signer);
  const uploads = path.join(folder, DATA_FILES.uploads);
  const files = new Files({ folder: uploads, db, domain, signer, uuid: randomUUID, now, reportError });
  const context = { db, now, uuid: randomUUID, jobFiles: spool, uploads: files, reportError };
  const scheduler = new Scheduler({
    works: domain.due,
    db,
    clock,
    reportError,
    step: (work) => commits.transact(work.name, (emit) => work.run({ ...context, emit })),
  });
  const startImport = (order: ImportOrder): ImportTask =>
    commits.transact("import", (emit) => domain.startImport({ ...context, emit }, order));
  return { commits, webhooks, scheduler, checkpoints, files, spool, startImport };
}
