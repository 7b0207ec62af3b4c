/** Sets and removes fields of a member of a channel. */
import { CommandError, command } from "../base/define-command.ts";
import { PAIRS, readPairs } from "../base/custom-fields.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Set fields of a member",
  changes: "provider",
  examples: [
    "member set bo desk=4 nickname=Bobby -c messaging:ops",
    "member set bo --unset nickname -c messaging:ops",
  ],
  args: {
    user: { kind: "user", positional: true, help: "The member" },
    fields: { ...PAIRS, optional: true, help: "Fields to set; a value may be JSON" },
    channel: { kind: "channel", short: "c", defaultsToCurrent: true, help: "The channel" },
    unset: { kind: "list", value: "name", help: "Remove this field (repeatable)" },
  },
  async run(call) {
    const { args } = call;
    const set = readPairs(args.fields, "member set");
    const unset = args.unset;
    if (Object.keys(set).length + unset.length === 0)
      throw new CommandError("usage", "Nothing to set.", "For example desk=4, or --unset desk");
    const path = { ...pathOf(await cidOf(call, args.channel)), user_id: args.user };
    const { channel_member } = await call.core.call("updateMemberPartial", {
      path,
      body: { ...(Object.keys(set).length ? { set } : {}), ...(unset.length ? { unset } : {}) },
    });
    return channel_member;
  },
});
