/** Turns the file of an export into items that can be imported; with --out as JSON lines, else one after the other. */
import type { ImportItem } from "../../wire/import.ts";
import { CommandError, command } from "../base/define-command.ts";

interface Written {
  file: string;
  items: number;
  left_out: number;
  /** Nothing was written. */
  dry_run?: true;
}

export default command({
  summary: "Turn an export into a file to import",
  examples: ["import convert ops.jsonl --out import.jsonl", "import convert ops.json --ndjson"],
  args: {
    file: { kind: "file", place: "positional", help: "An export, v1 or v2" },
    out: { kind: "file", value: "file", help: "Where the items go; - is standard output" },
    force: { kind: "flag", help: "Write over an existing file" },
  },
  streams: () => "to an end",
  shellOnly: "works on files",
  async *run(call): AsyncIterable<ImportItem | Written> {
    const { file, out, force } = call.args;
    const { convertFile, writeLines, FileExists, NoExport } = await import("../../jobs/convert-export.ts");
    let leftOut = 0;
    const items = convertFile(file, call.signal, () => leftOut++);
    try {
      if (out === undefined || out === "-") return yield* items;
      if (call.dry) {
        let count = 0;
        for await (const _ of items) count++;
        return yield { file: out, items: count, left_out: leftOut, dry_run: true };
      }
      const written = await writeLines(items, out, { over: force === true, signal: call.signal });
      yield { file: out, items: written, left_out: leftOut };
    } catch (error) {
      if (error instanceof FileExists)
        throw new CommandError("conflict", `${out} exists already.`, "Add --force to write over it.");
      if (error instanceof NoExport) throw new CommandError("rejected", error.message);
      throw error;
    }
  },
  show: (one) =>
    "items" in one
      ? `${one.dry_run ? "would write " : ""}${one.file}: ${one.items} items${one.left_out > 0 ? `, ${one.left_out} left out` : ""}`
      : JSON.stringify(one),
});
