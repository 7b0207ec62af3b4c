/** Creates a slash command of the app. */
import { unlessTaken } from "../base/conflicts.ts";
import { command } from "../base/define-command.ts";

export default command({
  summary: "Create a slash command",
  changes: "provider",
  examples: [
    "command create ticket 'Make a ticket' --args '[text]' --command-set desk_set",
    "command create shout 'Say it in capitals'",
  ],
  args: {
    command: { kind: "text", value: "name", positional: true, help: "Its name, without the slash" },
    description: { kind: "text", positional: true, help: "What it does" },
    args: { kind: "text", value: "text", help: "Its arguments, as shown to users" },
    commandSet: { kind: "text", value: "name", help: "The set it belongs to" },
  },
  needs: "secret",
  async run({ args, core }) {
    const request = core.call("createCommand", {
      body: {
        name: args.command,
        description: args.description,
        ...(args.args === undefined ? {} : { args: args.args }),
        ...(args.commandSet === undefined ? {} : { set: args.commandSet }),
      },
    });
    const findExisting = (): Promise<unknown> => core.call("getCommand", { path: { name: args.command } });
    const message = `Command ${args.command} already exists.`;
    return (await unlessTaken(request, findExisting, { message, hint: "parley command set changes it." }))
      .command;
  },
  show: (one) => `/${one.name} created`,
});
