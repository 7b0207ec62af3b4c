/** Creates or changes a push provider, or changes those of a file; credentials come from a file, never from the command line. */
import type { Core } from "../../../core/core.ts";
import { PUSH_PROVIDER_TYPES, type PushProvider } from "../../../wire/entities/push-provider.ts";
import { readObject } from "../../app/setting-changes.ts";
import {
  fromWhole,
  oneByOne,
  SET_FILE_ARGS,
  setFields,
  type Settable,
} from "../../base/bulk/set-from-file.ts";
import { idOfSeveral } from "../../base/bulk/given-records.ts";
import { CommandError, command, type Args, type Call } from "../../base/define-command.ts";

const ARGS = {
  type: {
    kind: "choice",
    choices: PUSH_PROVIDER_TYPES,
    positional: true,
    orFile: true,
    help: "The push service",
  },
  name: { kind: "text", positional: true, orFile: true, help: "Its name in the app" },
  description: { kind: "text", value: "text", help: "What it is for" },
  ...SET_FILE_ARGS,
  file: {
    ...SET_FILE_ARGS.file,
    help: "With a name: a JSON object of its credentials. Without: push providers and their fields, as list prints them (CSV, NDJSON); - reads standard input",
  },
} as const satisfies Args;

type SetCall = Call<typeof ARGS>;
type ProviderType = PushProvider["type"];

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

const allProviders = async (core: Pick<Core, "call">): Promise<PushProvider[]> =>
  (await core.call("listPushProviders", {})).push_providers;

/** The provider replaces the whole object: what is not given stays, also a secret, which is listed blank and kept when it is sent blank. */
async function update(
  core: Pick<Core, "call">,
  which: { type: ProviderType; name: string },
  before: PushProvider | undefined,
  given: object,
): Promise<PushProvider> {
  const { created_at: _created, updated_at: _updated, ...fields } = before ?? {};
  const body = { push_provider: { ...fields, ...given, ...which } };
  return (await core.call("upsertPushProvider", { body })).push_provider;
}

async function changeOne(call: SetCall): Promise<PushProvider> {
  const { args, core } = call;
  const { type, name, file, description } = args;
  if (type === undefined || name === undefined)
    throw new CommandError("usage", "A push provider is named by its service and its name.");
  if (file === undefined && description === undefined)
    throw new CommandError("usage", "Nothing to set.", "Give --file with the credentials.");
  const given = file === undefined ? {} : await readObject(call, file);
  requireOwnFields(type, given);
  const which = { type: type as ProviderType, name };
  const before = (await allProviders(core)).find((one) => one.type === type && one.name === name);
  return update(core, which, before, { ...given, ...(description === undefined ? {} : { description }) });
}

const ID = idOfSeveral("type", "name");

const settableProviders = (core: Pick<Core, "call">): Settable<PushProvider> => ({
  noun: "push provider",
  form: {
    ...ID,
    known: ["type", "name", "description"],
    texts: ["description"],
  },
  isSettable: (name) =>
    !["type", "name"].includes(name) &&
    (COMMON.has(name) || PUSH_PROVIDER_TYPES.some((type) => name.startsWith(`${type}_`))),
  ...fromWhole(
    () => allProviders(core),
    (one) => ID.idOf(one)!,
  ),
  ...oneByOne((_id, { set = {} }, now) => {
    requireOwnFields(now.type, set);
    return update(core, { type: now.type, name: now.name }, now, set);
  }),
});

export default command({
  summary: "Create or update a push provider",
  changes: "provider",
  examples: [
    "push provider set firebase main --file credentials.json",
    "push provider set apn main --file -",
    "parley push provider list --csv > push.csv; parley push provider set --file push.csv",
  ],
  args: ARGS,
  needs: "secret",
  run(call): Promise<PushProvider> | AsyncIterable<PushProvider> {
    const { type, name, description } = call.args;
    if (type !== undefined || name !== undefined) return changeOne(call);
    const asked = description === undefined ? {} : { set: { description } };
    return setFields(call, [], asked, settableProviders(call.core));
  },
  show: (one) => `${one.type} ${one.name} set`,
});
