/** Lists the app's own slash commands. */
import { command, rowView } from "../base/define-command.ts";

export default command({
  summary: "List the app's own slash commands",
  examples: ["command list", "command list --json=name,description"],
  aliases: ["ls"],
  args: {},
  async *run({ core }) {
    yield* (await core.call("listCommands")).commands;
  },
  show: (one) =>
    rowView(
      { command: `/${one.name}`, arguments: one.args, set: one.set, description: one.description },
      { command: "name", arguments: "args" },
    ),
});
