/** Changes the given fields of a slash command of the app, or of those of a file. */
import type { Core } from "../../core/core.ts";
import type { BodyOf } from "../../wire/endpoints/index.ts";
import type { CommandInfo } from "../../wire/entities/channel.ts";
import {
  fromWhole,
  oneByOne,
  SET_FILE_ARGS,
  setOneOrFile,
  type Settable,
} from "../base/bulk/set-from-file.ts";
import { CommandError, command, type Args, type ArgValues } from "../base/define-command.ts";
import { settableIn } from "../base/known-fields.ts";

const ARGS = {
  command: {
    kind: "text",
    value: "name",
    positional: true,
    orFile: true,
    help: "Its name, without the slash",
  },
  description: { kind: "text", value: "text", help: "What it does" },
  args: { kind: "text", value: "text", help: "Its arguments, as shown to users" },
  commandSet: { kind: "text", value: "name", help: "The set it belongs to" },
  ...SET_FILE_ARGS,
} as const satisfies Args;

const fieldsOf = ({ description, args, commandSet: set }: ArgValues<typeof ARGS>): BodyOf<"updateCommand"> =>
  Object.fromEntries(Object.entries({ description, args, set }).filter(([, value]) => value !== undefined));

const update = async (core: Pick<Core, "call">, name: string, body: object): Promise<CommandInfo> =>
  (await core.call("updateCommand", { path: { name }, body })).command;

async function changeOne(core: Pick<Core, "call">, name: string, body: object): Promise<CommandInfo> {
  if (Object.keys(body).length === 0)
    throw new CommandError("usage", "Nothing to change.", "Give --description, --args or --command-set.");
  return update(core, name, body);
}

async function settableCommands(core: Pick<Core, "call">): Promise<Settable<CommandInfo>> {
  const { adminBodies } = await import("../../wire/bodies/admin.ts");
  return {
    noun: "command",
    form: {
      ids: ["name", "command"],
      known: ["name", "args", "set", "description"],
      texts: ["args", "set", "description"],
      readId: (text) => text.replace(/^\//, ""),
    },
    isSettable: settableIn(adminBodies.updateCommand),
    ...fromWhole(
      async () => (await core.call("listCommands")).commands,
      ({ name }) => name,
    ),
    ...oneByOne((name, { set = {} }) => update(core, name, set)),
  };
}

export default command({
  summary: "Change fields of a slash command",
  changes: "provider",
  aliases: ["update"],
  examples: [
    "command set ticket --args '[title] [text]'",
    "command set ticket --description 'Open a ticket'",
    "parley command list --csv > commands.csv; parley command set --file commands.csv",
  ],
  args: ARGS,
  needs: "secret",
  run(call) {
    const { args, core } = call;
    const set = fieldsOf(args);
    const one = (name: string): Promise<CommandInfo> => changeOne(core, name, set);
    return setOneOrFile(call, { name: args.command, one, asked: { set }, of: () => settableCommands(core) });
  },
  show: (one) => `/${one.name} changed`,
});
