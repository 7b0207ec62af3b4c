/** Updates an archive with new messages and recent changes; an interrupted run is continued first. */
import { CommandError, command, type View } from "../base/define-command.ts";
import { refuseLimit } from "../base/lists/cursor.ts";
import { FOLDER, onArchive } from "./open-archive.ts";
import { gapError, fillArchive, archiveResultView, readInto, type ArchiveResult } from "./fill-archive.ts";
import { LOOK_BACK, readSize } from "./options.ts";
import { planArchive, planView, type ArchivePlan } from "./plan.ts";

export default command({
  summary: "Bring an archive up to date",
  changes: "local",
  examples: ["archive update ~/archive", "archive update ops.archive --look-back 60d --attachments download"],
  args: {
    folder: FOLDER,
    lookBack: {
      kind: "duration",
      value: "time",
      help: "Re-read messages this far back (14d) for edits, deletions and new replies",
    },
    attachments: {
      kind: "choice",
      choices: ["link", "download"],
      help: "link keeps the addresses of files, download fetches the files too (default: as before)",
    },
    maxFileSize: {
      kind: "text",
      value: "size",
      help: "Skip files larger than this, for example 20mb (100mb)",
    },
  },
  shellOnly: "works on files",
  async run(call): Promise<ArchiveResult | ArchivePlan> {
    refuseLimit(call.page, "An archive");
    const { folder, lookBack, attachments, maxFileSize } = call.args;
    const { readArchive, writeArchive } = await import("../../jobs/archive/open.ts");
    const { interruptedRun, runsOf } = await import("../../jobs/archive/meta.ts");
    const machine = call.machine!;
    const maxBytes = maxFileSize === undefined ? undefined : readSize("max-file-size", maxFileSize);
    const before = await onArchive(
      () => readArchive(folder),
      ({ db }) => runsOf(db).at(-1)?.options,
    );
    if (before === undefined)
      throw new CommandError(
        "notFound",
        `The archive in ${folder} is empty.`,
        `parley archive create ${folder} fills it.`,
      );
    const options = {
      ...before,
      lookBack: lookBack ?? LOOK_BACK,
      ...(attachments === undefined ? {} : { attachments: attachments as "link" | "download" }),
      ...(maxBytes === undefined ? {} : { maxFileSize: maxBytes }),
    };
    const showProgress = (text: string): void => call.progress(0, 1, text);
    const { core, signal, now } = call;
    if (call.dry) return planArchive({ core, signal, now, showProgress }, folder, options);
    return onArchive(
      () => writeArchive(folder, { create: false }),
      async (archive) => {
        const update = { kind: "update", options } as const;
        const resumed = interruptedRun(archive.db) !== undefined;
        // It goes on as it began: without these flags, and without what was written since to channels it had read.
        if (resumed) await readInto({ ...call, machine }, archive, update);
        return { ...(await fillArchive({ ...call, machine }, archive, update)), resumed };
      },
    );
  },
  show: (done): View => ("dry_run" in done ? planView(done) : archiveResultView(done)),
  fault: (done) => ("dry_run" in done ? undefined : gapError(done)),
});
