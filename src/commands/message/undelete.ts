/** Brings softly deleted messages back with their content; only servers may. */
import { CommandError, command } from "../base/define-command.ts";

export default command({
  summary: "Bring deleted messages back",
  examples: ["message undelete ana-7f3c --by ana"],
  args: {
    messages: { kind: "list", place: "positional", help: "The messages" },
    by: { kind: "user", acts: true, help: "In whose name (default: you)" },
  },
  needs: "secret",
  async *run(call) {
    const { by } = call.args;
    if (by === undefined) throw new CommandError("usage", "Nobody to do it.", "Add --by <user>.");
    for (const id of call.args.messages) {
      const reply = await call.core.call("undeleteMessage", { path: { id }, body: { undeleted_by: by } });
      yield reply.message;
    }
  },
  show: (message) => `${message.id} is back`,
});
