/** Deletes messages: softly, for good, or only for oneself. */
import { CommandError, command } from "../base/define-command.ts";
import { Several } from "../base/several.ts";

export default command({
  summary: "Delete messages",
  examples: ["message delete ana-7f3c", "message delete --for-me ana-7f3c"],
  args: {
    messages: { kind: "list", place: "positional", means: "mine", help: "The messages" },
    hard: { kind: "flag", help: "Delete permanently, without a trace" },
    forMe: { kind: "flag", help: "Delete it only for you" },
  },
  confirm: (args) => ({
    level: args.hard ? "moderate" : "mild",
    question: `Delete ${args.messages.length === 1 ? `message ${args.messages[0]}` : `${args.messages.length} messages`}${args.hard ? " for good" : ""}?`,
  }),
  async *run(call) {
    const { hard, forMe, messages } = call.args;
    if (hard && forMe) throw new CommandError("usage", "--hard and --for-me cannot be combined.");
    const query = { ...(hard ? { hard: true } : {}), ...(forMe ? { delete_for_me: true } : {}) };
    const several = new Several();
    for (const id of messages) {
      const reply = await several.try(id, () => call.core.call("deleteMessage", { path: { id }, query }));
      if (reply) yield reply.message;
    }
    several.end();
  },
  show: (message) => `${message.id} deleted`,
});
