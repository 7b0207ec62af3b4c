/** Deletes a push provider of the app. */
import { PUSH_PROVIDER_TYPES } from "../../../wire/entities/push-provider.ts";
import { command } from "../../base/define-command.ts";

export default command({
  summary: "Delete a push provider",
  changes: "provider",
  examples: ["push provider delete firebase main", "push provider delete apn main --yes"],
  aliases: ["rm"],
  args: {
    type: { kind: "choice", choices: PUSH_PROVIDER_TYPES, positional: true, help: "The push service" },
    name: { kind: "text", positional: true, help: "Its name in the app" },
  },
  needs: "secret",
  confirm: ({ type, name }) => ({ level: "moderate", question: `Delete push service ${type} ${name}?` }),
  async run({ args, core }) {
    await core.call("deletePushProvider", { path: { type: args.type, name: args.name } });
    return { type: args.type, name: args.name, deleted: true };
  },
  show: ({ type, name }) => `${type} ${name} deleted`,
});
