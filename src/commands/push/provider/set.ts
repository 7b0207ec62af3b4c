/** Creates or changes a push provider; credentials come from a file, never from the command line. */
import { PUSH_PROVIDER_TYPES } from "../../../wire/entities/push-provider.ts";
import { readObject } from "../../app/setting-changes.ts";
import { CommandError, command } from "../../base/define-command.ts";

export default command({
  summary: "Create or update a push provider",
  changes: "provider",
  examples: [
    "push provider set firebase main --file credentials.json",
    "push provider set apn main --file -",
  ],
  args: {
    type: { kind: "choice", choices: PUSH_PROVIDER_TYPES, positional: true, help: "The push service" },
    name: { kind: "text", positional: true, help: "Its name in the app" },
    file: {
      kind: "file",
      short: "f",
      help: "File with a JSON object of its credentials; - reads standard input",
    },
    description: { kind: "text", value: "text", help: "What it is for" },
  },
  needs: "secret",
  async run(call) {
    const { args, core } = call;
    if (args.file === undefined && args.description === undefined)
      throw new CommandError("usage", "Nothing to set.", "Give --file with the credentials.");
    const type = args.type as (typeof PUSH_PROVIDER_TYPES)[number];
    const given = args.file === undefined ? {} : await readObject(call, args.file);
    requireOwnFields(type, given);
    const { push_providers: all } = await core.call("listPushProviders", {});
    const before = all.find((one) => one.type === type && one.name === args.name);
    const { created_at: _created, updated_at: _updated, ...fields } = before ?? {};
    // The provider replaces the whole object: what is not given stays, also a secret, which is listed blank and kept when it is sent blank.
    const after = {
      ...fields,
      ...given,
      ...(args.description === undefined ? {} : { description: args.description }),
      type,
      name: args.name,
    };
    return (await core.call("upsertPushProvider", { body: { push_provider: after } })).push_provider;
  },
  show: (one) => `${one.type} ${one.name} set`,
});

/** Fields that are not of one push service. */
const COMMON = new Set(["type", "name", "description", "disabled_at", "disabled_reason"]);

/** The fields of a push service begin with its name. Throws `CommandError` (rejected) for others: the provider would keep them unseen. */
function requireOwnFields(type: string, given: object): void {
  const other = Object.keys(given).find((key) => !COMMON.has(key) && !key.startsWith(`${type}_`));
  if (other !== undefined)
    throw new CommandError(
      "rejected",
      `${other} is no field of a push provider of ${type}.`,
      `Its fields begin with ${type}_, such as ${type}_${type === "firebase" ? "credentials_json" : type === "apn" ? "auth_key" : "app_id"}.`,
    );
}
