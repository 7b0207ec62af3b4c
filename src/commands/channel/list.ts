/** Lists the channels one is a member of, newest activity first. */
import { freshPages } from "../base/fresh-pages.ts";
import type { Channel, ChannelState } from "../../wire/channel.ts";
import type { Filter } from "../../wire/query.ts";
import { MAX_OFFSET, QUERY_CHANNELS_LIMIT } from "../../wire/constants.ts";
import { offsetOf } from "../base/cursor.ts";
import { readFilter } from "../base/filter.ts";
import { command } from "../base/define-command.ts";

/** Members asked for, enough to name a direct channel by the others in it. */
const NAMED = 5;

export default command({
  summary: "List your channels, newest activity first",
  examples: [
    "channel list",
    "channel list --type team --json=cid,member_count",
    "channel list --filter '{\"frozen\":true}'",
  ],
  aliases: ["ls"],
  args: {
    type: { kind: "text", value: "type", help: "Only channels of this type" },
    filter: { kind: "text", value: "json", help: "A filter as JSON; replaces the membership filter" },
    hidden: { kind: "flag", help: "Only hidden channels" },
    unread: { kind: "flag", help: "Only channels with unread messages" },
  },
  async *run(call) {
    const { args, core, page } = call;
    const base: Filter = args.filter
      ? readFilter(args.filter)
      : core.userId === undefined
        ? {}
        : { members: { $in: [core.userId] } };
    const filter: Filter = {
      ...base,
      ...(args.type === undefined ? {} : { type: args.type }),
      ...(args.hidden ? { hidden: true } : {}),
    };
    const seen = new Set<string>();
    const fresh = freshPages();
    let offset = offsetOf(page.next);
    let older: Filter | undefined;
    let given = 0;
    for (;;) {
      const biggest = Math.min(page.size ?? QUERY_CHANNELS_LIMIT[1], QUERY_CHANNELS_LIMIT[1]);
      const limit = args.unread ? biggest : Math.min(biggest, page.limit - given);
      const { channels } = await core.call("queryChannels", {
        body: {
          filter_conditions: older ? { $and: [filter, older] } : filter,
          sort: [{ field: "last_updated", direction: -1 }],
          limit,
          offset,
          state: true,
          watch: false,
          message_limit: 1,
          member_limit: NAMED,
        },
      });
      for (const [i, state] of channels.entries()) {
        if (given >= page.limit) return page.more?.(String(offset + i));
        if (seen.has(state.channel.cid)) continue;
        seen.add(state.channel.cid);
        const unread = unreadOf(state, core.userId);
        if (args.unread && !unread) continue;
        const direct = !state.channel.name && state.channel.id.startsWith("!members");
        const members = state.members.filter((member) => member.user_id !== core.userId);
        yield { ...state.channel, unread, ...(direct && members.length > 0 ? { members } : {}) };
        given++;
      }
      if (channels.length < limit) return;
      fresh(channels);
      offset += channels.length;
      if (given >= page.limit) return page.more?.(String(offset));
      if (offset + limit > MAX_OFFSET) {
        // The provider caps offsets: go on below the last one seen; ties are met again and skipped.
        const last = channels.at(-1)!.channel;
        older = { last_updated: { $lte: last.last_message_at ?? last.created_at } };
        offset = 0;
      }
    }
  },
  show: (channel) => ({
    kind: "table",
    columns: ["channel", "name", "members", "unread", "last message"],
    rows: [
      [
        channel.cid,
        channel.name ?? othersIn(channel),
        channel.member_count,
        channel.unread,
        channel.last_message_at,
      ],
    ],
  }),
});

/** A direct channel is known by who else is in it. */
function othersIn(channel: Pick<Channel, "members">): string | undefined {
  return channel.members?.map((member) => member.user?.name ?? member.user_id).join(", ");
}

/** The caller's unread messages as the provider counts them. */
export function unreadOf(state: ChannelState, me: string | undefined): number {
  return state.read?.find((read) => read.user.id === me)?.unread_messages ?? 0;
}
