/** Lists the app's own slash commands. */
import { command, rowOf } from "../base/define-command.ts";

export default command({
  summary: "List the app's own slash commands",
  changes: "nothing",
  examples: ["command list", "command list --json=name,description"],
  aliases: ["ls"],
  async *run({ core }) {
    yield* (await core.call("listCommands")).commands;
  },
  show: (one) =>
    rowOf(one, {
      command: { field: "name", cell: `/${one.name}` },
      arguments: "args",
      set: "set",
      description: "description",
    }),
});
