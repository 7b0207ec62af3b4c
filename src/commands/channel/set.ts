/** Sets fields of a channel and leaves the others as they are. */
import type { Channel } from "../../wire/entities/channel.ts";
import { PAIRS } from "../base/custom-fields.ts";
import { command } from "../base/define-command.ts";
import { SERVER } from "../base/server-flag.ts";
import { PlannedSteps } from "../base/planned-steps.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { readSet } from "../user/fields.ts";
import { OTHER_CHANGES, otherChanges } from "./other-changes.ts";
import { OVERRIDE_ARGS, changedOverrides, isOverriding } from "./overrides.ts";

export default command({
  summary: "Change fields of a channel",
  changes: "provider",
  examples: [
    "channel set messaging:ops name=Ops topic.title='On call'",
    "channel set messaging:ops cooldown=10",
    "channel set messaging:ops --add-tag night --say 'now at night'",
    "channel set messaging:ops --override typing_events=false --override max_message_length=500",
    "channel set messaging:ops --reset-override all",
  ],
  args: {
    channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" },
    fields: { ...PAIRS, optional: true, help: "Fields and their new values" },
    unset: { kind: "list", value: "name", help: "Remove this field (repeatable)" },
    ...OTHER_CHANGES,
    ...OVERRIDE_ARGS,
    server: { ...SERVER, help: "Change it as the app, with its secret, instead of as you" },
  },
  asApp: (args) => args.server || isOverriding(args),
  async run(call) {
    const { args, core } = call;
    const others = otherChanges(args);
    const hasOthers = Object.keys(others).length > 0;
    const overrides = isOverriding(args);
    const onlyOthers = (hasOthers || overrides) && args.fields.length + args.unset.length === 0;
    const change = onlyOthers ? {} : readSet(args.fields, args.unset);
    const cid = await cidOf(call, args.channel);
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
  },
});
