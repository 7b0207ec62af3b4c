/** Creates an archive of channels in a folder, or continues an interrupted one. */
import type { ArchiveReadOptions } from "../../jobs/archive/meta.ts";
import type { OpenArchive } from "../../jobs/archive/open.ts";
import { BULK_ARGS } from "../base/bulk/bulk.ts";
import { namedChannels } from "../base/bulk/names.ts";
import { CommandError, command, type View } from "../base/define-command.ts";
import { refuseLimit } from "../base/lists/cursor.ts";
import { FOLDER, noteView, onArchive } from "./open-archive.ts";
import { gapError, fillArchive, archiveResultView, type ArchiveResult } from "./fill-archive.ts";
import { READ_ARGS, readArchiveOptions, sameOptions } from "./options.ts";
import { planArchive, planView, type ArchivePlan } from "./plan.ts";

export default command({
  summary: "Archive channels and everything in them to a folder",
  changes: "local",
  examples: [
    "archive create ~/archive",
    "archive create ops.archive messaging:ops --since 90d --attachments download",
  ],
  args: {
    folder: FOLDER,
    channels: {
      kind: "list",
      positional: true,
      optional: true,
      help: "The channels (default: all of yours)",
    },
    file: BULK_ARGS.file,
    ...READ_ARGS,
  },
  shellOnly: "works on files",
  async run(call): Promise<ArchiveResult | ArchivePlan> {
    refuseLimit(call.page, "An archive");
    const { folder } = call.args;
    const machine = call.machine!;
    const context = {
      core: call.core,
      signal: call.signal,
      now: call.now,
      showProgress: (text: string) => call.progress(0, 1, text),
    };
    const options = await readArchiveOptions(call, context, {
      ...call.args,
      channels: await namedChannels(call),
    });
    const { writeArchive } = await import("../../jobs/archive/open.ts");
    if (call.dry) {
      await requireStartableIn(folder, options, call.now());
      return planArchive(context, folder, options);
    }
    const { storageKind } = await import("../../model/files/storage.ts");
    const { archiveCounts } = await import("../../jobs/archive/counts.ts");
    return onArchive(
      () => writeArchive(folder, { create: true }),
      async (archive) => {
        await requireStartable(archive, options, call.now());
        try {
          const done = await fillArchive({ ...call, machine }, archive, { kind: "create", options });
          noteView(call, folder);
          return done;
        } catch (error) {
          // A full disk: what was read is kept, for the same line to go on, but not an archive of nothing.
          if (storageKind(error) !== undefined && archiveCounts(archive.db).messages === 0)
            archive.withdraw?.();
          throw error;
        }
      },
    );
  },
  show: (done): View => ("dry_run" in done ? planView(done) : archiveResultView(done)),
  fault: (done) => ("dry_run" in done ? undefined : gapError(done)),
});

/** What a run would be refused for. Throws `CommandError` (conflict). */
async function requireStartableIn(folder: string, options: ArchiveReadOptions, now: number): Promise<void> {
  const { archiveFile, manifestFile, readArchive, requireFree } = await import("../../jobs/archive/open.ts");
  const { existsSync } = await import("node:fs");
  if (![archiveFile(folder), manifestFile(folder)].some((file) => existsSync(file))) return;
  await onArchive(
    () => {
      requireFree(folder);
      return readArchive(folder);
    },
    (archive) => requireStartable(archive, options, now),
  );
}

/** The archive must be new, or interrupted (even just before its manifest) with the same options. Throws `CommandError` (conflict). */
async function requireStartable(
  { db, folder }: OpenArchive,
  options: ArchiveReadOptions,
  now: number,
): Promise<void> {
  const { runsOf } = await import("../../jobs/archive/meta.ts");
  const runs = runsOf(db);
  if (runs.length === 0) return;
  const [first] = runs;
  const { hasManifest } = await import("../../jobs/archive/manifest.ts");
  if (runs.length > 1 || (first!.ended_at !== null && hasManifest(folder)))
    throw new CommandError(
      "conflict",
      `${folder} holds an archive already.`,
      `parley archive update ${folder} brings it up to date.`,
    );
  if (!sameOptions(first!, options, now))
    throw new CommandError(
      "conflict",
      `The archive in ${folder} was started with other channels or flags.`,
      `parley archive update ${folder} continues it.`,
    );
}
