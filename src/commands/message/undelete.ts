/** Brings softly deleted messages back with their content; only servers may. */
import { CommandError, command } from "../base/define-command.ts";
import { Several } from "../base/several.ts";

export default command({
  summary: "Restore deleted messages",
  examples: ["message undelete ana-7f3c --by ana", "message undelete ana-7f3c bo-7f3c"],
  args: {
    messages: { kind: "list", place: "positional", help: "The messages" },
    by: { kind: "user", acts: true, help: "On whose behalf (default: you)" },
  },
  needs: "secret",
  async *run(call) {
    const { by } = call.args;
    if (by === undefined) throw new CommandError("usage", "This needs a user to act as.", "Add --by <user>.");
    const body = { undeleted_by: by };
    const several = new Several();
    for (const id of call.args.messages) {
      const reply = await several.try(id, () => call.core.call("undeleteMessage", { path: { id }, body }));
      if (reply) yield reply.message;
    }
    several.end();
  },
  show: (message) => `${message.id} is back`,
});
