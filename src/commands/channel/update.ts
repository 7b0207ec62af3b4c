/** Replaces all data of a channel; fields that are not given are removed. */
import { PAIRS } from "../base/custom-fields.ts";
import { CommandError, command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { userIds } from "../base/bulk/names.ts";
import { readSet } from "../user/fields.ts";

/** Fields that are not data → how to change them. */
const OTHER_COMMANDS: Readonly<Record<string, string>> = {
  members: "Add --add-member or --remove-member, or use: parley member add",
  invites: "parley channel invite",
};

/** Throws `CommandError` (usage). */
function dataOf(fields: readonly string[]): Record<string, unknown> {
  const { set = {} } = readSet(fields);
  for (const [name, hint] of Object.entries(OTHER_COMMANDS))
    if (name in set) throw new CommandError("usage", `${name} cannot be set as data of a channel.`, hint);
  return set;
}

export default command({
  summary: "Replace the data of a channel",
  changes: "provider",
  examples: [
    "channel update messaging:ops name=Ops --say 'renamed'",
    "channel update messaging:ops --add-tag night",
  ],
  args: {
    channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" },
    fields: { ...PAIRS, optional: true, help: "All its fields and their values" },
    clear: { kind: "flag", help: "Remove all its data" },
    say: { kind: "text", help: "Post this as a system message about it" },
    addTag: { kind: "list", value: "tag", help: "Add filter tags" },
    removeTag: { kind: "list", value: "tag", help: "Remove filter tags" },
    cooldown: { kind: "number", from: 0, help: "Slow mode in seconds; 0 turns it off" },
    addMember: { kind: "list", value: "user", help: "Add members" },
    removeMember: { kind: "list", value: "user", help: "Remove members" },
  },
  confirm: (args) => ({
    level: args.clear || args.fields.length > 0 ? "moderate" : "mild",
    question: args.clear
      ? `Remove all data of ${args.channel}?`
      : args.fields.length > 0
        ? `Replace all data of ${args.channel}?`
        : `Change ${args.channel}?`,
  }),
  async run(call) {
    const { args } = call;
    const fields = args.fields;
    if (args.clear && fields.length > 0)
      throw new CommandError("usage", "--clear leaves no data, so none can be given.");
    const data = args.clear ? {} : fields.length > 0 ? dataOf(fields) : undefined;
    const body = {
      ...(data === undefined ? {} : { data }),
      ...(args.say === undefined ? {} : { message: { text: args.say } }),
      ...(args.addTag.length ? { add_filter_tags: args.addTag } : {}),
      ...(args.removeTag.length ? { remove_filter_tags: args.removeTag } : {}),
      ...(args.cooldown === undefined ? {} : { cooldown: args.cooldown }),
      ...(args.addMember.length ? { add_members: userIds(args.addMember) } : {}),
      ...(args.removeMember.length ? { remove_members: userIds(args.removeMember) } : {}),
    };
    if (Object.keys(body).length === 0)
      throw new CommandError(
        "usage",
        "Nothing to change.",
        "Give fields, or a flag that says what to change.",
      );
    const path = pathOf(await cidOf(call, args.channel));
    return (await call.core.call("updateChannel", { path, body })).channel;
  },
});
