/** Marks a thread unread from its newest reply on (TH-10). */
import { command } from "../base/define-command.ts";
import { findThread } from "./find-thread.ts";

export default command({
  summary: "Mark a thread unread from its newest reply on",
  changes: "provider",
  examples: ["thread mark-unread ana-7f3c", "thread mark-unread ana-7f3c --json"],
  args: { message: { kind: "message", positional: true, help: "A message of the thread" } },
  async run(call) {
    const { cid, parentId } = await findThread(call, call.args.message);
    await call.core.threads.markUnread({ cid, parentId });
    return { thread_id: parentId };
  },
});
