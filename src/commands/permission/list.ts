/** Lists permissions: the built-in ones and those of the app. */
import { command, rowOf } from "../base/define-command.ts";

export default command({
  summary: "List permissions",
  changes: "nothing",
  examples: ["permission list --level app", "permission list --action UpdateMessage"],
  aliases: ["ls"],
  args: {
    level: { kind: "choice", choices: ["app", "channel"], help: "Level at which they are granted" },
    action: { kind: "text", value: "action", help: "Only permissions for this action" },
    own: { kind: "flag", help: "Only those created by the app" },
  },
  needs: "secret",
  async *run({ args, core }) {
    for (const one of (await core.call("listPermissions")).permissions)
      if (
        (args.level === undefined || one.level === args.level) &&
        (args.action === undefined || one.action === args.action) &&
        (!args.own || one.custom)
      )
        yield one;
  },
  show: (one) =>
    rowOf(one, {
      permission: "id",
      action: "action",
      level: "level",
      "own only": "owner",
      "same team": "same_team",
    }),
});
