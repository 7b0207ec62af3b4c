/** Lists the app's own slash commands. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "List the app's own slash commands",
  examples: ["command list"],
  aliases: ["ls"],
  args: {},
  async *run({ core }) {
    yield* (await core.call("listCommands")).commands;
  },
  show: (one) => ({
    kind: "table",
    columns: ["command", "arguments", "set", "description"],
    rows: [[`/${one.name}`, one.args, one.set, one.description]],
  }),
});
