/** Changes the given settings of a channel type. */
import type { BodyOf } from "../../wire/endpoints/index.ts";
import { readSettingChanges } from "../app/setting-changes.ts";
import { PAIRS } from "../base/custom-fields.ts";
import { command } from "../base/define-command.ts";
import { rejectUnknownFields } from "../base/known-fields.ts";

export default command({
  summary: "Change settings of a channel type",
  changes: "provider",
  aliases: ["update"],
  examples: [
    "channel-type set team uploads=false max_message_length=2000",
    "channel-type set team --command giphy --command mute",
    "channel-type set team --reset blocklist",
  ],
  args: {
    type: { kind: "text", positional: true, help: "The channel type" },
    settings: { ...PAIRS, optional: true, help: "Settings and their new values" },
    command: { kind: "list", value: "name", help: "A command or set it offers (repeatable)" },
    file: { kind: "file", short: "f", help: "File with a JSON object of settings; - reads standard input" },
    reset: { kind: "list", help: "Reset this setting to its default; grants resets all permissions" },
  },
  needs: "secret",
  asksWhileRunning: true,
  async run(call) {
    const { args, core } = call;
    const path = { name: args.type };
    const fields = [
      ...args.settings,
      ...(args.command.length ? [`commands=${JSON.stringify(args.command)}`] : []),
    ];
    const body = await readSettingChanges(call, { fields, file: args.file, reset: args.reset }, async () => ({
      ...(await core.call("getChannelType", { path })),
    }));
    const { adminBodies } = await import("../../wire/bodies/admin.ts");
    rejectUnknownFields(adminBodies.updateChannelType, body, "A channel type");
    if (body.grants !== undefined)
      await call.machine?.ask({
        level: "moderate",
        question: `Change who may do what in channels of type ${args.type}?`,
      });
    const { duration: _, ...type } = await core.call("updateChannelType", {
      path,
      body: body as BodyOf<"updateChannelType">,
    });
    return type;
  },
  show: (type) => `${type.name} changed`,
});
