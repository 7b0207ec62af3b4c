/** Removes a reaction. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Remove a reaction",
  changes: "provider",
  chatAlias: "unreact",
  examples: ["message unreact ana-7f3c like", "message unreact ana-7f3c love --json"],
  args: {
    message: { kind: "message", positional: true, help: "The message" },
    type: { kind: "text", positional: true, help: "The reaction" },
  },
  async run(call) {
    return call.core.call("deleteReaction", {
      path: { id: call.args.message, reaction_type: call.args.type },
    });
  },
});
