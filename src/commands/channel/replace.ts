/** Replaces all data of a channel; fields that are not given are removed. */
import { PAIRS } from "../base/custom-fields.ts";
import { CommandError, command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { userIds } from "../base/bulk/names.ts";
import { readSet } from "../user/fields.ts";
import { TEXTS_OF_CHANNELS } from "./settable-channels.ts";
import { OTHER_CHANGES, otherChanges } from "./other-changes.ts";

/** Fields that are not data → how to change them. */
const OTHER_COMMANDS: Readonly<Record<string, string>> = {
  members: "Add --add-member or --remove-member, or use: parley member add",
  invites: "parley channel invite",
};

/** Throws `CommandError` (usage). */
function dataOf(fields: readonly string[]): Record<string, unknown> {
  const { set = {} } = readSet(fields, [], TEXTS_OF_CHANNELS);
  for (const [name, hint] of Object.entries(OTHER_COMMANDS))
    if (name in set) throw new CommandError("usage", `${name} cannot be set as data of a channel.`, hint);
  return set;
}

export default command({
  summary: "Replace all fields of a channel; those not given are removed",
  changes: "provider",
  aliases: ["update"],
  examples: [
    "channel replace messaging:ops name=Ops --say 'renamed'",
    "channel replace messaging:ops --clear",
  ],
  args: {
    channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" },
    fields: { ...PAIRS, optional: true, help: "All its fields and their values" },
    clear: { kind: "flag", help: "Remove all its data" },
    ...OTHER_CHANGES,
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
      ...otherChanges(args),
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
