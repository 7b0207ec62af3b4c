/** Shows one channel type: what its channels can do, and with `--grants` who may do what. */
import { brief } from "../app/input.ts";
import { command } from "../base/define-command.ts";

const APART = new Set(["grants", "permissions", "commands"]);

export default command({
  summary: "Show a channel type",
  examples: ["channel-type get team", "channel-type get team --grants"],
  args: {
    type: { kind: "text", place: "positional", help: "The channel type" },
    grants: { kind: "flag", help: "Show the permissions of each role" },
  },
  needs: "secret",
  async run({ args, core }) {
    const { duration: _, ...type } = await core.call("getChannelType", { path: { name: args.type } });
    return type;
  },
  show: (type, args) =>
    args.grants
      ? {
          kind: "table",
          columns: ["role", "permissions"],
          rows: Object.entries(type.grants).map(([role, names]) => [role, names.join(" ")]),
        }
      : {
          kind: "fields",
          fields: [
            ...Object.entries(type)
              .filter(([name]) => !APART.has(name))
              .map(([name, value]) => [name, brief(value)] as [string, string]),
            ["commands", type.commands.map(({ name }) => name).join(" ")],
          ],
        },
});
