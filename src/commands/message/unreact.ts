/** Removes a reaction. */
import { command } from "../base/define-command.ts";
import { hasOwnReaction, messageIs } from "../base/bulk/left-state.ts";
import { changeMessages, MESSAGE_OR_FILE } from "../base/bulk/names.ts";

export default command({
  summary: "Remove a reaction",
  changes: "provider",
  chatAlias: "unreact",
  examples: ["message unreact ana-7f3c like", "message unreact ana-7f3c love --json"],
  args: {
    ...MESSAGE_OR_FILE,
    type: { kind: "text", positional: true, help: "The reaction" },
  },
  run: (call) =>
    changeMessages(call, {
      send: (id) => call.core.call("deleteReaction", { path: { id, reaction_type: call.args.type } }),
      isDone: messageIs(call.core, (message) => !hasOwnReaction(message, call.args.type)),
      result: "removed",
    }),
});
