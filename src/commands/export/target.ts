/** Checks where an export goes before anything is read for it. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import type { ExportOptions } from "../../jobs/export/run.ts";
import { targetOf } from "../base/bulk/report-run.ts";
import { CommandError, type Call } from "../base/define-command.ts";
import { fileExists } from "../base/file-problem.ts";
import type { BegunFiles } from "./begun-files.ts";
import { EXPORT_ARGS } from "./options.ts";

const isSame = (one: string, other: string): boolean => path.resolve(one) === path.resolve(other);

/** Throws `CommandError` for a place of several files that is a file, or the folder of an archive: its manifest would be replaced, and files beside its own are faults of it. */
export async function requireOwnFolder(
  { names, partition, attachments }: ExportOptions,
  archive: string | undefined,
): Promise<void> {
  const { hasExportManifest } = await import("../../jobs/export/run.ts");
  const { archiveFile } = await import("../../jobs/archive/open.ts");
  if (!names || !(hasExportManifest({ names, partition }) || attachments === "download")) return;
  const { root } = names;
  if (existsSync(root) && !statSync(root).isDirectory())
    throw new CommandError("conflict", `${root} is a file, not a folder.`);
  if (existsSync(archiveFile(root)) || (archive !== undefined && isSame(archive, root)))
    throw new CommandError(
      "conflict",
      `${root} is the folder of an archive, and not of an export too.`,
      "Give --out another folder.",
    );
}

/** The files that an interrupted run of the same line has left; undefined for standard output. */
export async function begunExport(
  { args, machine, page }: Call<typeof EXPORT_ARGS>,
  { names }: ExportOptions,
): Promise<BegunFiles | undefined> {
  if (!names) return undefined;
  const { begunFiles } = await import("./begun-files.ts");
  const { exportPath } = await import("./work-folder.ts");
  const { channels, force, out } = args;
  const { force: _force, ...target } = targetOf(EXPORT_ARGS, args);
  const run = { ...(await machine!.identity()), target: { ...target, channels, newest: page.given } };
  const name = createHash("sha256").update(path.resolve(out!)).digest("hex").slice(0, 16);
  return begunFiles(exportPath(machine!, `${name}.files`), { run: JSON.stringify(run), out: out!, force });
}

/** Throws `CommandError` (conflict) before anything is read, where nothing could be written, or only between other things. */
export async function requireFreePlace(options: ExportOptions, begun: BegunFiles | undefined): Promise<void> {
  if (!begun) return;
  const { onlyFile } = await import("../../jobs/export/run.ts");
  const file = onlyFile(options);
  if (file !== undefined && existsSync(file) && !begun.mayReplace(file)) throw fileExists(file);
  const { root } = options.names!;
  const isFree = options.formats[0] !== "slack" || begun.continues || isEmptyFolder(root);
  if (isFree) return;
  throw new CommandError(
    "conflict",
    `${root} is not empty, and a Slack export is a folder of its own.`,
    "Give --out another folder, or add --force.",
  );
}

const isEmptyFolder = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0;
