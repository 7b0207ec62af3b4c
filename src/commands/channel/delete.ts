/** Deletes channels, as many as are named; what takes long runs as a task of the provider (specification/channels.md §7). */
import { DELETED_CHANNELS_LIMIT } from "../../wire/constants.ts";
import type { ChannelResult } from "../../wire/task.ts";
import { readChannel } from "../base/args.ts";
import { CommandError, command } from "../base/define-command.ts";
import { cidOf } from "../base/place.ts";
import { NO_WAIT, taskDone, WITHIN } from "../base/poll-task.ts";

interface Deleted {
  cid: string;
  status: string;
  error?: string;
  task_id: string;
}

export default command({
  summary: "Delete channels",
  examples: ["channel delete messaging:ops", "channel delete --hard messaging:a messaging:b"],
  aliases: ["rm"],
  args: {
    channels: { kind: "list", place: "positional", help: "The channels" },
    hard: { kind: "flag", help: "For good, with every message in them" },
    noWait: NO_WAIT,
    within: WITHIN,
  },
  needs: "secret",
  confirm: ({ channels, hard }) => ({
    level: hard ? "severe" : "moderate",
    question: `Delete ${channels.length === 1 ? `channel ${channels[0]}` : `${channels.length} channels`}${hard ? " with every message, for good" : ""}?`,
    ...(hard ? { word: channels.length === 1 ? channels[0]! : String(channels.length) } : {}),
  }),
  async *run(call): AsyncIterable<Deleted> {
    const { channels, hard, noWait, within } = call.args;
    if (channels.length === 0) throw new CommandError("usage", "<channels> is missing: the channels");
    const cids: string[] = [];
    for (const one of channels) cids.push(await cidOf(call, readChannel(one, call.channelType)));
    let failed = 0;
    for (let i = 0; i < cids.length; i += DELETED_CHANNELS_LIMIT) {
      const part = cids.slice(i, i + DELETED_CHANNELS_LIMIT);
      const reply = await call.core.call("deleteChannels", {
        body: { cids: part, ...(hard ? { hard_delete: true } : {}) },
      });
      const results = noWait
        ? reply.result
        : ((await taskDone(call, reply.task_id, { within, what: "deleting" })).result as Record<
            string,
            ChannelResult
          >);
      for (const cid of part) {
        const one = results[cid] ?? { status: "waiting" };
        if (one.status === "error") failed++;
        yield { cid, ...one, task_id: reply.task_id };
      }
    }
    if (failed > 0)
      throw failed === cids.length && cids.length === 1
        ? new CommandError("notFound", `Channel ${cids[0]} was not deleted.`)
        : new CommandError("partial", `${failed} of ${cids.length} channels were not deleted.`);
  },
  show: (one) =>
    one.error
      ? `${one.cid}: ${one.error}`
      : `${one.cid} ${one.status === "ok" ? "deleted" : `is task ${one.task_id}`}`,
});
