/** Exports channels in tasks of the provider and downloads the result (specification/admin.md §9). */
import { requireWritable } from "../base/file-problem.ts";
import type { BodyOf } from "../../wire/endpoints/index.ts";
import { EXPORTED_LIMIT } from "../../wire/constants.ts";
import { BULK_ARGS } from "../base/bulk/bulk.ts";
import { CommandError, command, OUTPUT_WRITTEN, type Args, type Call } from "../base/define-command.ts";
import { readAllNames, channelsOf } from "../base/bulk/names.ts";
import { refuseLimit } from "../base/lists/cursor.ts";
import { Outcomes } from "../base/bulk/outcomes.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { answered, checkWaiting, NO_WAIT, waitForTask, WITHIN } from "../base/poll-task.ts";

interface ExportTask {
  task_id: string;
  /** Valid for 24 hours. */
  url?: string;
}

/** With a single task, its `task_id` and `url` are also here. */
interface ExportedChannels extends Partial<ExportTask> {
  tasks: ExportTask[];
  file?: string;
  bytes?: number;
}

type ExportCall = Call<typeof ARGS>;

const ARGS = {
  channels: {
    kind: "list",
    positional: true,
    optional: true,
    help: "The channels; more than 25 are exported in several tasks and joined",
  },
  file: BULK_ARGS.file,
  out: { kind: "file", value: "file", help: "Output file; - is standard output" },
  format: {
    kind: "choice",
    choices: ["v2", "v1", "csv"],
    default: "v2",
    help: "v2: JSON lines; v1: one JSON array; csv: messages only",
  },
  since: { kind: "time", help: "Only messages from this time on" },
  until: { kind: "time", help: "Only messages up to this time" },
  users: { kind: "flag", help: "Include the users" },
  deleted: { kind: "flag", help: "Include deleted channels" },
  clearDeleted: { kind: "flag", help: "Leave out the text of deleted messages" },
  force: { kind: "flag", help: "Overwrite an existing file" },
  noWait: NO_WAIT,
  within: WITHIN,
} as const satisfies Args;

export default command({
  summary: "Export channels at the provider and fetch the file",
  changes: "provider",
  examples: [
    "channel export messaging:ops --out ops.jsonl",
    "channel export messaging:a messaging:b --format v1 --users --out both.json",
    "parley channel list --all --ndjson | parley channel export --file - --out all.jsonl",
  ],
  args: ARGS,
  needs: "secret",
  async run(call): Promise<ExportedChannels | typeof OUTPUT_WRITTEN> {
    const { out, force, noWait, within } = call.args;
    refuseLimit(call.page, "The provider's export");
    checkWaiting(call.args);
    if (noWait && out !== undefined)
      throw new CommandError("usage", "--out and --no-wait cannot be combined.");
    if (force && out === undefined) throw new CommandError("usage", "--force is for a file of --out.");
    if (out === "-" && !call.output) throw new CommandError("usage", "There is no standard output here.");
    if (out !== undefined && out !== "-") await requireWritable(out, force);
    const ids = await startTasks(call);
    if (noWait) return exportResult(ids.map((task_id) => ({ task_id })));
    if (out === undefined) {
      const tasks: ExportTask[] = [];
      for (const task_id of ids) tasks.push({ task_id, url: await addressOf(call, task_id, within) });
      return exportResult(tasks);
    }
    const bytes = await fetchFiles(call, ids, out);
    if (bytes === undefined) return OUTPUT_WRITTEN;
    return { ...exportResult(ids.map((task_id) => ({ task_id }))), file: out, bytes };
  },
  show: (done) => {
    const { tasks, file, bytes } = done as ExportedChannels;
    if (file) return `${file}: ${bytes} bytes`;
    return { kind: "text", lines: tasks.map(({ task_id, url }) => url ?? `task ${task_id}`) };
  },
});

const exportResult = (tasks: ExportTask[]): ExportedChannels => ({
  ...(tasks.length === 1 ? tasks[0] : {}),
  tasks,
});

/** Starts all tasks before waiting for any. */
async function startTasks(call: ExportCall): Promise<string[]> {
  const { channels } = call.args;
  const targets = await readAllNames(call, channels, channelsOf(call.channelType));
  const cids: string[] = [];
  // Not checked first: the provider can export deleted channels and reports unknown ones.
  for (const one of targets) cids.push(await cidOf({ ...call, dry: false }, one));
  const ids: string[] = [];
  const outcomes = new Outcomes();
  for (let at = 0; at < cids.length; at += EXPORTED_LIMIT)
    await outcomes.try(`channels from ${cids[at]}`, async () => {
      const body = bodyOf(call.args, cids.slice(at, at + EXPORTED_LIMIT));
      const { task_id: id } = await call.core.call("exportChannels", { body });
      ids.push(answered(id, "task"));
    });
  outcomes.end();
  return ids;
}

function bodyOf(
  { format, since, until, users, deleted, clearDeleted }: ExportCall["args"],
  cids: readonly string[],
): BodyOf<"exportChannels"> {
  return {
    channels: cids.map((cid) => ({
      cid,
      ...(since === undefined ? {} : { messages_since: since }),
      ...(until === undefined ? {} : { messages_until: until }),
    })),
    ...(format === "csv" ? { format: "csv" } : { version: format as "v1" | "v2" }),
    ...(users ? { export_users: true } : {}),
    ...(deleted ? { include_soft_deleted_channels: true } : {}),
    ...(clearDeleted ? { clear_deleted_message_text: true } : {}),
  };
}

async function addressOf(
  call: Pick<ExportCall, "core" | "signal" | "progress" | "now">,
  task: string,
  within: string | undefined,
): Promise<string> {
  const { result } = await waitForTask(call, task, { within, label: "exporting" });
  return String(result?.url);
}

/** Downloads the file of one task, or joins those of several; returns the bytes written, undefined for standard output. */
async function fetchFiles(
  call: ExportCall,
  ids: readonly string[],
  out: string,
): Promise<number | undefined> {
  const { download, downloadTo, writePieces } = await import("../../jobs/transfer.ts");
  const options = {
    signal: call.signal,
    progress: (done: number, total: number) => call.progress(done, total, "fetched"),
  };
  const { format, within } = call.args;
  const joined = (): AsyncIterable<Uint8Array> => joinPieces(call, ids, format as "v2", within);
  const singleUrl = ids.length === 1 ? await addressOf(call, ids[0]!, within) : undefined;
  if (singleUrl !== undefined && out !== "-") return download(singleUrl, out, options);
  if (singleUrl !== undefined) await downloadTo(singleUrl, call.output!, options);
  else if (out !== "-") return writePieces(joined(), out, options);
  else for await (const piece of joined()) await call.output!(piece);
  return undefined;
}

/** Joins the files of several tasks, waiting for each in turn. */
export async function* joinPieces(
  call: Pick<ExportCall, "core" | "signal" | "progress" | "now">,
  ids: readonly string[],
  form: "v1" | "v2" | "csv",
  within?: string,
): AsyncIterable<Uint8Array> {
  const { downloadPieces } = await import("../../jobs/transfer.ts");
  const { JoinedExport } = await import("../../jobs/join-exports.ts");
  const joined = new JoinedExport(form);
  for (const id of ids) {
    yield joined.begin();
    const { signal } = call;
    for await (const piece of downloadPieces(await addressOf(call, id, within), { signal }))
      yield joined.add(piece);
  }
  yield joined.end();
}
