/** Changes the given settings of a channel type, or of those of a file. */
import type { BodyOf } from "../../wire/endpoints/index.ts";
import type { NamedChannelType } from "../../wire/entities/channel-type.ts";
import { readSettingChanges } from "../app/setting-changes.ts";
import { askedForAll, SET_FILE_ARGS, setFields } from "../base/bulk/set-from-file.ts";
import { PAIRS } from "../base/custom-fields.ts";
import { CommandError, command, type Args, type Call } from "../base/define-command.ts";
import { rejectUnknownFields } from "../base/known-fields.ts";
import { settableTypes } from "./settable-types.ts";

const ARGS = {
  type: { kind: "text", positional: true, optional: true, help: "The channel type" },
  settings: { ...PAIRS, optional: true, help: "Settings and their new values" },
  command: { kind: "list", value: "name", help: "A command or set it offers (repeatable)" },
  reset: { kind: "list", help: "Reset this setting to its default; grants resets all permissions" },
  ...SET_FILE_ARGS,
  file: {
    ...SET_FILE_ARGS.file,
    help: "With a type: a JSON object of its settings. Without: types and their settings, as list prints them (CSV, NDJSON); - reads standard input",
  },
} as const satisfies Args;

type SetCall = Call<typeof ARGS>;

const pairsOf = ({ settings, command: commands }: SetCall["args"]): string[] => [
  ...settings,
  ...(commands.length ? [`commands=${JSON.stringify(commands)}`] : []),
];

async function changeOne(call: SetCall, name: string): Promise<NamedChannelType> {
  const { args, core } = call;
  const path = { name };
  const sources = { fields: pairsOf(args), file: args.file, reset: args.reset };
  const body = await readSettingChanges(call, sources, async () => ({
    ...(await core.call("getChannelType", { path })),
  }));
  const { adminBodies } = await import("../../wire/bodies/admin.ts");
  rejectUnknownFields(adminBodies.updateChannelType, body, "A channel type");
  if (body.grants !== undefined)
    await call.machine?.ask({
      level: "moderate",
      question: `Change who may do what in channels of type ${name}?`,
    });
  const { duration: _, ...type } = await core.call("updateChannelType", {
    path,
    body: body as BodyOf<"updateChannelType">,
  });
  return type;
}

/** Changes the settings of the types of a file. */
async function* changeMany(call: SetCall): AsyncIterable<NamedChannelType> {
  const { args, core } = call;
  const resets = Object.fromEntries(args.reset.map((name) => [name, null]));
  const asked = { set: { ...askedForAll(pairsOf(args), []).set, ...resets } };
  const { adminBodies } = await import("../../wire/bodies/admin.ts");
  rejectUnknownFields(adminBodies.updateChannelType, asked.set, "A channel type");
  yield* setFields(call, [], asked, await settableTypes(core));
}

export default command({
  summary: "Change settings of a channel type",
  changes: "provider",
  aliases: ["update"],
  examples: [
    "channel-type set team uploads=false max_message_length=2000",
    "channel-type set team --command giphy --command mute",
    "channel-type set team --reset blocklist",
    "parley channel-type list --csv > types.csv; parley channel-type set --file types.csv",
  ],
  args: ARGS,
  needs: "secret",
  asksWhileRunning: true,
  run(call): Promise<NamedChannelType> | AsyncIterable<NamedChannelType> {
    const { type, file, report, resume } = call.args;
    if (type === undefined && file === undefined)
      throw new CommandError("usage", "No channel type is named.", "Name one, or give --file.");
    if (type === undefined) return changeMany(call);
    if (report !== undefined || resume !== undefined)
      throw new CommandError("usage", "A report is of several types: --report goes with a file of them.");
    return changeOne(call, type);
  },
  show: (type) => `${type.name} changed`,
});
