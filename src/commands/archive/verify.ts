/** Verifies an archive; exits with 7 when it is damaged. */
import { CommandError, command, rowView } from "../base/define-command.ts";
import { DAMAGED_HINT, eachOfArchive, FOLDER } from "./open-archive.ts";

export default command({
  summary: "Verify that an archive is complete and undamaged",
  changes: "nothing",
  examples: ["archive verify ~/archive", "archive verify ops.archive --ndjson"],
  args: { folder: FOLDER },
  streams: () => "finite",
  shellOnly: "works on files",
  offline: true,
  async *run(call) {
    const { readArchive } = await import("../../jobs/archive/open.ts");
    const { verifyArchive } = await import("../../jobs/archive/verify.ts");
    const { folder } = call.args;
    let faults = 0;
    const checks = eachOfArchive(
      () => readArchive(folder),
      (archive) => verifyArchive(archive, call.progress),
    );
    for await (const checked of checks) {
      if (checked.result === "wrong") faults++;
      yield checked;
    }
    if (faults > 0)
      throw new CommandError(
        "rejected",
        `${folder} has ${faults} ${faults === 1 ? "fault" : "faults"}.`,
        DAMAGED_HINT,
      );
  },
  show: ({ check, result, reason }) => rowView({ check, result, reason }),
});
