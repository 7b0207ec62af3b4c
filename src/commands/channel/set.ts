/** Sets fields of a channel and leaves the others as they are. */
import type { Channel } from "../../wire/entities/channel.ts";
import { PAIRS } from "../base/custom-fields.ts";
import { CommandError, command, type Args, type Call } from "../base/define-command.ts";
import { askedForAll, isBulkSet, SET_FILE_ARGS, setFields } from "../base/bulk/set-from-file.ts";
import { SERVER } from "../base/server-flag.ts";
import { PlannedSteps } from "../base/planned-steps.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { readSet } from "../user/fields.ts";
import { OTHER_CHANGES, otherChanges } from "./other-changes.ts";
import { OVERRIDE_ARGS, changedOverrides, isOverriding } from "./overrides.ts";
import { settableChannels, TEXTS_OF_CHANNELS } from "./settable-channels.ts";

const ARGS = {
  channel: { kind: "channel", positional: true, defaultsToCurrent: true, orFile: true, help: "The channel" },
  fields: { ...PAIRS, optional: true, help: "Fields and their new values" },
  unset: { kind: "list", value: "name", help: "Remove this field (repeatable)" },
  ...OTHER_CHANGES,
  ...OVERRIDE_ARGS,
  ...SET_FILE_ARGS,
  server: { ...SERVER, help: "Change it as the app, with its secret, instead of as you" },
} as const satisfies Args;

type SetCall = Call<typeof ARGS>;

/** Changes one channel: its fields, and what else can change with them. */
async function changeOne(call: SetCall): Promise<Channel> {
  const { args, core } = call;
  const others = otherChanges(args);
  const hasOthers = Object.keys(others).length > 0;
  const overrides = isOverriding(args);
  const onlyOthers = (hasOthers || overrides) && args.fields.length + args.unset.length === 0;
  const change = onlyOthers ? {} : readSet(args.fields, args.unset, TEXTS_OF_CHANNELS);
  const cid = await cidOf(call, args.channel!);
  const path = pathOf(cid);
  if (overrides) change.set = { ...change.set, config_overrides: await changedOverrides(core, cid, args) };
  const steps = new PlannedSteps(call.dry);
  let channel: Channel | undefined;
  if (!onlyOthers || overrides)
    channel = await steps.take(
      async () => (await core.call("updateChannelPartial", { path, body: change })).channel,
    );
  if (hasOthers)
    channel = await steps.take(
      async () => (await core.call("updateChannel", { path, body: others })).channel,
    );
  steps.end();
  return channel!;
}

/** Changes the fields of the channels of a file. */
async function* changeMany(call: SetCall): AsyncIterable<Channel> {
  const { args, core, channelType } = call;
  if (Object.keys(otherChanges(args)).length > 0 || isOverriding(args))
    throw new CommandError(
      "usage",
      "A file changes fields alone: tags, slow mode, messages and overrides go with one channel.",
      "--file takes name=value for all of its channels, such as cooldown=10.",
    );
  const named = args.channel === undefined ? [] : [await cidOf(call, args.channel)];
  yield* setFields(
    call,
    named,
    askedForAll(args.fields, args.unset, TEXTS_OF_CHANNELS),
    settableChannels(core, channelType),
  );
}

export default command({
  summary: "Change fields of a channel",
  changes: "provider",
  examples: [
    "channel set messaging:ops name=Ops topic.title='On call'",
    "channel set messaging:ops cooldown=10",
    "channel set messaging:ops --add-tag night --say 'now at night'",
    "channel set messaging:ops --override typing_events=false --override max_message_length=500",
    "channel set messaging:ops --reset-override all",
    "parley channel list --all --csv > channels.csv; parley channel set --file channels.csv",
  ],
  args: ARGS,
  asApp: (args) => args.server || isOverriding(args),
  run: (call): Promise<Channel> | AsyncIterable<Channel> =>
    isBulkSet(call.args) ? changeMany(call) : changeOne(call),
});
