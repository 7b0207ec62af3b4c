/** Marks a thread read; the unread count of the channel stays (TH-9, TH-12). */
import { changeMessages, MESSAGE_OR_FILE } from "../base/bulk/names.ts";
import { command } from "../base/define-command.ts";
import { findThread } from "./find-thread.ts";

export default command({
  summary: "Mark a thread read",
  changes: "provider",
  examples: [
    "thread read ana-7f3c",
    "parley thread list --unread --all --ndjson | parley thread read --file -",
  ],
  args: {
    ...MESSAGE_OR_FILE,
    message: { ...MESSAGE_OR_FILE.message, help: "A message of the thread" },
  },
  run: (call) =>
    changeMessages(call, {
      async send(message) {
        const { path, parentId } = await findThread(call, message);
        const reply = await call.core.call("markRead", { path, body: { thread_id: parentId } });
        return { thread_id: parentId, event: reply.event };
      },
      result: "read",
    }),
});
