/** Gets one thread: its first message and its newest replies. */
import type { Thread } from "../../wire/entities/thread.ts";
import { THREAD_REPLIES_LIMIT } from "../../wire/constants.ts";
import { command } from "../base/define-command.ts";
import { findThread } from "./find-thread.ts";

export default command({
  summary: "Get a thread with its first message and newest replies",
  changes: "nothing",
  examples: ["thread get ana-7f3c --replies 20", "thread get ana-7f3c --json=title,reply_count"],
  args: {
    message: { kind: "message", positional: true, help: "A message of the thread" },
    replies: { kind: "number", from: 0, default: 10, help: "How many of the newest replies to show" },
  },
  async run(call): Promise<Thread> {
    const { parentId } = await findThread(call, call.args.message);
    const replies = Math.min(call.args.replies, THREAD_REPLIES_LIMIT[1]);
    return call.core.threads.get(parentId, { replies, watch: false });
  },
  show: (thread) => ({
    kind: "messages",
    messages: [...(thread.parent_message ? [thread.parent_message] : []), ...(thread.latest_replies ?? [])],
  }),
});
