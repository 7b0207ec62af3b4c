/** The folder with the data an export has read, so that an interrupted one can resume. */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import type { ArchiveReadOptions } from "../../jobs/archive/meta.ts";
import type { OpenArchive } from "../../jobs/archive/open.ts";
import { readOwn, replaceOwn } from "../../model/files/own-files.ts";
import { CommandError, type Machine } from "../base/define-command.ts";

const exportPath = ({ folder }: Pick<Machine, "folder">, name: string): string =>
  path.join(path.dirname(folder), "exports", name);

interface WorkFolder {
  folder: string;
  open(): OpenArchive;
  remove(): void;
}

/** The folder depends on channels and options; without `resume` it is emptied. */
export async function workFolder(
  machine: Machine,
  { channels, filter, attachments, threads, newest }: ArchiveReadOptions,
  resume: boolean,
): Promise<WorkFolder> {
  const { ArchiveBusy, clearArchive, writeArchive } = await import("../../jobs/archive/open.ts");
  const selection = JSON.stringify([channels, filter, attachments, threads, newest]);
  const folder = exportPath(machine, createHash("sha256").update(selection).digest("hex").slice(0, 16));
  return {
    folder,
    open() {
      try {
        const archive = writeArchive(folder, { create: true });
        if (!resume) clearArchive(archive);
        return archive;
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
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
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
