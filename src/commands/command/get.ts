/** Shows one slash command. */
import { command, fieldsView } from "../base/define-command.ts";

export default command({
  summary: "Show a slash command",
  changes: "nothing",
  examples: ["command get ticket", "command get ticket --jq .args"],
  args: {
    command: { kind: "text", value: "name", positional: true, help: "Its name, without the slash" },
  },
  needs: "secret",
  async run({ args, core }) {
    const { duration: _, ...one } = await core.call("getCommand", { path: { name: args.command } });
    return one;
  },
  show: (one) => fieldsView(one),
});
