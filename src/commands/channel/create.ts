/** Creates a channel, or the direct channel with a user. */
import { CommandError, command, idView } from "../base/define-command.ts";
import { orUnknownOutcome } from "../base/conflicts.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import { isNotFound } from "../../wire/errors.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { CUSTOM, readPairs } from "../base/custom-fields.ts";

export default command({
  summary: "Create a channel",
  changes: "provider",
  chatAlias: "create",
  examples: ["channel create messaging:ops --name Ops --member ana --member bo", "channel create @ana"],
  args: {
    channel: { kind: "channel", positional: true, help: "type:id of the new channel, or @user" },
    name: { kind: "text", value: "name", help: "Its name" },
    image: { kind: "text", value: "url", help: "Address of its picture" },
    member: { kind: "list", value: "user", help: "A member besides you (repeatable)" },
    custom: CUSTOM,
    existOk: { kind: "flag", help: "Succeed even if the channel exists" },
  },
  async run(call) {
    const { args, core } = call;
    if (args.channel.startsWith("@")) {
      const cid = await cidOf({ ...call, dry: false }, args.channel, true);
      return (await lookUpChannel(core, cid)).channel;
    }
    const path = pathOf(args.channel);
    const existing = await lookUpChannel(core, args.channel).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (existing && !args.existOk)
      throw new CommandError("conflict", `${args.channel} already exists.`, "--exist-ok takes it as it is.");
    if (existing) return existing.channel;
    const me = core.userId;
    const members = [...new Set([...(me === undefined ? [] : [me]), ...args.member])];
    const request = core.call("queryChannel", {
      path,
      body: {
        state: true,
        watch: false,
        data: {
          ...readPairs(args.custom, "--custom"),
          ...(args.name === undefined ? {} : { name: args.name }),
          ...(args.image === undefined ? {} : { image: args.image }),
          ...(members.length ? { members } : {}),
        },
      },
    });
    // A retry would fail because the channel exists, so an unclear result is reported.
    const hint = `parley channel get ${args.channel} shows whether it was created`;
    return (await (args.existOk ? request : orUnknownOutcome(request, hint))).channel;
  },
  show: ({ cid }) => idView({ id: cid }),
});
