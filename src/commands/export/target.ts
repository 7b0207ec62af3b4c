/** Checks where an export goes before anything is read for it. */
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import type { ExportOptions } from "../../jobs/export/run.ts";
import { CommandError } from "../base/define-command.ts";

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
