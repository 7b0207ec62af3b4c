/** Shows the settings of a channel type, or with `--grants` its permissions by role. */
import { briefFields } from "../app/setting-changes.ts";
import { command, fieldsView } from "../base/define-command.ts";

export default command({
  summary: "Show a channel type",
  changes: "nothing",
  examples: ["channel-type get team", "channel-type get team --grants"],
  args: {
    type: { kind: "text", positional: true, help: "The channel type" },
    grants: { kind: "flag", help: "Show the permissions of each role" },
  },
  needs: "secret",
  async run({ args, core }) {
    const { duration: _, ...type } = await core.call("getChannelType", { path: { name: args.type } });
    return type;
  },
  show(type, args) {
    const { grants, permissions: _, commands, ...rest } = type;
    if (!args.grants)
      return fieldsView({ ...briefFields(rest), commands: commands.map(({ name }) => name).join(" ") });
    const rows = Object.entries(grants).map(([role, names]) => [role, names.join(" ")]);
    return { kind: "table", columns: ["role", "permissions"], rows };
  },
});
