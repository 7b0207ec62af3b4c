/** Restores softly deleted messages with their content; needs the app's secret. */
import { BULK_ARGS } from "../base/bulk/bulk.ts";
import { CommandError, command } from "../base/define-command.ts";
import { changeEach, MESSAGES } from "../base/bulk/names.ts";

export default command({
  summary: "Restore deleted messages",
  changes: "provider",
  examples: ["message undelete ana-7f3c --by ana", "message undelete ana-7f3c bo-7f3c"],
  args: {
    messages: { kind: "list", positional: true, optional: true, help: "The messages" },
    ...BULK_ARGS,
    by: { kind: "user", actingUser: true, help: "On whose behalf (default: you)" },
  },
  needs: "secret",
  async *run(call) {
    const { by, messages } = call.args;
    if (by === undefined) throw new CommandError("usage", "This needs a user to act as.", "Add --by <user>.");
    const body = { undeleted_by: by };
    yield* changeEach(call, {
      kind: MESSAGES,
      names: messages,
      send: async (id) => (await call.core.call("undeleteMessage", { path: { id }, body })).message,
      result: "restored",
    });
  },
  show: (message) => `${message.id} is back`,
});
