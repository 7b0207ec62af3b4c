/** Exports channels at the provider and fetches the file: starts the task, waits, downloads (specification/admin.md §9). */
import { readChannel } from "../base/args.ts";
import { CommandError, command, WRITTEN } from "../base/define-command.ts";
import { cidOf } from "../base/place.ts";
import { NO_WAIT, taskDone, WITHIN } from "../base/poll-task.ts";

interface Exported {
  task_id: string;
  /** Good for 24 hours. */
  url?: string;
  file?: string;
  bytes?: number;
}

export default command({
  summary: "Export channels at the provider and fetch the file",
  examples: [
    "channel export messaging:ops --out ops.jsonl",
    "channel export messaging:a messaging:b --format v1 --users --out both.json",
  ],
  args: {
    channels: { kind: "list", place: "positional", help: "The channels, up to 25" },
    out: { kind: "file", value: "file", help: "Where the file goes; - is standard output" },
    format: {
      kind: "choice",
      choices: ["v2", "v1", "csv"],
      default: "v2",
      help: "v2: JSON lines; v1: one JSON array; csv: messages only",
    },
    since: { kind: "time", help: "Messages from then on" },
    until: { kind: "time", help: "Messages up to then" },
    users: { kind: "flag", help: "The people too" },
    deleted: { kind: "flag", help: "Deleted channels too" },
    clearDeleted: { kind: "flag", help: "Leave out the text of deleted messages" },
    force: { kind: "flag", help: "Write over an existing file" },
    noWait: NO_WAIT,
    within: WITHIN,
  },
  needs: "secret",
  async run(call): Promise<Exported | typeof WRITTEN> {
    const { channels, out, format, since, until, users, deleted, clearDeleted, force, noWait, within } =
      call.args;
    if (channels.length === 0) throw new CommandError("usage", "<channels> is missing: the channels");
    if (out === "-" && !call.output) throw new CommandError("usage", "There is no standard output here.");
    if (out !== undefined && out !== "-" && !force) await needFree(out);
    const cids: string[] = [];
    // a deleted channel cannot be looked up: there the provider says whether it knows it
    for (const one of channels)
      cids.push(await cidOf(deleted ? { ...call, dry: false } : call, readChannel(one, call.channelType)));
    const { task_id } = await call.core.call("exportChannels", {
      body: {
        channels: cids.map((cid) => ({
          cid,
          ...(since === undefined ? {} : { messages_since: since }),
          ...(until === undefined ? {} : { messages_until: until }),
        })),
        ...(format === "csv" ? { format: "csv" } : { version: format as "v1" | "v2" }),
        ...(users ? { export_users: true } : {}),
        ...(deleted ? { include_soft_deleted_channels: true } : {}),
        ...(clearDeleted ? { clear_deleted_message_text: true } : {}),
      },
    });
    if (noWait) return { task_id };
    const task = await taskDone(call, task_id, { within, what: "exporting" });
    const url = String(task.result?.url);
    if (out === undefined) return { task_id, url };
    const { download, downloadTo } = await import("../../jobs/transfer.ts");
    const how = {
      signal: call.signal,
      progress: (done: number, total: number) => call.progress(done, total, "fetched"),
    };
    if (out === "-") {
      await downloadTo(url, call.output!, how);
      return WRITTEN;
    }
    const bytes = await download(url, out, how);
    return { task_id, url, file: out, bytes };
  },
  show: (done) => {
    const { task_id, url, file, bytes } = done as Exported;
    return file ? `${file}: ${bytes} bytes` : (url ?? `task ${task_id}`);
  },
});

async function needFree(file: string): Promise<void> {
  const { stat } = await import("node:fs/promises");
  if (await stat(file).catch(() => undefined))
    throw new CommandError("conflict", `${file} exists already.`, "Add --force to write over it.");
}
