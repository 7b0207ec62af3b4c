/** Adds a reaction to a message. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "React to a message",
  changes: "provider",
  chatAlias: "react",
  examples: ["message react ana-7f3c like", "message react ana-7f3c love --unique"],
  args: {
    message: { kind: "message", positional: true, help: "The message" },
    type: { kind: "text", positional: true, help: "The reaction: like, love, +1 …" },
    score: { kind: "number", from: 1, help: "Strength of the reaction, from 1" },
    unique: { kind: "flag", help: "Replace your other reactions" },
  },
  async run(call) {
    const { message: id, type, score, unique } = call.args;
    return call.core.call("sendReaction", {
      path: { id },
      body: {
        reaction: { type, ...(score === undefined ? {} : { score }) },
        ...(unique ? { enforce_unique: true } : {}),
      },
    });
  },
});
