/** Lists the user's channels, latest activity first. */
import type { PageCall } from "../../model/page-size.ts";
import { listChannels, predefinedChannels, type PredefinedFilter } from "../base/lists/channels.ts";
import type { Channel, ChannelState } from "../../wire/entities/channel.ts";
import { filterWith } from "../base/lists/filter.ts";
import { readPairs } from "../base/custom-fields.ts";
import { CommandError, command, rowOf, type ArgValues, type Args } from "../base/define-command.ts";

/** Members requested per channel, to name direct channels. */
const NAMED_MEMBERS = 5;

const ARGS = {
  type: { kind: "text", value: "type", help: "Only channels of this type" },
  filter: { kind: "text", value: "json", help: "Filter as JSON; replaces the membership filter" },
  hidden: { kind: "flag", help: "Only hidden channels" },
  unread: { kind: "flag", help: "Only channels with unread messages" },
  sort: {
    kind: "choice",
    choices: ["newest", "oldest"],
    help: "Sort by creation (default: newest activity)",
  },
  predefined: {
    kind: "text",
    value: "name",
    help: "By the filter and order that the app has stored under this name",
  },
  value: { kind: "list", value: "name=value", help: "With --predefined: a value of its filter (repeatable)" },
  sortValue: { kind: "list", value: "name=value", help: "With --predefined: a value of its order" },
} as const satisfies Args;

/** Undefined without `--predefined`. Throws `CommandError` (usage) for what only one of the two ways has. */
function predefinedOf(args: ArgValues<typeof ARGS>): PredefinedFilter | undefined {
  const { predefined, value, sortValue } = args;
  if (predefined === undefined) {
    if (value.length + sortValue.length > 0)
      throw new CommandError("usage", "--value and --sort-value go with --predefined.");
    return undefined;
  }
  const other = (["type", "filter", "hidden", "unread", "sort"] as const).find((name) => args[name]);
  if (other !== undefined) throw new CommandError("usage", `--${other} and --predefined cannot be combined.`);
  return {
    predefined_filter: predefined,
    ...(value.length > 0 && { filter_values: readPairs(value, "--value") }),
    ...(sortValue.length > 0 && { sort_values: readPairs(sortValue, "--sort-value") }),
  };
}

export default command({
  summary: "List your channels, newest activity first",
  changes: "nothing",
  chatAlias: "channels",
  examples: [
    "channel list",
    "channel list --type team --json=cid,member_count",
    "channel list --filter '{\"frozen\":true}'",
    "channel list --predefined my-team --value team=red",
  ],
  aliases: ["ls"],
  args: ARGS,
  async *run(call) {
    const { args, core, page } = call;
    const isMine = args.filter === undefined && core.userId !== undefined;
    const filter = filterWith(args.filter, {
      ...(isMine ? { members: { $in: [core.userId] } } : {}),
      ...(args.type === undefined ? {} : { type: args.type }),
      ...(args.hidden ? { hidden: true } : {}),
    });
    const selection = {
      filter,
      created: args.sort as "newest" | "oldest" | undefined,
      ...(args.unread && { matches: (state: ChannelState) => unreadOf(state, core.userId) > 0 }),
    };
    const read = async (query: object, once: PageCall): Promise<readonly ChannelState[]> => {
      const body = { ...query, state: true, watch: false, message_limit: 1, member_limit: NAMED_MEMBERS };
      return (await core.call("queryChannels", { body, ...once })).channels;
    };
    const named = predefinedOf(args);
    const channels = named ? predefinedChannels(page, named, read) : listChannels(page, selection, read);
    for await (const state of channels) {
      const direct = !state.channel.name && state.channel.id.startsWith("!members");
      const members = state.members.filter((member) => member.user_id !== core.userId);
      const unread = unreadOf(state, core.userId);
      yield { ...state.channel, unread, ...(direct && members.length > 0 ? { members } : {}) };
    }
  },
  show: (channel) =>
    rowOf(channel, {
      channel: "cid",
      // Programs get the name alone: what is read again must not give a direct channel one.
      name: { field: "name", cell: channel.name ?? othersIn(channel) },
      members: "member_count",
      unread: "unread",
      "last message": "last_message_at",
    }),
});

/** The name of a direct channel: its other members. */
function othersIn(channel: Pick<Channel, "members">): string | undefined {
  return channel.members?.map((member) => member.user?.name ?? member.user_id).join(", ");
}

/** The user's unread count from the provider. */
export function unreadOf(state: ChannelState, me: string | undefined): number {
  return state.read?.find((read) => read.user.id === me)?.unread_messages ?? 0;
}
