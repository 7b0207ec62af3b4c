/** Adds a reaction to a message. */
import { command } from "../base/define-command.ts";
import { hasOwnReaction, messageIs } from "../base/bulk/left-state.ts";
import { changeMessages, MESSAGE_OR_FILE } from "../base/bulk/names.ts";

export default command({
  summary: "React to a message",
  changes: "provider",
  chatAlias: "react",
  examples: ["message react ana-7f3c like", "message react ana-7f3c love --unique"],
  args: {
    ...MESSAGE_OR_FILE,
    type: { kind: "text", positional: true, help: "The reaction: like, love, +1 …" },
    score: { kind: "number", from: 1, help: "Strength of the reaction, from 1" },
    unique: { kind: "flag", help: "Replace your other reactions" },
  },
  run(call) {
    const { type, score, unique } = call.args;
    const body = {
      reaction: { type, ...(score === undefined ? {} : { score }) },
      ...(unique ? { enforce_unique: true } : {}),
    };
    return changeMessages(call, {
      send: (id) => call.core.call("sendReaction", { path: { id }, body }),
      isDone: messageIs(call.core, (message) => hasOwnReaction(message, type)),
      result: "reacted",
    });
  },
});
