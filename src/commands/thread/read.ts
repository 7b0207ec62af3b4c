/** Marks a thread read; the unread count of the channel stays (TH-9, TH-12). */
import { command } from "../base/define-command.ts";
import { findThread } from "./find-thread.ts";

export default command({
  summary: "Mark a thread read",
  changes: "provider",
  examples: ["thread read ana-7f3c", "thread read ana-7f3c --json"],
  args: { message: { kind: "message", positional: true, help: "A message of the thread" } },
  async run(call) {
    const { path, parentId } = await findThread(call, call.args.message);
    const reply = await call.core.call("markRead", { path, body: { thread_id: parentId } });
    return { thread_id: parentId, event: reply.event };
  },
});
