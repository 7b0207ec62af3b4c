/** Changes the given fields of a slash command of the app. */
import { CommandError, command } from "../base/define-command.ts";

export default command({
  summary: "Change fields of a slash command",
  changes: "provider",
  aliases: ["update"],
  examples: [
    "command set ticket --args '[title] [text]'",
    "command set ticket --description 'Open a ticket'",
  ],
  args: {
    command: { kind: "text", value: "name", positional: true, help: "Its name, without the slash" },
    description: { kind: "text", value: "text", help: "What it does" },
    args: { kind: "text", value: "text", help: "Its arguments, as shown to users" },
    commandSet: { kind: "text", value: "name", help: "The set it belongs to" },
  },
  needs: "secret",
  async run({ args, core }) {
    const { command: name, commandSet: set, ...fields } = args;
    const body = Object.fromEntries(
      Object.entries({ ...fields, set }).filter(([, value]) => value !== undefined),
    );
    if (Object.keys(body).length === 0)
      throw new CommandError("usage", "Nothing to change.", "Give --description, --args or --command-set.");
    return (await core.call("updateCommand", { path: { name }, body })).command;
  },
  show: (one) => `/${one.name} changed`,
});
