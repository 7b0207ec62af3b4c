/** Checks an import file without sending anything; lists the faults and exits with 7 if there are any. */
import { CommandError, command, rowView } from "../base/define-command.ts";
import { rejectZip } from "./reject-zip.ts";

export default command({
  summary: "Check an import file before it is uploaded",
  changes: "nothing",
  examples: [
    "import validate people.jsonl",
    "parley import validate more.jsonl --existing",
    "parley import convert slack-export.zip | parley import validate -",
  ],
  args: {
    file: {
      kind: "file",
      positional: true,
      help: "JSON lines, or one JSON array; - reads standard input",
    },
    existing: {
      kind: "flag",
      help: "Assume that whatever the file refers to but does not contain already exists",
    },
  },
  streams: () => "finite",
  shellOnly: "works on files",
  offline: true,
  async *run(call) {
    const { checkImport, noItems } = await import("../../jobs/check-import.ts");
    const totals = noItems();
    let faults = 0;
    const file = (await call.localFile?.(call.args.file)) ?? call.args.file;
    await rejectZip(file, call.args.file);
    for await (const fault of checkImport(
      file,
      {
        existing: call.args.existing === true,
        now: call.now(),
        signal: call.signal,
        progress: (done, total, text) => call.progress(done, total, text),
      },
      totals,
    )) {
      faults++;
      yield fault;
    }
    if (faults > 0)
      throw new CommandError(
        "rejected",
        `${faults} of ${totals.items} ${totals.items === 1 ? "item is" : "items are"} wrong.`,
      );
    if (totals.items === 0) call.note?.(`nothing to import: ${call.args.file} contains no items`);
    call.progress(totals.items, totals.items, "items are good");
  },
  show: (fault) => rowView({ item: fault.item, type: fault.type, error: fault.error }),
});
