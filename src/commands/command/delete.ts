/** Deletes a slash command that no channel type uses. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Delete a slash command",
  changes: "provider",
  examples: ["command delete ticket", "command delete ticket --yes"],
  aliases: ["rm"],
  args: {
    command: { kind: "text", value: "name", positional: true, help: "Its name, without the slash" },
  },
  needs: "secret",
  confirm: (args) => ({ level: "moderate", question: `Delete /${args.command}?` }),
  async run({ args, core }) {
    const { name } = await core.call("deleteCommand", { path: { name: args.command } });
    return { command: name, deleted: true };
  },
  show: (one) => `/${one.command} deleted`,
});
