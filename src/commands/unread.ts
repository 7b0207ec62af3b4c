/** Lists unread channels, or counts unread messages for a prompt (specification/users.md §9). */
import { command } from "./base/define-command.ts";

interface Unread {
  channel?: string;
  thread?: string;
  unread: number;
  last_read?: string;
}

export default command({
  summary: "List unread channels, or count unread messages",
  group: "Daily",
  changes: "nothing",
  examples: ["unread", "unread --total"],
  args: {
    total: { kind: "flag", help: "Print one number: unread messages in all channels" },
    threads: { kind: "flag", help: "Include threads" },
  },
  async *run({ args, core }): AsyncIterable<Unread> {
    const reply = await core.call("getUnread", { query: {} });
    if (args.total) {
      yield {
        unread: reply.total_unread_count + (args.threads ? reply.total_unread_threads_count : 0),
      };
      return;
    }
    for (const { channel_id, unread_count, last_read } of reply.channels)
      yield { channel: channel_id, unread: unread_count, last_read };
    if (args.threads)
      for (const { parent_message_id, unread_count, last_read } of reply.threads)
        yield { thread: parent_message_id, unread: unread_count, last_read };
  },
  show: (row, args) =>
    args.total
      ? String(row.unread)
      : {
          kind: "table",
          columns: args.threads ? ["channel", "thread", "unread"] : ["channel", "unread"],
          rows: [args.threads ? [row.channel, row.thread, row.unread] : [row.channel, row.unread]],
        },
});
