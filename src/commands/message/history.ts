/** Shows earlier versions of messages; needs the app's secret. */
import type { MessageHistoryEntry } from "../../wire/entities/message.ts";
import { HISTORY_LIMIT } from "../../wire/constants.ts";
import { byCursor } from "../base/lists/cursor.ts";
import { CommandError, command, rowOf } from "../base/define-command.ts";
import { itemName } from "../../wire/reading.ts";

export default command({
  summary: "Show earlier versions of messages, newest first",
  changes: "nothing",
  examples: ["message history ana-7f3c", "message history --by ana --all --json"],
  args: {
    message: { kind: "message", positional: true, optional: true, help: "The message" },
    by: { kind: "user", help: "Only changes made by this user" },
    since: { kind: "time", help: "Only changes from this time on" },
  },
  needs: "secret",
  async *run(call): AsyncIterable<MessageHistoryEntry> {
    const { message, by, since } = call.args;
    const filter = {
      ...(message === undefined ? {} : { message_id: message }),
      ...(by === undefined ? {} : { message_updated_by_id: by }),
      ...(since === undefined ? {} : { message_updated_at: { $gte: since } }),
    };
    if (Object.keys(filter).length === 0)
      throw new CommandError("usage", "No message is named.", "Give a message, --by or --since.");
    let found = 0;
    yield* byCursor(call.page, HISTORY_LIMIT[1], itemName("message_history"), async (pageQuery, once) => {
      const reply = await call.core.call("queryMessageHistory", { body: { filter, ...pageQuery }, ...once });
      found += reply.message_history.length;
      return { items: reply.message_history, next: reply.next };
    });
    // One that was never changed has none, and neither has one that is not there.
    if (found === 0 && message !== undefined) await call.core.call("getMessage", { path: { id: message } });
  },
  show: (entry) =>
    rowOf(entry, {
      changed: "message_updated_at",
      by: "message_updated_by_id",
      message: "message_id",
      "text before": "text",
    }),
});
