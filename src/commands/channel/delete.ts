/** Deletes channels in a task of the provider (specification/channels.md §7). */
import { DELETED_CHANNELS_LIMIT } from "../../wire/constants.ts";
import type { ChannelResult, Task } from "../../wire/entities/task.ts";
import { BULK_ARGS, runBulk, type BulkCall, type ParsedItem } from "../base/bulk/bulk.ts";
import { CommandError, command } from "../base/define-command.ts";
import {
  channelsOf,
  isDoneOf,
  readBulkNames,
  describeNames,
  confirmationHelp,
  confirmationWord,
} from "../base/bulk/names.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { checkWaiting, NO_WAIT, waitForTask, WITHIN } from "../base/poll-task.ts";

interface Deleted {
  cid: string;
  status: string;
  task_id: string;
}

type Results = Record<string, ChannelResult>;

/** What became of each channel; a dry run has the results of the provider's own answer. */
const resultsOf = (reply: { results?: Results; result?: Results; task?: Task }): Results =>
  reply.results ?? (reply.task?.result as Results | undefined) ?? reply.result ?? {};

const notDeleted = (cid: string, reason = "it was not deleted"): CommandError =>
  new CommandError("notFound", `Channel ${cid} was not deleted: ${reason}.`);

/** Cids; `@user` is looked up. */
async function* idsToDelete(call: BulkCall, channels: readonly string[]): AsyncIterable<ParsedItem> {
  for await (const item of readBulkNames(call, channels, channelsOf(call.channelType)))
    yield "fault" in item || !item.id.startsWith("@") ? item : { ...item, id: await cidOf(call, item.id) };
}

export default command({
  summary: "Delete channels",
  changes: "provider",
  examples: ["channel delete messaging:ops", "channel delete --hard messaging:a messaging:b"],
  aliases: ["rm"],
  args: {
    channels: { kind: "list", positional: true, optional: true, help: "The channels" },
    ...BULK_ARGS,
    hard: { kind: "flag", help: "Delete permanently, including all messages" },
    noWait: NO_WAIT,
    within: WITHIN,
  },
  confirmWord: { word: confirmationHelp("the channel"), only: "With --hard" },
  needs: "secret",
  confirm: (args) => ({
    level: args.hard ? "severe" : "moderate",
    question: `Delete ${args.channels.length === 1 ? "channel " : ""}${describeNames(args.channels, args, "channels")}${args.hard ? " with every message, permanently" : ""}?`,
    ...(args.hard ? { word: confirmationWord(args.channels, args) } : {}),
  }),
  async *run(call): AsyncIterable<Deleted> {
    const { channels, hard, noWait, within } = call.args;
    checkWaiting(call.args);
    const parts = runBulk(call, {
      read: () => idsToDelete(call, channels),
      unit: "channels",
      batchSize: DELETED_CHANNELS_LIMIT,
      async send(items) {
        const body = { cids: items.map(({ id }) => id), ...(hard ? { hard_delete: true } : {}) };
        const reply = await call.core.call("deleteChannels", { body });
        if (noWait) return { task_id: reply.task_id, results: reply.result };
        const { result } = await waitForTask(call, reply.task_id, { within, label: "deleting" });
        return { task_id: reply.task_id, results: result as Results };
      },
      result: noWait ? "started" : "deleted",
      isDone: isDoneOf(call, channelsOf(call.channelType), true),
      leftOut: (reply) =>
        Object.entries(resultsOf(reply))
          .filter(([, { status }]) => status === "error")
          .map(([id, { error }]) => ({ id, error: notDeleted(id, error) })),
    });
    for await (const { items, reply } of parts)
      for (const { id: cid } of items)
        yield { cid, status: reply.results[cid]?.status ?? "waiting", task_id: reply.task_id };
  },
  show: ({ cid, status, task_id }) => `${cid} ${status === "ok" ? "deleted" : `is task ${task_id}`}`,
});
