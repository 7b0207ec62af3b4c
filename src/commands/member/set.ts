/** Sets and removes fields of a member of a channel. */
import type { Member } from "../../wire/entities/channel.ts";
import { CommandError, command, type Args, type ArgValues, type Call } from "../base/define-command.ts";
import { askedForAll, isBulkSet, SET_FILE_ARGS, setFields } from "../base/bulk/set-from-file.ts";
import { userIds } from "../base/bulk/names.ts";
import { PAIRS, readPairs } from "../base/custom-fields.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { isRoleField, settableMembers } from "./settable-members.ts";

const ARGS = {
  user: { kind: "user", positional: true, orFile: true, help: "The member" },
  fields: {
    ...PAIRS,
    optional: true,
    help: "Fields to set; a value may be JSON; channel_role needs the app's secret",
  },
  channel: { kind: "channel", short: "c", defaultsToCurrent: true, help: "The channel" },
  unset: { kind: "list", value: "name", help: "Remove this field (repeatable)" },
  ...SET_FILE_ARGS,
} as const satisfies Args;

type SetCall = Call<typeof ARGS>;

const changesRole = ({ fields, unset }: ArgValues<typeof ARGS>): boolean =>
  [...fields, ...unset].some(isRoleField);

async function changeOne(call: SetCall): Promise<Member> {
  const { args } = call;
  const set = readPairs(args.fields, "member set");
  const unset = args.unset;
  if (Object.keys(set).length + unset.length === 0)
    throw new CommandError("usage", "Nothing to set.", "For example desk=4, or --unset desk");
  const path = { ...pathOf(await cidOf(call, args.channel)), user_id: args.user! };
  const { channel_member } = await call.core.call("updateMemberPartial", {
    path,
    body: { ...(Object.keys(set).length ? { set } : {}), ...(unset.length ? { unset } : {}) },
  });
  return channel_member;
}

/** Changes the fields of the members of a file. */
async function* changeMany(call: SetCall): AsyncIterable<Member> {
  const { user, channel, fields, unset } = call.args;
  const members = settableMembers(call.core, await cidOf(call, channel));
  yield* setFields(call, userIds(user === undefined ? [] : [user]), askedForAll(fields, unset), members);
}

export default command({
  summary: "Set fields of a member",
  changes: "provider",
  examples: [
    "member set bo desk=4 nickname=Bobby -c messaging:ops",
    "member set bo --unset nickname -c messaging:ops",
    "parley member list -c messaging:ops --ndjson | parley member set --file - desk=4 -c messaging:ops",
  ],
  args: ARGS,
  asApp: changesRole,
  asksWhileRunning: true,
  // Those of a file whose rights change are asked about when they are known.
  confirm: (args) =>
    !isBulkSet(args) && changesRole(args)
      ? { level: "mild", question: `Change the rights of ${args.user} in ${args.channel}?` }
      : undefined,
  run: (call): Promise<Member> | AsyncIterable<Member> =>
    isBulkSet(call.args) ? changeMany(call) : changeOne(call),
});
