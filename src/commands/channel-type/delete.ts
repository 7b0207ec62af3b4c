/** Deletes a channel type that has no channels. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Delete a channel type that has no channels",
  changes: "provider",
  examples: ["channel-type delete kitchen", "channel-type delete kitchen --yes"],
  aliases: ["rm"],
  args: { type: { kind: "text", positional: true, help: "The channel type" } },
  confirmWord: { word: "the name of the type" },
  needs: "secret",
  confirm: ({ type }) => ({ level: "severe", question: `Delete channel type ${type}?`, word: type }),
  async run({ args, core }) {
    await core.call("deleteChannelType", { path: { name: args.type } });
    return { type: args.type, deleted: true };
  },
  show: ({ type }) => `${type} deleted`,
});
