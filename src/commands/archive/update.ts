/** Updates an archive with new messages and recent changes; an interrupted run is continued first. */
import { command, type View } from "../base/define-command.ts";
import { FOLDER, onArchive } from "./base.ts";
import { gapError, fill, filledView, type Filled } from "./fill.ts";
import { LOOK_BACK, readSize } from "./options.ts";
import { listOfPlan, planView, type ArchivePlan } from "./plan.ts";

export default command({
  summary: "Bring an archive up to date",
  changes: "here",
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
  async run(call): Promise<Filled | ArchivePlan> {
    const { folder, lookBack, attachments, maxFileSize } = call.args;
    const { readArchive, writeArchive } = await import("../../jobs/archive/open.ts");
    const { runsOf } = await import("../../jobs/archive/meta.ts");
    const machine = call.machine!;
    const most = maxFileSize === undefined ? undefined : readSize("max-file-size", maxFileSize);
    const before = await onArchive(
      () => readArchive(folder),
      ({ db }) => runsOf(db).at(-1)!.options,
    );
    const options = {
      ...before,
      lookBack: lookBack ?? LOOK_BACK,
      ...(attachments === undefined ? {} : { attachments: attachments as "link" | "download" }),
      ...(most === undefined ? {} : { maxFileSize: most }),
    };
    const told = (text: string): void => call.progress(0, 1, text);
    const { core, signal, now } = call;
    if (call.dry) return listOfPlan({ core, signal, now, told }, folder, options);
    return onArchive(
      () => writeArchive(folder, { make: false }),
      (archive) => fill({ ...call, machine }, archive, { kind: "update", options }),
    );
  },
  show: (done): View => ("dry_run" in done ? planView(done) : filledView(done)),
  fault: (done) => ("dry_run" in done ? undefined : gapError(done)),
});
