/** Uploads an import file and starts its import (specification/admin.md §10). */
import type { ImportTask } from "../../wire/entities/import.ts";
import { CommandError, command, type Args, type Call } from "../base/define-command.ts";
import { answered, checkWaiting, NO_WAIT, WITHIN } from "../base/poll-task.ts";
import { withUploadedFiles } from "./taken-files.ts";
import { unusedError } from "./unused.ts";
import { waitForImport } from "./wait-for-import.ts";
import { importFields } from "./view.ts";
import { rejectZip } from "./reject-zip.ts";
import { noFile } from "../base/file-problem.ts";

export default command({
  summary: "Upload and import a file",
  changes: "provider",
  examples: ["import upload people.jsonl", "import upload people.jsonl --mode insert --within 10m"],
  args: {
    file: {
      kind: "file",
      positional: true,
      help: "JSON lines, or one JSON array; - reads standard input",
    },
    mode: {
      kind: "choice",
      choices: ["upsert", "insert"],
      default: "upsert",
      help: "upsert overwrites what exists, insert leaves it",
    },
    mergeCustom: { kind: "flag", help: "Keep existing custom fields as well as new ones" },
    noWait: { ...NO_WAIT, help: "Do not wait; only print the import's id" },
    within: WITHIN,
  },
  needs: "secret",
  confirm: ({ file, mode }) => ({
    level: "moderate",
    question: `Import ${file === "-" ? "standard input" : file}${mode === "insert" ? "" : ", writing over what is there"}?`,
  }),
  async run(call) {
    const { mode, mergeCustom } = call.args;
    checkWaiting(call.args);
    if (mergeCustom && mode === "insert")
      throw new CommandError("usage", "--merge-custom is for --mode upsert: insert leaves what exists.");
    const task = await importFile(call);
    const error = unusedError(task.result?.unused ?? [], call.note);
    if (error) throw error;
    return task;
  },
  show: importFields,
});

/** The parts of a call that an import needs; `local seed` uses it, too. */
type ImportCall = Pick<Call<Args>, "core" | "signal" | "progress" | "now" | "dry" | "localFile"> & {
  args: { file: string; mode?: string; mergeCustom?: boolean; noWait?: boolean; within?: string };
};

/** In a dry run, checks the file locally. Throws `CommandError` (rejected) for an invalid one. */
async function requireValidFile({ signal, progress, now }: ImportCall, file: string): Promise<void> {
  const { checkImport, noItems } = await import("../../jobs/check-import.ts");
  const totals = noItems();
  // References may exist at the provider already.
  for await (const fault of checkImport(file, { existing: true, now: now(), signal, progress }, totals))
    throw new CommandError(
      "rejected",
      `Item ${fault.item} of ${file}: ${fault.error}`,
      `parley import validate ${file}`,
    );
}

async function startByProtocol({ args, core }: ImportCall, path: string): Promise<ImportTask> {
  const mode = args.mode as "upsert" | "insert" | undefined;
  const body = { path, ...(mode && { mode }), ...(args.mergeCustom ? { merge_custom: true } : {}) };
  return (await core.call("createImport", { body })).import_task;
}

/** Uploads the file, starts the import with `start` and, unless `noWait`, waits for it. Throws like `waitForImport`. */
export async function importFile(
  call: ImportCall,
  start: (path: string) => Promise<ImportTask> = (path) => startByProtocol(call, path),
): Promise<ImportTask> {
  const { noWait, within } = call.args;
  const file = (await call.localFile?.(call.args.file)) ?? call.args.file;
  const { stat } = await import("node:fs/promises");
  await rejectZip(file, call.args.file);
  if (!(await stat(file)).isFile()) throw noFile(file);
  if (call.dry) await requireValidFile(call, file);
  const ready = await withUploadedFiles(call, file);
  try {
    const task = await start(await putImport(call, ready.file));
    const done = noWait ? task : await waitForImport(call, task.id, within);
    if (done.result) done.result.unused = [...(done.result.unused ?? []), ...ready.refused];
    return done;
  } finally {
    await ready.remove();
  }
}

/** Uploads the items and returns the path for the import. Throws `CommandError`. */
async function putImport(call: ImportCall, file: string): Promise<string> {
  const { stat } = await import("node:fs/promises");
  const { size } = await stat(file);
  const { basename } = await import("node:path");
  const { path, upload_url: url } = await call.core.call("createImportUrl", {
    body: { filename: basename(file) },
  });
  const { putFile, TransferFailed } = await import("../../jobs/transfer.ts");
  call.progress(0, size, "uploading");
  try {
    await putFile(file, answered(url, "address"), call.signal);
  } catch (error) {
    if (error instanceof TransferFailed)
      throw new CommandError("rejected", `${file} was not accepted: ${error.message}`);
    throw error;
  }
  call.progress(size, size, "uploading");
  return answered(path, "path");
}
