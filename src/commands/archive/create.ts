/** Creates an archive of channels in a folder, or continues an interrupted one. */
import type { ArchiveReadOptions } from "../../jobs/archive/meta.ts";
import type { OpenArchive } from "../../jobs/archive/open.ts";
import { timeToMs } from "../../wire/time.ts";
import { CommandError, command, type View } from "../base/define-command.ts";
import { FOLDER, onArchive } from "./base.ts";
import { gapError, fill, filledView, type Filled } from "./fill.ts";
import { READ_ARGS, readArchiveOptions } from "./options.ts";
import { listOfPlan, planView, type ArchivePlan } from "./plan.ts";

export default command({
  summary: "Archive channels and everything in them to a folder",
  changes: "here",
  examples: [
    "archive create ~/archive",
    "archive create ops.archive messaging:ops --since 90d --attachments download",
  ],
  args: {
    folder: FOLDER,
    channels: {
      kind: "list",
      place: "positional",
      optional: true,
      help: "The channels (default: all of yours)",
    },
    ...READ_ARGS,
  },
  shellOnly: "works on files",
  async run(call): Promise<Filled | ArchivePlan> {
    const { folder } = call.args;
    const machine = call.machine!;
    const reading = {
      core: call.core,
      signal: call.signal,
      now: call.now,
      told: (text: string) => call.progress(0, 1, text),
    };
    const options = await readArchiveOptions(call, reading, call.args);
    const { archiveFile, readArchive, writeArchive } = await import("../../jobs/archive/open.ts");
    const { existsSync } = await import("node:fs");
    if (call.dry) {
      if (existsSync(archiveFile(folder)))
        await onArchive(
          () => readArchive(folder),
          (archive) => needToBegin(archive, options, call.now()),
        );
      return listOfPlan(reading, folder, options);
    }
    return onArchive(
      () => writeArchive(folder, { make: true }),
      async (archive) => {
        await needToBegin(archive, options, call.now());
        return fill({ ...call, machine }, archive, { kind: "create", options });
      },
    );
  },
  show: (done): View => ("dry_run" in done ? planView(done) : filledView(done)),
  fault: (done) => ("dry_run" in done ? undefined : gapError(done)),
});

/** The archive must be new, or interrupted (even just before its manifest) with the same options. Throws `CommandError` (conflict). */
async function needToBegin(
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
  if (!asksTheSame(first!.options, options, now - timeToMs(first!.started_at)))
    throw new CommandError(
      "conflict",
      `The archive in ${folder} was begun with other channels or flags.`,
      `parley archive update ${folder} goes on as it was begun.`,
    );
}

/** Compares options; relative times such as `90d` are equal if they differ by the time between the runs. */
function asksTheSame(a: ArchiveReadOptions, b: ArchiveReadOptions, elapsed: number): boolean {
  const { since: sinceA, until: untilA, ...restA } = a;
  const { since: sinceB, until: untilB, ...restB } = b;
  const same = (x: string | undefined, y: string | undefined): boolean => {
    if (x === undefined || y === undefined || x === y) return x === y;
    return Math.abs(timeToMs(y) - timeToMs(x) - elapsed) < STARTING;
  };
  return same(sinceA, sinceB) && same(untilA, untilB) && JSON.stringify(restA) === JSON.stringify(restB);
}

/** Tolerance in milliseconds, for the time a run takes to start. */
const STARTING = 60_000;
