/** Lists the threads the user takes part in. */
import type { Thread } from "../../wire/entities/thread.ts";
import { THREADS_LIMIT } from "../../wire/constants.ts";
import { byCursor } from "../base/lists/cursor.ts";
import { filterWith } from "../base/lists/filter.ts";
import { command, rowOf } from "../base/define-command.ts";
import { cidOf } from "../base/resolve-channel.ts";
import { itemName } from "../../wire/reading.ts";

export default command({
  summary: "List your threads, unread ones first",
  changes: "nothing",
  chatAlias: "threads",
  examples: ["thread list", "thread list --unread --json=parent_message_id", "thread list -c '#ops' --all"],
  aliases: ["ls"],
  args: {
    channel: { kind: "channel", short: "c", help: "Only in this channel" },
    unread: { kind: "flag", help: "Only threads with unread replies" },
    filter: { kind: "text", value: "json", help: "Filter as JSON" },
  },
  async *run(call): AsyncIterable<Thread & { unread: number }> {
    const { args, core } = call;
    const filter = filterWith(
      args.filter,
      args.channel === undefined ? {} : { channel_cid: await cidOf(call, args.channel) },
    );
    const unread = (thread: Thread): number =>
      thread.read?.find(({ user }) => user.id === core.userId)?.unread_messages ?? 0;
    yield* byCursor(call.page, THREADS_LIMIT[1], itemName("threads"), async (pageQuery, once) => {
      const threads = await core.threads.page({ filter, ...pageQuery, ...once });
      const items = threads.items.map((thread) => ({ ...thread, unread: unread(thread) }));
      // Unread threads come first: the first read one ends the list.
      const read = items.findIndex((thread) => thread.unread === 0);
      if (args.unread && read >= 0) return { items: items.slice(0, read) };
      return { items, next: threads.next };
    });
  },
  show: (thread) =>
    rowOf(thread, {
      thread: "parent_message_id",
      channel: "channel_cid",
      title: { field: "title", cell: thread.title || firstLine(thread) },
      replies: "reply_count",
      unread: "unread",
      "last reply": "last_message_at",
    }),
});

/** Shown for threads without a title. */
function firstLine(thread: Thread): string {
  return (thread.parent_message?.text ?? "").trim().split("\n", 1)[0]!;
}
