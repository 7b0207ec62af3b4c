/** Changes a channel type: what is not named stays. */
import type { ChannelTypeInput } from "../../wire/channel-type.ts";
import { readSettings } from "../app/input.ts";
import { command } from "../kit.ts";

export default command({
  summary: "Change a channel type",
  examples: [
    "channel-type update team uploads=false max_message_length=2000",
    "channel-type update team --commands giphy --commands mute",
    "channel-type update team --reset blocklist",
  ],
  args: {
    type: { kind: "text", place: "positional", help: "The channel type" },
    settings: {
      kind: "list",
      value: "name=value",
      place: "positional",
      optional: true,
      help: "Settings and their new values",
    },
    commands: { kind: "list", place: "flag", optional: true, help: "Commands or sets it offers" },
    file: {
      kind: "file",
      place: "flag",
      optional: true,
      help: "A JSON object of settings; - reads standard input",
    },
    reset: {
      kind: "list",
      place: "flag",
      optional: true,
      help: "Back to the default; grants resets all rights",
    },
  },
  needs: "secret",
  async run(call) {
    const { args, core } = call;
    const path = { name: args.type };
    const fields = [
      ...(args.settings ?? []),
      ...(args.commands?.length ? [`commands=${JSON.stringify(args.commands)}`] : []),
    ];
    const body = await readSettings(call, { fields, file: args.file, reset: args.reset ?? [] }, async () => ({
      ...(await core.call("getChannelType", { path })),
    }));
    const { duration: _, ...type } = await core.call("updateChannelType", {
      path,
      body: body as ChannelTypeInput,
    });
    return type;
  },
  show: (type) => ({ kind: "line", text: `${type.name} changed` }),
});
