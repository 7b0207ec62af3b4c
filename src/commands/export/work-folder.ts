/** The folder with the data an export has read, so that an interrupted one can resume. */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import type { ArchiveReadOptions } from "../../jobs/archive/meta.ts";
import type { OpenArchive, WritableArchive } from "../../jobs/archive/open.ts";
import { readOwn, replaceOwn } from "../../model/files/own-files.ts";
import { runDifference } from "../base/bulk/report-run.ts";
import { CommandError, type Machine, type RunIdentity } from "../base/define-command.ts";

/** Where an export keeps something on this machine. */
export const exportPath = ({ folder }: Pick<Machine, "folder">, name: string): string =>
  path.join(path.dirname(folder), "exports", name);

interface WorkFolder {
  folder: string;
  open(): OpenArchive;
  /** Closes what was opened, and removes the folder. */
  remove(): void;
}

/** The run that filled a work folder, and where its files go; without `out` standard output. */
interface ExportRun {
  identity: RunIdentity;
  out?: string;
}

/** What an export reads, where, and as whom. */
export async function exportRun(
  machine: Machine,
  { since: _since, until: _until, ...target }: ArchiveReadOptions,
  out: string | undefined,
): Promise<ExportRun> {
  const identity = { ...(await machine.identity()), target: { ...target } };
  return { identity, ...(out === undefined || out === "-" ? {} : { out: path.resolve(out) }) };
}

/** The key of a work folder's `meta` for its run. */
const RUN = "export";

/** The folder depends on channels and options; without `resume` it is emptied. Throws `CommandError` (conflict) if another run is to be resumed. */
export async function workFolder(
  machine: Machine,
  { channels, filter, attachments, threads, newest }: ArchiveReadOptions,
  run: ExportRun,
  resume: boolean,
): Promise<WorkFolder> {
  const { ArchiveBusy, clearArchive, writeArchive } = await import("../../jobs/archive/open.ts");
  const { writeMeta } = await import("../../jobs/archive/meta.ts");
  const parts = [channels, filter, attachments, threads];
  const selection = JSON.stringify(newest === undefined ? parts : [...parts, newest]);
  const folder = exportPath(machine, createHash("sha256").update(selection).digest("hex").slice(0, 16));
  if (resume) await requireSameExport(machine, folder, run);
  let opened: WritableArchive | undefined;
  return {
    folder,
    open() {
      try {
        opened = writeArchive(folder, { create: true });
        if (!resume) clearArchive(opened);
        writeMeta(opened.db, RUN, JSON.stringify(run));
        return opened;
      } catch (error) {
        if (!(error instanceof ArchiveBusy)) throw error;
        // The user does not know this folder, so the error does not name it.
        throw new CommandError(
          "conflict",
          "Another run is exporting the same channels.",
          "Wait until it has ended, or use another folder with --archive.",
        );
      }
    },
    remove: () => opened?.discard(),
  };
}

/** The interrupted export of these channels and flags, else those to the same place, of any app, must be of the same run. */
async function requireSameExport(machine: Machine, folder: string, run: ExportRun): Promise<void> {
  const own = await runIn(folder);
  const begun = own ? [own] : run.out === undefined ? [] : await runsTo(machine, run.out);
  for (const before of begun) {
    const difference = runDifference(before.identity, run.identity);
    if (difference !== undefined)
      throw new CommandError(
        "conflict",
        `The interrupted export${before.out === undefined ? "" : ` to ${before.out}`} is of another run: ${difference}.`,
        "Repeat the line of that run with --resume, or begin a new export without it.",
      );
  }
}

/** The interrupted exports to a place. */
async function runsTo({ folder }: Machine, out: string): Promise<ExportRun[]> {
  const apps = path.dirname(path.dirname(folder));
  const runs: ExportRun[] = [];
  for (const app of namesIn(apps))
    for (const name of namesIn(path.join(apps, app, "exports"))) {
      const run = await runIn(path.join(apps, app, "exports", name));
      if (run?.out === out) runs.push(run);
    }
  return runs;
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Undefined also for a folder of an earlier version, and for one that cannot be read: it is not continued then. */
async function runIn(folder: string): Promise<ExportRun | undefined> {
  const { readArchive } = await import("../../jobs/archive/open.ts");
  const { readMeta } = await import("../../jobs/archive/meta.ts");
  try {
    const { db, close } = readArchive(folder);
    try {
      return JSON.parse(readMeta(db, RUN) ?? "null") ?? undefined;
    } finally {
      close();
    }
  } catch {
    return undefined;
  }
}

/** The secret key for pseudonyms of a profile, created on first use; it allows identifying people. */
export function pseudonymKey(machine: Pick<Machine, "folder">): string {
  const file = exportPath(machine, "pseudonyms.key");
  const existing = readOwn(file);
  if (existing !== undefined) return existing.trim();
  const key = randomBytes(32).toString("base64url");
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  replaceOwn(file, `${key}\n`);
  return key;
}
